// The analyses' SQL against plain loops over random experiment tables: sums, weighting, roofs and
// rules, with everything that can be unknown unknown now and then.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "answer/analyze/analysis.h"
#include "source_dir.h"

namespace xsp::analyze {
namespace {

using Number = std::optional<double>;

struct Kernel {
  int point = 0;
  std::optional<int> layer;
  int name = 0;
  int type = 0;  ///< Index into kTypes.
  double ns = 0;
  Number flops, read, write, occupancy;
};

struct ArithmeticType {
  const char* dtype;
  const char* unit;
  Number peak;
};
constexpr std::array<ArithmeticType, 3> kTypes = {
    {{"float32", "vector", 1e12}, {"bfloat16", "tensor", 8e12}, {"int8", "vector", std::nullopt}}};
constexpr double kBandwidth = 1e11;

/// Sums of a group of kernels, and what follows from them, by the definitions of the README files.
class Group {
 public:
  void Add(const Kernel& kernel) {
    ++count_;
    ns_ += kernel.ns;
    Accumulate(flops_, kernel.flops);
    Accumulate(read_, kernel.read);
    Accumulate(write_, kernel.write);
    if (kernel.occupancy) {
      occupied_ns_ += *kernel.occupancy * kernel.ns;
      with_occupancy_ns_ += kernel.ns;
    }
    if (kernel.flops && kernel.read && kernel.write) known_ns_ += kernel.ns;
    const Number peak = kTypes[static_cast<std::size_t>(kernel.type)].peak;
    if (kernel.flops && peak) {
      roofed_flops_ += *kernel.flops;
      roofed_s_ += *kernel.flops / *peak;
    }
  }
  double count() const { return count_; }
  double ns() const { return ns_; }
  Number flops() const { return flops_; }
  Number Occupancy() const {
    return with_occupancy_ns_ > 0 ? Number(occupied_ns_ / with_occupancy_ns_) : std::nullopt;
  }
  double KnownShare() const { return known_ns_ / ns_; }
  Number Traffic() const { return read_ && write_ ? Number(*read_ + *write_) : std::nullopt; }
  Number Intensity() const {
    if (!flops_ || !Traffic() || *Traffic() == 0) return std::nullopt;
    return *flops_ / *Traffic();
  }
  Number Throughput() const { return flops_ ? Number(*flops_ / ns_ * 1e9) : std::nullopt; }
  Number Peak() const {
    if (!flops_ || roofed_s_ == 0 || roofed_flops_ < 0.95 * *flops_) return std::nullopt;
    return roofed_flops_ / roofed_s_;
  }
  std::string Bound() const {
    if (!Intensity()) return "";
    if (*Intensity() == 0) return "memory";
    if (!Peak()) return "";
    return *Intensity() < *Peak() / kBandwidth ? "memory" : "compute";
  }
  Number RoofFraction() const {
    if (Bound().empty()) return std::nullopt;
    const double seconds = Bound() == "compute" ? *flops_ / *Peak() : *Traffic() / kBandwidth;
    return seconds / (ns_ * 1e-9);
  }

 private:
  static void Accumulate(Number& sum, const Number& value) {
    if (value) sum = sum.value_or(0) + *value;
  }

  double count_ = 0, ns_ = 0, occupied_ns_ = 0, with_occupancy_ns_ = 0, known_ns_ = 0;
  double roofed_flops_ = 0, roofed_s_ = 0;
  Number flops_, read_, write_;
};

std::string Text(const Number& number) { return number ? fmt::format("{:.17g}", *number) : "NULL"; }

class RandomExperiment : public testing::TestWithParam<unsigned> {
 protected:
  RandomExperiment() : database_(store::Database::OpenEmpty()), random_(GetParam()) {}

  void SetUp() override {
    auto loaded = LoadAnalyses({std::filesystem::path(XSP_SOURCE_DIR) / "analyses"});
    ASSERT_TRUE(loaded.ok());
    analyses_ = std::move(loaded).value();
    Sql(
        fmt::format("INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) "
                    "VALUES ('bandwidth', 'dram', NULL, NULL, {}, 'x', 'x', true)",
                    kBandwidth));
    for (const ArithmeticType& type : kTypes) {
      if (!type.peak) continue;
      Sql(
          fmt::format("INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) "
                      "VALUES ('flops', 'f', '{}', '{}', {}, 'x', 'x', true)",
                      type.dtype, type.unit, *type.peak));
    }
    for (int point = 1; point <= kPoints; ++point) AddPoint(point);
  }

