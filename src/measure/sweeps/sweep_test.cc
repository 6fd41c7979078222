#include "measure/sweeps/sweep.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <random>
#include <set>
#include <utility>

#include "core/json_text.h"
#include "store/store_testing.h"

namespace xsp::sweeps {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string> kSettings = {"device", "graph", "option", "threads"};

Result<Sweep> Parse(const std::string& text) {
  return ParseSweep(text, "/nowhere/my sweep.yaml", kSettings);
}

/// What is wrong with a sweep; empty: nothing.
std::string WrongWith(const std::string& text) {
  const auto sweep = Parse(text);
  if (sweep.ok()) return {};
  EXPECT_EQ(sweep.error().kind, ErrorKind::kBadInput);
  return sweep.error().what;
}

std::vector<std::string> Names(const Sweep& sweep) {
  std::vector<std::string> names;
  const auto points = PointsOf(sweep);
  EXPECT_TRUE(points.ok());
  for (const Point& point : points.value()) names.push_back(point.name);
  return names;
}

TEST(SweepTest, OneModelIsEnough) {
  const Sweep sweep = Parse("models: [tiny]\n").value();
  EXPECT_EQ(sweep.name, "my-sweep");
  EXPECT_THAT(sweep.models, ElementsAre("tiny"));
  EXPECT_THAT(sweep.backends, IsEmpty());
  EXPECT_THAT(sweep.batches, ElementsAre(1));
  const std::vector<Point> points = PointsOf(sweep).value();
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].name, "tiny-b1");
  EXPECT_EQ(RunRequestOf(sweep, points[0]),
            core::ParseJson(R"({"model": "tiny", "batch": [1], "precision": "default"})"));
}

TEST(SweepTest, EveryKeyIsRead) {
  const Sweep sweep = Parse(R"(
name: all
models: tiny
backends: [torch, onnxruntime]
batches: [1, 8]
precisions: [float32, float16]
machines:
  - {name: big, architecture: aarch64, device: H100, memory_gb: 64, features: [sve]}
settings: {threads: [1, 2], graph: frozen}
scenario: {kind: server, latency_bound: 50ms, queries: 10}
exclude:
  - {backend: torch, precision: float16}
  - {threads: 2, batch: 8}
)")
                          .value();
  EXPECT_EQ(sweep.name, "all");
  ASSERT_EQ(sweep.machines.size(), 1u);
  EXPECT_EQ(sweep.machines[0].memory_gb, 64);
  EXPECT_THAT(sweep.machines[0].features, ElementsAre("sve"));
  EXPECT_EQ(sweep.load,
            core::ParseJson(R"({"scenario": "server", "latency_bound": "50ms", "queries": 10})"));
  EXPECT_THAT(
      Names(sweep),
      ElementsAre("tiny-torch-b1-float32-threads=1", "tiny-torch-b8-float32-threads=1",
                  "tiny-torch-b1-float32-threads=2", "tiny-onnxruntime-b1-float32-threads=1",
                  "tiny-onnxruntime-b8-float32-threads=1", "tiny-onnxruntime-b1-float32-threads=2",
                  "tiny-onnxruntime-b1-float16-threads=1", "tiny-onnxruntime-b8-float16-threads=1",
                  "tiny-onnxruntime-b1-float16-threads=2"));
  const json request = RunRequestOf(sweep, PointsOf(sweep).value().back());
  EXPECT_EQ(request["backend"], core::ParseJson(R"(["onnxruntime"])"));
  EXPECT_EQ(request["graph"], "frozen");
  EXPECT_EQ(request["threads"], 2);
  EXPECT_EQ(request["scenario"], "server");
}

