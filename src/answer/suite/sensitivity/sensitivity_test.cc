#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "answer/suite/sensitivity/effects.h"
#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/nullable.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"
#include "store/rows/sample_row.h"
#include "store/store_testing.h"

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

Plan PlanOf(const PlanOptions& plan_options) {
  return MakePlan(plan_options, core::ParseJson(kDoctor));
}

TEST(VariantsTest, EachBackendLeadsWithItsDefaultAndChangesOneSettingAtATime) {
  const Plan plan = PlanOf({"m", {}, {}, {1, 2}, {}});
  EXPECT_THAT(Labels(plan), ElementsAre("torch", "torch graph=eager", "torch graph=frozen",
                                        "torch precision=bfloat16", "torch threads=1",
                                        "torch threads=2", "tensorflow", "tensorflow option=xla=on",
                                        "tensorflow threads=1", "tensorflow threads=2"));
  EXPECT_EQ(plan.variants.at(7).settings, (nlohmann::json{{"option", {"xla=on"}}}));
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
  effect.variant = {"torch", axis, value, "m", nlohmann::json::object()};
  effect.measured.rounds_ns = {std::vector<double>(10, latency_ns)};
  effect.measured.kernels = Part{3, latency_ns / 2};
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
  EXPECT_EQ(rows.at(1).at(5), store::Cell());  // One round has no interval.
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

/// As `xsp run --keep-outputs` leaves the results of a model with one output of two values.
std::filesystem::path Kept(const char* name, float first, float second) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / "xsp-kept" / test->name() / name;
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "outputs.json") << R"([{"name": "y", "file": "0.npy"}])";
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream file(folder / "0.npy", std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  const char length[2] = {static_cast<char>(header.size()), 0};
  file.write(length, 2);
  file << header;
  const float values[2] = {first, second};
  file.write(reinterpret_cast<const char*>(values), sizeof(values));
  return folder;
}

TEST(EffectsTest, KeptOutputsAreComparedByTheirWorst) {
  const OutputAgreement agreement = CompareKept(Kept("a", 1, 0.5F), Kept("b", 1, 1.5F));
  EXPECT_EQ(agreement.message, "");
  EXPECT_EQ(agreement.label_agreement, 0);
  EXPECT_EQ(agreement.max_absolute_error, 1);
}

TEST(EffectsTest, ValuesThatAreNotFiniteInOneAreNoPerfectAgreement) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const OutputAgreement agreement = CompareKept(Kept("a", 1, 0.5F), Kept("b", 1, kNaN));
  EXPECT_EQ(agreement.message, "1 value is infinite or not a number in one only");
  EXPECT_EQ(agreement.non_finite, 1);
  EXPECT_EQ(agreement.label_agreement, 1);  // The largest entry is the first in both.
  EXPECT_TRUE(std::isnan(agreement.cosine_similarity));
  EXPECT_TRUE(std::isnan(agreement.max_absolute_error));

  std::vector<Effect> effects = {EffectOf("default", "", 8e6, 1),
                                 EffectOf("graph", "frozen", 4e6, 0.5),
                                 EffectOf("precision", "float16", 2e6, 1)};
  effects[2].agreement = agreement;
  const Answer answer = Summarise(effects, {});
  const auto& row = answer.tables.at(0).rows.rows.at(2);
  EXPECT_EQ(row.at(8), store::Cell(1.0));
  EXPECT_EQ(row.at(9), store::Cell());
  EXPECT_EQ(row.at(10), store::Cell());
  EXPECT_EQ(row.at(18), store::Cell(agreement.message));
  EXPECT_THAT(answer.sentences, Contains("`torch precision=float16` against `torch` gives values "
                                         "that are no finite numbers: 1 value is infinite or not "
                                         "a number in one only."));
  // The others are still ranked among themselves.
  EXPECT_THAT(answer.sentences, Contains(HasSubstr("those of `torch graph=frozen`")));
}