  int Pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  double Between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Number Perhaps(double value, int one_in) {
    return Pick(one_in) == 0 ? std::nullopt : Number(value);
  }
  void Sql(const std::string& sql) {
    const auto done = database_.value().Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }

  void AddPoint(int point) {
    latency_[point] = Between(1e6, 2e6);
    Sql(
        fmt::format("INSERT INTO point (point_id, model, backend, device, precision, batch, "
                    "settings, latency_ns, status) VALUES ({}, 'm', 'b', 'cpu', 'float32', {}, "
                    "'{{}}', {}, 'done')",
                    point, point, latency_[point]));
    for (int layer = 0; layer < kLayers; ++layer) {
      Sql(
          fmt::format("INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) "
                      "VALUES ({}, {}, 'l', 't', {}, 'all')",
                      point, layer, Between(1, 1e5)));
    }
    for (int index = 0; index < kKernels; ++index) AddKernel(point, index);
  }

  void AddKernel(int point, int index) {
    Kernel kernel;
    kernel.point = point;
    if (Pick(10) > 0) kernel.layer = Pick(kLayers);
    kernel.name = Pick(6);
    kernel.type = Pick(20) == 0 ? 2 : Pick(2);
    kernel.ns = Between(10, 1e4);
    kernel.flops = Pick(4) == 0 ? Number(0) : Perhaps(Between(1, 1e8), 12);
    kernel.read = Perhaps(Between(1, 1e6), 15);
    kernel.write = Perhaps(Between(1, 1e6), 15);
    kernel.occupancy = Perhaps(Between(0, 1), 3);
    const ArithmeticType& type = kTypes[static_cast<std::size_t>(kernel.type)];
    Sql(
        fmt::format("INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, "
                    "unit, duration_ns, flops, read_bytes, write_bytes, occupancy, matched) VALUES "
                    "({}, {}, {}, 'k{}', 'kernel', '{}', '{}', {:.17g}, {}, {}, {}, {}, 'all')",
                    point, index, kernel.layer ? std::to_string(*kernel.layer) : "NULL",
                    kernel.name, type.dtype, type.unit, kernel.ns, Text(kernel.flops),
                    Text(kernel.read), Text(kernel.write), Text(kernel.occupancy)));
    kernels_.push_back(kernel);
  }

  struct Rows {
    store::Table table;
    std::size_t size() const { return table.rows.size(); }
    const store::Cell& At(std::size_t row, const std::string& column) const {
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i] == column) return table.rows[row][i];
      }
      ADD_FAILURE() << column;
      return table.rows[row][0];
    }
    Number Get(std::size_t row, const std::string& column) const {
      const store::Cell& cell = At(row, column);
      if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        return static_cast<double>(*integer);
      }
      if (const auto* number = std::get_if<double>(&cell)) return *number;
      return std::nullopt;
    }
    std::string Words(std::size_t row, const std::string& column) const {
      const auto* text = std::get_if<std::string>(&At(row, column));
      return text == nullptr ? "" : *text;
    }
  };
  Rows Answer(const std::string& id) {
    auto result = analyze::Run(*Find(analyses_, id), database_.value());
    EXPECT_TRUE(result.ok()) << result.error().what;
    return {std::move(result.value().table)};
  }

  static void ExpectSame(const Number& actual, const Number& expected, const std::string& what) {
    ASSERT_EQ(actual.has_value(), expected.has_value()) << what;
    if (expected) {
      EXPECT_NEAR(*actual, *expected, std::abs(*expected) * 1e-9) << what;
    }
  }
  static void ExpectGroup(const Rows& rows, std::size_t row, const Group& group,
                          const std::string& time) {
    ExpectSame(rows.Get(row, "kernel_count"), group.count(), "kernel_count");
    ExpectSame(rows.Get(row, time), group.ns(), time);
    ExpectSame(rows.Get(row, "flops"), group.flops(), "flops");
    ExpectSame(rows.Get(row, "occupancy"), group.Occupancy(), "occupancy");
    ExpectSame(rows.Get(row, "intensity_flops_per_byte"), group.Intensity(), "intensity");
    ExpectSame(rows.Get(row, "throughput_flops_per_s"), group.Throughput(), "throughput");
    ExpectSame(rows.Get(row, "roof_fraction"), group.RoofFraction(), "roof_fraction");
    ExpectSame(rows.Get(row, "known_time_share"), group.KnownShare(), "known_time_share");
    EXPECT_EQ(rows.Words(row, "bound"), group.Bound());
  }

  static constexpr int kPoints = 2;
  static constexpr int kLayers = 12;
  static constexpr int kKernels = 60;
  xsp::Result<store::Database> database_;
  std::mt19937 random_;
  std::vector<Analysis> analyses_;
  std::vector<Kernel> kernels_;
  std::map<int, double> latency_;
};

