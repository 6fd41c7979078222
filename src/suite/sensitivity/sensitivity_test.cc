#include <gmock/gmock.h>

#include <cmath>

#include "suite/sensitivity/effects.h"
#include "suite/suite_command_testing.h"

namespace xsp::suite::sensitivity {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kDoctor = R"([
  {"part": "worker torch", "describe": {"graphs": ["eager", "frozen"], "precisions": ["default", "bfloat16"],
    "models": [{"format": "torchscript"}, {"format": "aotinductor"}]}},
  {"part": "worker tensorflow", "describe": {"graphs": [], "precisions": ["default"], "options": [
    {"name": "xla", "default": "off", "values": ["on", "off"]},
    {"name": "all_nodes", "default": "off", "values": ["on", "off"]},
    {"name": "signature", "default": "x", "type": "text"}]}},
  {"part": "worker mxnet", "found": false, "where_or_how": "tools/setup --mxnet"},
  {"part": "python", "found": true}])";

std::vector<std::string> Labels(const Plan& plan) {
  std::vector<std::string> labels;
  for (const Variant& variant : plan.variants) labels.push_back(variant.Label());
  return labels;
}

std::string WhyNot(const Plan& plan, const std::string& label) {
  for (const Impossible& one : plan.impossible)
    if (one.label == label) return one.why;
  return "nothing is said of " + label;
}

Plan PlanOf(const Wishes& wishes) { return MakePlan(wishes, nlohmann::json::parse(kDoctor)); }

TEST(VariantsTest, EachBackendLeadsWithItsDefaultAndChangesOneSettingAtATime) {
  const Plan plan = PlanOf({"m", {}, {}, {1, 2}, {}});
  EXPECT_THAT(Labels(plan), ElementsAre("torch", "torch graph=eager", "torch graph=frozen",
                                        "torch precision=bfloat16", "torch threads=1",
                                        "torch threads=2", "tensorflow", "tensorflow option=xla=on",
                                        "tensorflow threads=1", "tensorflow threads=2"));
  EXPECT_THAT(plan.variants.at(7).arguments, ElementsAre("--option", "xla=on"));
}

TEST(VariantsTest, WhatCannotRunIsListedWithTheReason) {
  const Plan plan = PlanOf({"m", {"torch", "mxnet", "nothing"}, {}, {}, {}});
  EXPECT_THAT(WhyNot(plan, "torch precision=float16"), HasSubstr("offers: default, bfloat16"));
  EXPECT_THAT(WhyNot(plan, "torch precision=int8"), HasSubstr("--also"));
  EXPECT_THAT(WhyNot(plan, "torch torch.compile"), HasSubstr("--also"));
  EXPECT_THAT(WhyNot(plan, "mxnet"), HasSubstr("tools/setup --mxnet"));
  EXPECT_THAT(WhyNot(plan, "nothing"), HasSubstr("no worker of this name"));
}

TEST(VariantsTest, OnlyTheKindsThatWereAskedForAreVaried) {
  const Plan plan = PlanOf({"m", {"torch"}, {"model"}, {1}, {"m_int8", "m.pt2"}});
  EXPECT_THAT(Labels(plan), ElementsAre("torch", "torch model=m_int8", "torch model=m.pt2"));
  EXPECT_EQ(plan.variants.at(1).model, "m_int8");
  EXPECT_TRUE(plan.impossible.empty());
}

Effect EffectOf(const char* axis, const char* value, double latency_ns, double cosine) {
  Effect effect;
  effect.variant = {"torch", axis, value, "m", {}};
  effect.measured.rounds_ns = {std::vector<double>(10, latency_ns)};
  effect.measured.kernels = {3, latency_ns / 2};
  effect.measured.types[{"kernel", "conv"}] = {3, latency_ns / 2};
  effect.agreement.cosine_similarity = cosine;
  effect.experiment = "e";
  return effect;
}

TEST(EffectsTest, SpeedUpIsAgainstTheDefaultOfTheSameBackend) {
  std::vector<Effect> effects = {EffectOf("default", "", 8e6, 1),
                                 EffectOf("graph", "frozen", 4e6, 0.5)};
  Effect other = EffectOf("default", "", 2e6, 0.9);
  other.variant.backend = "tvm";
  effects.push_back(other);
  effects.push_back(EffectOf("threads", "1", 1e6, 1));
  effects.back().variant.backend = "tvm";
  effects.back().measured.types = {{{"kernel", "matmul"}, {1, 1e6}}};
  const Answer answer = Summarise(effects, {{"torch graph=x", "no"}});
  const auto& rows = answer.tables.at(0).rows.rows;
  EXPECT_EQ(rows.at(0).at(4), store::Cell(1.0));
  EXPECT_EQ(rows.at(1).at(4), store::Cell(2.0));
  EXPECT_EQ(rows.at(1).at(5), store::Cell(2.0));  // Equal samples: an interval without width.
  EXPECT_EQ(rows.at(2).at(4), store::Cell(4.0));
  EXPECT_EQ(rows.at(3).at(4), store::Cell(2.0));
  EXPECT_EQ(rows.at(3).at(3), store::Cell(std::string("tvm")));
  EXPECT_THAT(answer.sentences.front(), HasSubstr("`tvm threads=1` is the fastest of 4: 8 times"));
  EXPECT_THAT(answer.sentences,
              Contains(HasSubstr("those of `torch graph=frozen`: cosine similarity 0.500000")));
  EXPECT_THAT(answer.sentences, Contains(HasSubstr("1 variants did not run")));
  // A type that is gone is a change as one that is new is.
  const auto& changes = answer.tables.at(1).rows.rows;
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes.at(1).at(2), store::Cell(std::string("conv")));
  EXPECT_EQ(changes.at(1).at(7), store::Cell(-1e6));
  EXPECT_EQ(changes.at(2).at(2), store::Cell(std::string("matmul")));
}