TEST(SweepTest, WrongFilesNameEachFaultWithItsPlace) {
  EXPECT_THAT(WrongWith("modles: [a]\n"),
              AllOf(HasSubstr("my sweep.yaml:1:1: unknown key: modles (did you mean models?)"),
                    HasSubstr("missing: models")));
  EXPECT_THAT(WrongWith("models: []\n"), HasSubstr(":1:9: models is empty"));
  EXPECT_THAT(WrongWith("models: [a, b, a]\n"), HasSubstr(":1:16: models has this value twice: a"));
  EXPECT_THAT(WrongWith("models: [a]\nbatches: [1, 0]\n"),
              HasSubstr("batches is not a whole number above 0: 0"));
  EXPECT_THAT(WrongWith("models: [a]\nbatches: [1.5]\n"), HasSubstr("1.5"));
  EXPECT_THAT(WrongWith("models: [a]\nsettings: {thraeds: 1}\n"),
              HasSubstr("unknown key: settings.thraeds (did you mean threads?)"));
  EXPECT_THAT(WrongWith("models: [a]\nsettings: {batch: [1]}\n"),
              HasSubstr("not a setting: batch (it is the key batches of the sweep)"));
  EXPECT_THAT(WrongWith("models: [a]\nsettings: {threads: {a: 1}}\n"), HasSubstr("a map"));
  EXPECT_THAT(WrongWith("models: [a]\nscenario: ofline\n"), HasSubstr("did you mean offline?"));
  EXPECT_THAT(WrongWith("models: [a]\nscenario: offline\ndataset: synthetic:count=3\n"),
              HasSubstr("a scenario or a data set, not both"));
  EXPECT_THAT(WrongWith("models: [a]\nmachines: [{architecture: x86_64}]\n"),
              HasSubstr("missing: machines[0].name"));
  EXPECT_THAT(WrongWith("models: [a]\nmachines: [{name: m, architecture: x86}]\n"),
              HasSubstr("unknown machines[0].architecture: x86"));
  EXPECT_THAT(WrongWith("models: [a]\nmachines: [{name: m, slurm: gpu}]\n"),
              HasSubstr("not a map of options of sbatch"));
  EXPECT_THAT(WrongWith("models: [a]\nmachines: [{name: m, slurm: {gres: [a]}}]\n"),
              HasSubstr("machines[0].slurm.gres is a list, not a value"));
  EXPECT_THAT(WrongWith("models: [a]\nmachines: [{name: m}, {name: m, memory_gb: 1}]\n"),
              HasSubstr("two machines have one name: m"));
  EXPECT_THAT(WrongWith("models: [a]\nname: a/b\n"), HasSubstr("name is not one: a/b"));
  EXPECT_THAT(WrongWith("models: [a]\nname: ..\n"), HasSubstr("name is not one: .."));
  EXPECT_THAT(WrongWith("models: [a]\nexclude: [{threads: 1}]\n"),
              HasSubstr("unknown key: exclude[0].threads"));
  EXPECT_THAT(WrongWith("models: [a]\nmodels: [b]\n"), HasSubstr("models"));
  EXPECT_THAT(WrongWith("- a\n"), HasSubstr("not a map of keys"));
  EXPECT_THAT(WrongWith("models: [a\n"), HasSubstr("my sweep.yaml:"));
}

TEST(SweepTest, ContradictoryExclusionsAreRefused) {
  const auto wrong = [](const std::string& text) {
    const auto points = PointsOf(Parse(text).value());
    return points.ok() ? "" : points.error().what;
  };
  EXPECT_THAT(wrong("models: [a]\nexclude: [{batch: 2}]\n"),
              HasSubstr("exclude[0] excludes no point: {\"batch\":2}"));
  EXPECT_THAT(wrong("models: [a]\nexclude: [{model: a}]\n"), HasSubstr("excludes all"));
  std::string large = "models: [a]\nbatches: [";
  for (int i = 1; i <= 1000; ++i) large += fmt::format("{}, ", i);
  large += "1001]\nsettings:\n  threads: [";
  for (int i = 1; i <= 1000; ++i) large += fmt::format("{}, ", i);
  EXPECT_THAT(wrong(large + "1001]\n"), HasSubstr("more than 100000 points"));
}

TEST(SweepTest, FilesBesideTheSweepAreFoundAndTheZooIsNotAPath) {
  const store::TestFolder folder;
  std::ofstream(folder.path() / "m.toy") << "x";
  const Sweep sweep =
      ParseSweep("models: [m.toy, ./sub/n.onnx, /abs/o.pt, tiny]\n", folder.path() / "s.yaml", {})
          .value();
  EXPECT_THAT(sweep.models,
              ElementsAre((folder.path() / "m.toy").string(),
                          (folder.path() / "sub/n.onnx").string(), "/abs/o.pt", "tiny"));
  EXPECT_THAT(Names(sweep), ElementsAre("m-b1", "n-b1", "o-b1", "tiny-b1"));
}

TEST(SweepTest, ModelsWithOneNameAreToldApartByAsLittleAsPossible) {
  EXPECT_THAT(
      Names(Parse("models: [/a/x/net.onnx, /a/y/net.onnx, /a/x/net.pt, other.pt]\n").value()),
      ElementsAre("x/net.onnx-b1", "y/net.onnx-b1", "net.pt-b1", "other-b1"));
}

TEST(SweepTest, ADataSetIsAFileOnlyWhereItIsThere) {
  const store::TestFolder folder;
  std::ofstream(folder.path() / "texts.csv") << "text\n";
  const auto dataset = [&](const std::string& text) {
    return ParseSweep("models: [tiny]\ndataset: " + text + "\n", folder.path() / "s.yaml", {})
        .value()
        .load["dataset"];
  };
  EXPECT_EQ(dataset("texts.csv"), (folder.path() / "texts.csv").string());
  EXPECT_EQ(dataset("coco:annotations=a/b.json,images=a/c"),
            "coco:annotations=a/b.json,images=a/c");
}