TEST_P(RandomExperiment, KernelsByNameAreTheirSums) {
  std::map<std::string, Group> groups;
  for (const Kernel& kernel : kernels_) {
    groups[fmt::format("{} k{} {}", kernel.point, kernel.name,
                       kTypes[static_cast<std::size_t>(kernel.type)].dtype)]
        .Add(kernel);
  }
  const Rows rows = Answer("A10");
  ASSERT_EQ(rows.size(), groups.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string key = fmt::format("{} {} {}", *rows.Get(row, "point_id"),
                                        rows.Words(row, "name"), rows.Words(row, "dtype"));
    SCOPED_TRACE(key);
    ASSERT_TRUE(groups.contains(key));
    ExpectGroup(rows, row, groups[key], "duration_ns");
  }
}

TEST_P(RandomExperiment, KernelsByLayerAreTheirSums) {
  std::map<std::pair<int, int>, Group> groups;  // -1: in no layer
  for (const Kernel& kernel : kernels_) {
    groups[{kernel.point, kernel.layer.value_or(-1)}].Add(kernel);
  }
  const Rows rows = Answer("A11");
  std::size_t with_kernels = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (*rows.Get(row, "kernel_count") == 0) continue;
    ++with_kernels;
    ExpectGroup(rows, row,
                groups.at({static_cast<int>(*rows.Get(row, "point_id")),
                           static_cast<int>(rows.Get(row, "layer_index").value_or(-1))}),
                "kernel_ns");
  }
  EXPECT_EQ(with_kernels, groups.size());
}

TEST_P(RandomExperiment, ModelsAreTheirSums) {
  std::map<int, Group> groups;
  for (const Kernel& kernel : kernels_) groups[kernel.point].Add(kernel);
  const Rows rows = Answer("A15");
  ASSERT_EQ(rows.size(), groups.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const int point = static_cast<int>(*rows.Get(row, "point_id"));
    ExpectGroup(rows, row, groups[point], "kernel_ns");
    ExpectSame(rows.Get(row, "peak_flops_per_s"), groups[point].Peak(), "peak");
    ExpectSame(rows.Get(row, "kernel_share"), groups[point].ns() / latency_[point], "share");
  }
}

TEST_P(RandomExperiment, RooflinesShowTheSameKernelsAndLayers) {
  std::size_t expected = 0;
  std::map<std::pair<int, int>, Group> layers;
  for (const Kernel& kernel : kernels_) {
    Group alone;
    alone.Add(kernel);
    expected += alone.Intensity().value_or(0) > 0 ? 1 : 0;
    if (kernel.layer) layers[{kernel.point, *kernel.layer}].Add(kernel);
  }
  EXPECT_EQ(Answer("A9").size(), expected);
  const Rows rows = Answer("A14");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Group& group = layers.at({static_cast<int>(*rows.Get(row, "point_id")),
                                    static_cast<int>(*rows.Get(row, "layer_index"))});
    ExpectSame(rows.Get(row, "intensity_flops_per_byte"), group.Intensity(), "intensity");
    ExpectSame(rows.Get(row, "peak_flops_per_s"), group.Peak(), "peak");
    ExpectSame(rows.Get(row, "roof_fraction"), group.RoofFraction(), "roof_fraction");
    EXPECT_EQ(rows.Words(row, "bound"), group.Bound());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomExperiment, testing::Values(1U, 2U, 3U));

}  // namespace
}  // namespace xsp::analyze