TEST(EffectsTest, NoisySettingHidesNoneThatIsSure) {
  std::vector<Effect> effects = {EffectOf("default", "", 8e6, 1), EffectOf("graph", "noisy", 1, 1),
                                 EffectOf("graph", "steady", 1, 1)};
  effects[0].measured.rounds_ns = {Calls(8e6), Calls(8e6), Calls(8e6)};
  // 8, 1 and 2 times as fast: 2.52 in the mean, of which the interval holds 1 (ln 2.52 = 0.92,
  // half its width 4.303 x 1.059 / sqrt 3 = 2.63).
  effects[1].measured.rounds_ns = {Calls(1e6), Calls(8e6), Calls(4e6)};
  effects[2].measured.rounds_ns = {Calls(6.4e6), Calls(6.4e6), Calls(6.4e6)};
  const Answer answer = Summarise(effects, {});
  EXPECT_THAT(answer.sentences,
              Contains(HasSubstr("`torch graph=steady` runs 1.25 times as fast")));
  EXPECT_THAT(answer.sentences, Not(Contains(HasSubstr("`torch graph=noisy` runs"))));
}

TEST(EffectsTest, WhatNoRunShowedIsNotZero) {
  std::vector<Effect> effects = {EffectOf("default", "", 8e6, 1),
                                 EffectOf("graph", "frozen", 4e6, 1)};
  for (Effect& effect : effects)  // Two rounds: an interval, here without width.
    effect.measured.rounds_ns.push_back(effect.measured.rounds_ns.front());
  effects[0].measured.layers = effects[1].measured.layers = Part{5, 6e6};
  effects[1].measured.kernels.reset();
  effects[1].measured.types.clear();
  const Answer answer = Summarise(effects, {});
  const auto& rows = answer.tables.at(0).rows.rows;
  EXPECT_EQ(rows.at(0).at(13), store::Cell(std::int64_t{3}));
  EXPECT_EQ(rows.at(1).at(11), store::Cell(std::int64_t{5}));
  EXPECT_EQ(rows.at(1).at(13), store::Cell());
  EXPECT_EQ(rows.at(1).at(14), store::Cell());
  // The default's kernels are not gone: nobody looked for them.
  EXPECT_TRUE(answer.tables.at(1).rows.rows.empty());
  EXPECT_THAT(answer.sentences, Contains("`torch graph=frozen` runs 2 times as fast as its default "
                                         "(2 to 2): 5 layers instead of 5."));
}

/// An experiment of one point of which rungs are done or, with a message, failed.
std::filesystem::path Experiment(const std::filesystem::path& store, const char* name,
                                 const std::map<std::string, std::string>& rungs) {
  auto writer = store::ExperimentWriter::Create(store, name);
  if (!writer.ok()) return {};
  const std::vector<store::PointRow> point = {{.point_id = 1,
                                               .model = "m",
                                               .backend = "torch",
                                               .device = "cpu",
                                               .precision = "float32",
                                               .batch = 1,
                                               .settings = "{}",
                                               .latency_ns = 1e6,
                                               .status = "done"}};
  std::vector<store::RunRow> run;
  std::vector<store::SampleRow> sample;
  for (const auto& [rung, failure] : rungs) {
    const std::int64_t id = static_cast<std::int64_t>(run.size()) + 1;
    run.push_back({.run_id = id,
                   .point_id = 1,
                   .rung = rung,
                   .status = failure.empty() ? "done" : "failed",
                   .path = "no-such-run",
                   .message = store::TextOrNull(failure)});
    for (std::int64_t i = 0; i < 10; ++i)
      sample.push_back({.run_id = id, .iteration = i, .latency_ns = 1000000, .disturbed = false});
  }
  EXPECT_TRUE(writer.value().AddRows(point).ok());
  EXPECT_TRUE(writer.value().AddRows(run).ok());
  EXPECT_TRUE(writer.value().AddRows(sample).ok());
  const auto done = writer.value().Commit("{}");
  return done.ok() ? done.value() : std::filesystem::path();
}

TEST(EffectsTest, OnlyRungsThatAreDoneTellOfLayersAndKernels) {
  const store::TestFolder folder;
  const auto experiment =
      Experiment(folder.path(), "e", {{"model", ""}, {"layer", ""}, {"kernel", "out of luck\nx"}});
  const auto measured = ReadMeasured(experiment);
  ASSERT_TRUE(measured.ok()) << measured.error().what;
  ASSERT_TRUE(measured.value().layers.has_value());
  EXPECT_EQ(measured.value().layers->count, 0);
  EXPECT_FALSE(measured.value().kernels.has_value());
  EXPECT_THAT(measured.value().failures, ElementsAre("kernel: out of luck"));
}

