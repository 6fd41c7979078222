#include "derive/compare/known_times.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <random>
#include <tuple>

#include "store/experiment_writer.h"
#include "store/rows/kernel_row.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"

namespace xsp::compare {
namespace {

namespace fs = std::filesystem;

/// A store of random experiments, removed with it.
class RandomStore {
 public:
  explicit RandomStore(unsigned seed)
      : random_(seed),
        path_(fs::path(testing::TempDir()) /
              ("xsp-known-times-" + std::to_string(getpid()) + "-" + std::to_string(seed))) {
    const int count = 1 + Pick(6);
    for (int i = 0; i < count; ++i) Add(i);
  }
  RandomStore(const RandomStore&) = delete;
  RandomStore& operator=(const RandomStore&) = delete;
  ~RandomStore() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  struct Layer {
    WorkTime time;
    std::int64_t cores = 0;
    bool disturbed = false;
    std::size_t experiment = 0;
  };

  const std::vector<fs::path>& experiments() const { return experiments_; }
  const std::vector<Layer>& layers() const { return layers_; }

 private:
  int Pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  void Add(int experiment) {
    const std::int64_t cores = 1 + Pick(2), threads = Pick(3), disturbed = Pick(9);
    auto writer = store::ExperimentWriter::Create(path_, "e" + std::to_string(experiment)).value();
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::PointRow>{{.point_id = 1,
                                                           .model = "m",
                                                           .backend = "b",
                                                           .device = "cpu",
                                                           .precision = "float32",
                                                           .settings = "{}",
                                                           .cores = cores,
                                                           .status = "done"}})
                    .ok());
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::RunRow>{{.run_id = 1,
                                                         .point_id = 1,
                                                         .rung = "layer",
                                                         .status = "done",
                                                         .path = "layer",
                                                         .samples = 8,
                                                         .disturbed = disturbed,
                                                         .threads = threads}})
                    .ok());
    std::vector<store::LayerRow> layers;
    std::vector<store::KernelRow> kernels;
    const int count = Pick(12);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string type = Pick(2) == 0 ? "Conv" : "Relu";
      const std::string shape = "[1," + std::to_string(2 + Pick(2)) + "]";
      const double flops = 100.0 * (1 + Pick(2)), time_ns = Pick(8) == 0 ? 0 : 1 + Pick(1000);
      layers.push_back({.point_id = 1,
                        .layer_index = i,
                        .name = "l" + std::to_string(i),
                        .type = type,
                        .shape = shape,
                        .latency_ns = time_ns,
                        .source_run = 1,
                        .matched = "all"});
      // A reorder beside the main kernel does not count.
      kernels.push_back({.point_id = 1,
                         .kernel_index = 2 * i,
                         .layer_index = i,
                         .name = "reorder",
                         .type = "primitive",
                         .dtype = "int8",
                         .flops = 0.0,
                         .read_bytes = 7.0,
                         .write_bytes = 7.0,
                         .matched = "all"});
      kernels.push_back({.point_id = 1,
                         .kernel_index = 2 * i + 1,
                         .layer_index = i,
                         .name = "main",
                         .type = "primitive",
                         .dtype = "float32",
                         .flops = flops,
                         .read_bytes = 64.0,
                         .write_bytes = 8.0,
                         .matched = "all"});
      layers_.push_back(
          {{{type, shape, "float32", flops, 64.0, 8.0}, time_ns, threads > 0 ? threads : cores},
           cores,
           2 * disturbed > 8,
           experiments_.size()});
    }
    EXPECT_TRUE(writer.AddRows(layers).ok());
    EXPECT_TRUE(writer.AddRows(kernels).ok());
    experiments_.push_back(writer.Commit("{}").value());
  }

  std::mt19937 random_;
  fs::path path_;
  std::vector<fs::path> experiments_;
  std::vector<Layer> layers_;
};

using Key = std::tuple<std::string, std::string, double, std::int64_t>;

Key KeyOf(const WorkTime& time) {
  return {time.work.type, time.work.shape, time.work.flops.value_or(-1), time.threads};
}

void ExpectThoseOfALookAtAll(const RandomStore& store, const TimesWanted& wanted) {
  auto experiments = store::ManyExperiments::Open(store.experiments()).value();
  const auto times = ReadKnownTimes(experiments, wanted);
  ASSERT_TRUE(times.ok()) << times.error().what;
  std::map<Key, double> expected, found;
  for (const RandomStore::Layer& layer : store.layers()) {
    if (layer.time.time_ns <= 0 || (layer.disturbed && !wanted.with_disturbed)) continue;
    if (wanted.cores > 0 && layer.cores != wanted.cores) continue;
    const auto [it, is_new] = expected.try_emplace(KeyOf(layer.time), layer.time.time_ns);
    if (!is_new) it->second = std::min(it->second, layer.time.time_ns);
  }
  for (const KnownTime& time : times.value()) {
    found[KeyOf(time.time)] = time.time.time_ns;
    EXPECT_EQ(time.time.work.dtype, "float32");
    EXPECT_TRUE(std::any_of(store.layers().begin(), store.layers().end(), [&](const auto& layer) {
      return layer.experiment == time.experiment && layer.time.time_ns == time.time.time_ns &&
             KeyOf(layer.time) == KeyOf(time.time);
    }));
  }
  EXPECT_EQ(found, expected);
}

TEST(ReadKnownTimes, AreTheLeastOfALookAtAllLayersOfRandomStores) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const RandomStore store(seed);
    ExpectThoseOfALookAtAll(store, {});
    ExpectThoseOfALookAtAll(store, {.with_disturbed = true});
    ExpectThoseOfALookAtAll(store, {.cores = 1, .with_disturbed = true});
    auto experiments = store::ManyExperiments::Open(store.experiments()).value();
    const auto on_device = ReadKnownTimes(experiments, {.on_device = true});
    ASSERT_TRUE(on_device.ok());
    EXPECT_TRUE(on_device.value().empty()) << "no device did anything";
  }
}

TEST(ReadBoundedLayers, HasEveryLayerInOrderWithItsMainKernel) {
  const RandomStore store(3);
  for (std::size_t i = 0; i < store.experiments().size(); ++i) {
    const auto database = store::Database::Open({store.experiments()[i]});
    ASSERT_TRUE(database.ok()) << database.error().what;
    const auto layers = ReadBoundedLayers(database.value());
    ASSERT_TRUE(layers.ok()) << layers.error().what;
    std::size_t at = 0;
    for (const RandomStore::Layer& expected : store.layers()) {
      if (expected.experiment != i) continue;
      ASSERT_LT(at, layers.value().size());
      const BoundedLayer& layer = layers.value()[at];
      EXPECT_EQ(layer.layer_index, static_cast<std::int64_t>(at++));
      EXPECT_EQ(KeyOf(layer.time), KeyOf(expected.time));
      EXPECT_EQ(layer.time.time_ns, expected.time.time_ns);
      EXPECT_FALSE(layer.bound_ns) << "the experiment has no roofs";
    }
    EXPECT_EQ(at, layers.value().size());
  }
}

}  // namespace
}  // namespace xsp::compare