std::vector<double> Calls(double latency_ns) { return std::vector<double>(10, latency_ns); }

TEST(EffectsTest, DriftBetweenRoundsIsNoSpeedUp) {
  // The machine gets twice as slow from round to round; the variant takes half of the time.
  Measured base, variant;
  for (const double drift : {1.0, 2.0, 4.0}) {
    base.rounds_ns.push_back(Calls(8e6 * drift));
    variant.rounds_ns.push_back(Calls(4e6 * drift));
  }
  const Speedup speedup = SpeedupOf(base, variant);
  EXPECT_EQ(speedup.rounds, 3);
  EXPECT_NEAR(speedup.times, 2, 1e-12);
  EXPECT_NEAR(speedup.low, 2, 1e-12);
  EXPECT_NEAR(speedup.high, 2, 1e-12);
}

TEST(EffectsTest, RoundsThatDisagreeWidenTheInterval) {
  // Calls within a process are alike, processes are not: 1.1, 1.0 and 1/1.1 times as fast.
  Measured base, variant;
  for (const double ratio : {1.1, 1.0, 1 / 1.1}) {
    base.rounds_ns.push_back(Calls(1e6 * ratio));
    variant.rounds_ns.push_back(Calls(1e6));
  }
  const Speedup speedup = SpeedupOf(base, variant);
  EXPECT_NEAR(speedup.times, 1, 1e-12);
  // 4.303 x ln 1.1 / sqrt 3, by hand.
  EXPECT_NEAR(std::log(speedup.high), 0.23678, 1e-4);
  EXPECT_NEAR(std::log(speedup.low), -0.23678, 1e-4);
}

TEST(EffectsTest, OnlyRoundsThatBothHaveAreCompared) {
  Measured base, variant;
  base.rounds_ns = {Calls(2e6), Calls(9e6), Calls(2e6)};
  variant.rounds_ns = {Calls(1e6), {}, Calls(1e6)};
  const Speedup speedup = SpeedupOf(base, variant);
  EXPECT_EQ(speedup.rounds, 2);
  EXPECT_NEAR(speedup.times, 2, 1e-12);
  variant.rounds_ns = {{}, Calls(1e6)};
  base.rounds_ns = {Calls(1e6)};
  EXPECT_EQ(SpeedupOf(base, variant).rounds, 0);
}

TEST(EffectsTest, OutputsThatWereNotKeptAreNoAgreement) {
  Effect effect = EffectOf("default", "", 1e6, 1);
  effect.agreement = CompareKept("no-such-folder", "nor-this");
  EXPECT_THAT(effect.agreement.message, Not(HasSubstr("\n")));
  ASSERT_FALSE(effect.agreement.message.empty());
  const Answer answer = Summarise({effect}, {});
  EXPECT_EQ(answer.tables.at(0).rows.rows.at(0).at(10), store::Cell());
}

TEST(EffectsTest, KeptOutputsAreComparedByTheirWorst) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "xsp-kept";
  const auto write = [&folder](const char* name, float second) {
    std::filesystem::create_directories(folder / name);
    std::ofstream(folder / name / "outputs.json") << R"([{"name": "y", "file": "0.npy"}])";
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
    header.resize(117, ' ');
    header += '\n';
    std::ofstream file(folder / name / "0.npy", std::ios::binary);
    file.write("\x93NUMPY\x01\x00", 8);
    const char length[2] = {static_cast<char>(header.size()), 0};
    file.write(length, 2);
    file << header;
    const float values[2] = {1, second};
    file.write(reinterpret_cast<const char*>(values), sizeof(values));
  };
  write("a", 0.5F);
  write("b", 1.5F);
  const OutputAgreement agreement = CompareKept(folder / "a", folder / "b");
  EXPECT_EQ(agreement.message, "");
  EXPECT_EQ(agreement.label_agreement, 0);
  EXPECT_EQ(agreement.max_absolute_error, 1);
}

TEST(SensitivityTest, UnknownKindOfSettingIsRefused) {
  const auto answer = RunCommand(kSpec, {"tiny", "--over", "colour"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(answer.error().hint, HasSubstr("graph, precision"));
}

}  // namespace
}  // namespace xsp::suite::sensitivity