/// With operations that copy an experiment for each run.
class StoredTest : public ::testing::Test {
 protected:
  StoredTest() {
    Experiment(folder_.path(), "template", {{"model", ""}});
    xsp_.Answers("doctor", {{{"part", "worker torch"}, {"describe", nlohmann::json::object()}}});
  }

  std::filesystem::path store() const { return folder_.path() / "store"; }

  void Measure(const std::filesystem::path& experiment, const std::string& command) const {
    std::filesystem::create_directories(experiment.parent_path());
    std::filesystem::copy(folder_.path() / "template", experiment,
                          std::filesystem::copy_options::recursive);
    std::ifstream in(experiment / "experiment.json");
    auto document = core::ParseJson(in);
    document["status"] = "done";
    document["command"] = command;
    std::ofstream(experiment / "experiment.json") << document;
  }

  /// Two rounds of the backend's default.
  Result<Answer> Ask(const std::string& model, int iterations) {
    return RunCommand(
        kSpec, {{"model", model}, {"over", {"graph"}}, {"rounds", 2}, {"iterations", iterations}},
        xsp_);
  }

  std::string MethodOf(const std::string& model, int iterations) {
    const auto answer = Ask(model, iterations);
    if (!answer.ok()) return answer.error().what;
    std::string method;
    for (const std::string& line : answer.value().method) method += line + "\n";
    return method;
  }

  store::TestFolder folder_;
  MeasuringContext xsp_{
      folder_.path() / "store",
      [this](const auto& experiment, const auto& command) { Measure(experiment, command); }};
};

TEST_F(StoredTest, WhatIsStoredOfTheSameCallIsTaken) {
  EXPECT_THAT(MethodOf("m", 6), Not(HasSubstr("anew and replaced")));
  EXPECT_EQ(xsp_.Calls(), 2);
  EXPECT_THAT(MethodOf("m", 6), HasSubstr("1 of 1 variants were in the store"));
  EXPECT_EQ(xsp_.Calls(), 2);
}

TEST_F(StoredTest, OtherSettingsAndOtherModelsAreMeasuredAnewAndSaid) {
  MethodOf("m", 6);
  const std::string more = MethodOf("m", 60);
  EXPECT_EQ(xsp_.Calls(), 4);
  EXPECT_THAT(more, HasSubstr("2 experiments of the store were measured anew and replaced"));
  EXPECT_THAT(more, HasSubstr("sensitivity-m-b1-torch, measured by: xsp run m --backend torch"));
  EXPECT_THAT(more, HasSubstr("2 rounds of 60 model calls"));
  EXPECT_THAT(MethodOf("/nowhere/m.onnx", 60), HasSubstr("2 experiments of the store were"));
  EXPECT_EQ(xsp_.Calls(), 6);
}

TEST_F(StoredTest, InterruptedExperimentsAreMeasuredAgain) {
  MethodOf("m", 6);
  const auto document = store() / "sensitivity-m-b1-torch" / "experiment.json";
  std::ifstream file(document);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  ASSERT_THAT(text, HasSubstr("\"done\""));
  text.replace(text.find("\"done\""), 6, "\"interrupted\"");
  std::ofstream(document) << text;
  EXPECT_THAT(MethodOf("m", 6),
              HasSubstr("1 experiment of an earlier call had been interrupted and was measured"));
  EXPECT_EQ(xsp_.Calls(), 3);
}

TEST_F(StoredTest, WhatCannotBeReplacedStays) {
  MethodOf("m", 6);
  const auto document = store() / "sensitivity-m-b1-torch" / "experiment.json";
  xsp_.FailFromNowOn();
  const auto answer = Ask("/nowhere/m.onnx", 6);
  ASSERT_FALSE(answer.ok());  // What was stored is not shown as this call's, either.
  EXPECT_EQ(answer.error().what, "no variant ran");
  EXPECT_THAT(answer.error().hint, HasSubstr("no luck"));
  std::ifstream file(document);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(text, HasSubstr("xsp run m --backend torch"));
}

TEST(SensitivityTest, UnknownKindOfSettingIsRefused) {
  const auto answer = RunCommand(kSpec, {{"model", "tiny"}, {"over", {"colour"}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(answer.error().hint, HasSubstr("graph, precision"));
}

}  // namespace
}  // namespace xsp::suite::sensitivity