TEST(SweepTest, SettingsThatLookAlikeHaveDifferentNames) {
  const std::vector<std::string> names =
      Names(Parse("models: [a]\nsettings: {option: [\"x=1,y=2\", [x=1, y=2], []]}\n").value());
  EXPECT_THAT(names,
              ElementsAre("a-b1-option=x=1,y=2", "a-b1-option=x=1,y=2-2", "a-b1-option=none"));
}

/// A sweep of a few random values, and its points by asking every combination of all values.
struct RandomSweep {
  explicit RandomSweep(std::uint32_t seed) : random(seed) {
    sweep.name = "r";
    sweep.models = Some("m", 1);
    sweep.backends = Some("k", 0);
    sweep.precisions = Some("p", 1);
    sweep.batches.clear();
    for (std::uint32_t i = 0; i <= random() % 3; ++i) sweep.batches.push_back(1 << i);
    for (const char* name : {"graph", "threads"})
      if (random() % 2 == 0) sweep.settings.push_back({name, {1, 2, "x"}});
    for (std::uint32_t i = 0; i < random() % 3; ++i) sweep.exclude.push_back(RandomExclusion());
  }

  std::vector<std::string> Some(const std::string& letter, std::uint32_t least) {
    std::vector<std::string> values;
    const std::uint32_t count = least + random() % 3;
    for (std::uint32_t i = 0; i < count; ++i) values.push_back(letter + std::to_string(i));
    return values;
  }

  Exclusion RandomExclusion() {
    Exclusion exclusion;
    exclusion["model"] = sweep.models[random() % sweep.models.size()];
    if (random() % 2 == 0) exclusion["batch"] = sweep.batches[random() % sweep.batches.size()];
    if (!sweep.settings.empty() && random() % 2 == 0)
      exclusion[sweep.settings[0].name] = sweep.settings[0].values[random() % 3];
    return exclusion;
  }

  /// Counts through all combinations in a mixed radix, without the order that the sweep has.
  std::multiset<std::string> BruteForce() const {
    std::vector<std::vector<std::pair<std::string, json>>> lists;
    const auto add = [&](const std::string& axis, const auto& values) {
      lists.emplace_back();
      for (const auto& value : values) lists.back().emplace_back(axis, value);
    };
    add("model", sweep.models);
    if (!sweep.backends.empty()) add("backend", sweep.backends);
    add("batch", sweep.batches);
    add("precision", sweep.precisions);
    for (const Setting& setting : sweep.settings) add(setting.name, setting.values);
    std::size_t all = 1;
    for (const auto& list : lists) all *= list.size();
    std::multiset<std::string> points;
    for (std::size_t n = 0; n < all; ++n) {
      json point;
      std::size_t rest = n;
      for (const auto& list : lists) {
        const auto& [axis, value] = list[rest % list.size()];
        point[axis] = value;
        rest /= list.size();
      }
      bool is_excluded = false;
      for (const Exclusion& exclusion : sweep.exclude) {
        bool all_match = true;
        for (const auto& [key, value] : exclusion) all_match &= point[key] == value;
        is_excluded |= all_match;
      }
      if (!is_excluded) points.insert(core::JsonText(point));
    }
    return points;
  }

  std::mt19937 random;
  Sweep sweep;
};

TEST(SweepTest, PointsAreThoseOfBruteForce) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const RandomSweep random(seed);
    const std::multiset<std::string> expected = random.BruteForce();
    const auto points = PointsOf(random.sweep);
    if (!points.ok()) {
      EXPECT_TRUE(expected.empty()) << seed << points.error().what;
      continue;
    }
    std::multiset<std::string> found;
    std::set<std::string> names;
    for (const Point& point : points.value()) {
      json one = {{"model", point.model}, {"batch", point.batch}, {"precision", point.precision}};
      if (!point.backend.empty()) one["backend"] = point.backend;
      one.update(point.settings);
      found.insert(core::JsonText(one));
      names.insert(point.name);
    }
    EXPECT_EQ(found, expected) << seed;
    EXPECT_EQ(names.size(), points.value().size()) << seed;
  }
}

TEST(SweepTest, NoiseIsRefusedWithoutACrash) {
  const std::string valid =
      "models: [a, b]\nbatches: [1, 2]\nsettings: {threads: [1, 2]}\nexclude: [{batch: 2}]\n";
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = valid;
    for (int k = 0; k < 3; ++k)
      text[random() % text.size()] = "[]{}:,-\n \t#\"'&*!|>%@0a"[random() % 23];
    refused += Parse(text).ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace xsp::sweeps
