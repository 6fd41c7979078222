// The formulas against the tables that Li et al. printed (XSP, IPDPS 2020: ResNet-50 v1.5 on a
// V100), fed in as experiment tables. The tables are not part of this source tree: without them
// these tests skip.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "answer/analyze/analysis.h"
#include "os/files.h"
#include "source_dir.h"
#include "store/schema.h"

namespace xsp::analyze {
namespace {

namespace fs = std::filesystem;

constexpr double kMebibyte = 1048576;  // DRAM traffic that the paper prints as "MB".

using Record = std::map<std::string, std::string>;

/// Fields of one CSV line; a field in quotes may hold commas.
std::vector<std::string> SplitCsv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

double NumberIn(const Record& record, const std::string& column) {
  std::string text = record.at(column);
  std::erase(text, ',');
  return std::strtod(text.c_str(), nullptr);
}

/// Analyses over an empty database that a test fills from a published table.
class PublishedTables : public testing::Test {
 protected:
  PublishedTables() : database_(store::Database::OpenEmpty()) {}

  void SetUp() override {
    folder_ = fs::path(XSP_SOURCE_DIR) / ".." / "shared" / "data" / "xsp-2020";
    if (!fs::is_directory(folder_)) {
      GTEST_SKIP() << "the published tables are not here: " << folder_.string();
    }
    auto loaded = LoadAnalyses({fs::path(XSP_SOURCE_DIR) / "analyses"});
    ASSERT_TRUE(loaded.ok()) << loaded.error().what;
    analyses_ = std::move(loaded).value();
  }

  std::vector<Record> Read(const std::string& name) {
    const auto text = os::ReadFile(folder_ / name);
    EXPECT_TRUE(text.ok());
    std::istringstream lines(text.value());
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> header = SplitCsv(line);
    std::vector<Record> records;
    while (std::getline(lines, line)) {
      const std::vector<std::string> fields = SplitCsv(line);
      Record record;
      for (std::size_t i = 0; i < header.size() && i < fields.size(); ++i) {
        record[header[i]] = fields[i];
      }
      records.push_back(std::move(record));
    }
    EXPECT_FALSE(records.empty()) << name;
    return records;
  }

  void Sql(const std::string& sql) {
    const auto done = database_.value().Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what << "\n" << sql;
  }
  void InsertPoint(int id, double batch, double latency_ms, const std::string& model = "resnet50") {
    Sql(
        fmt::format("INSERT INTO point (point_id, model, backend, device, precision, batch, "
                    "settings, latency_ns, status) VALUES ({}, '{}', 'tensorflow', 'cuda:0', "
                    "'float32', {}, '{{}}', {}, 'done')",
                    id, model, batch, latency_ms * 1e6));
  }
  void InsertV100() {
    Sql("INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES "
        "('flops', 'float32', 'float32', 'vector', 15.7e12, 'data_sheet', 'V100', true),"
        "('bandwidth', 'HBM2', NULL, NULL, 900e9, 'data_sheet', 'V100', true)");
  }
  void InsertKernel(int point, int index, const std::string& layer, const std::string& name,
                    double ms, double gflop, double read_bytes, double write_bytes,
                    double occupancy_percent) {
    Sql(
        fmt::format("INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, "
                    "unit, duration_ns, flops, read_bytes, write_bytes, occupancy, "
                    "flops_provenance, traffic_provenance, matched) VALUES ({}, {}, {}, '{}', "
                    "'kernel', 'float32', 'vector', {}, {}, {}, {}, {}, 'measured:cupti', "
                    "'measured:cupti', 'all')",
                    point, index, layer, name, ms * 1e6, gflop * 1e9, read_bytes, write_bytes,
                    occupancy_percent / 100));
  }
  void InsertLayer(int point, const std::string& index, double latency_ms, double allocated_bytes,
                   double kernel_ms) {
    Sql(
        fmt::format("INSERT INTO layer (point_id, layer_index, name, type, latency_ns, kernel_ns, "
                    "allocated_bytes, matched) VALUES ({}, {}, 'l{}', 'Conv2D', {}, {}, {}, 'all')",
                    point, index, index, latency_ms * 1e6, kernel_ms * 1e6, allocated_bytes));
  }

  /// The rows of analysis `id`, as text by column.
  std::vector<Record> Rows(const std::string& id) {
    const auto result = analyze::Run(*Find(analyses_, id), database_.value());
    EXPECT_TRUE(result.ok()) << result.error().what;
    std::vector<Record> rows;
    for (const auto& row : result.value().table.rows) {
      Record record;
      for (std::size_t i = 0; i < row.size(); ++i) {
        std::string& text = record[result.value().table.columns[i]];
        if (const auto* integer = std::get_if<std::int64_t>(&row[i])) {
          text = std::to_string(*integer);
        } else if (const auto* number = std::get_if<double>(&row[i])) {
          text = fmt::format("{:.17g}", *number);
        } else if (const auto* truth = std::get_if<bool>(&row[i])) {
          text = *truth ? "true" : "false";
        } else if (const auto* words = std::get_if<std::string>(&row[i])) {
          text = *words;
        }
      }
      rows.push_back(std::move(record));
    }
    return rows;
  }
  static const Record& RowOf(const std::vector<Record>& rows, const std::string& column,
                             const std::string& value) {
    for (const Record& row : rows) {
      if (row.at(column) == value) return row;
    }
    ADD_FAILURE() << "no row with " << column << " = " << value;
    return rows.at(0);
  }
  /// A printed number has the rounding of its own last digit and of the numbers that it came from.
  static void ExpectPrinted(double actual, double printed, double digit, double relative = 2e-3) {
    EXPECT_NEAR(actual, printed, digit / 2 + relative * printed);
  }
  void CheckIntensityAndThroughput(const Record& row, const Record& printed) {
    const double intensity = NumberIn(printed, "flops_per_byte");
    if (NumberIn(printed, "gflop") > 0) {
      ExpectPrinted(NumberIn(row, "intensity_flops_per_byte"), intensity, 0.01);
      ExpectPrinted(NumberIn(row, "throughput_flops_per_s") / 1e12, NumberIn(printed, "tflops"),
                    0.01);
    }
    EXPECT_EQ(row.at("bound"), intensity < 17.44 ? "memory" : "compute");
  }

  fs::path folder_;
  xsp::Result<store::Database> database_;
  std::vector<Analysis> analyses_;
};

TEST_F(PublishedTables, TableTwoIsLayerInformation) {
  InsertPoint(1, 256, 275.05);
  const auto printed = Read("table2_top_layers_b256.csv");
  for (const Record& row : printed) {
    InsertLayer(1, row.at("layer_index"), NumberIn(row, "latency_ms"),
                NumberIn(row, "alloc_MB") * 1e6, 0);
  }
  const auto rows = Rows("A2");
  ASSERT_EQ(rows.size(), printed.size());
  double before = -1;
  for (const Record& row : rows) {
    EXPECT_GT(NumberIn(row, "layer_index"), before);
    before = NumberIn(row, "layer_index");
    const Record& table = RowOf(printed, "layer_index", row.at("layer_index"));
    EXPECT_NEAR(NumberIn(row, "latency_share"), NumberIn(table, "latency_ms") / 275.05, 1e-9);
  }
  // The allocation of layer 208 is its output, 256 x 512 x 7 x 7 floats, in decimal MB.
  EXPECT_NEAR(NumberIn(RowOf(rows, "layer_index", "208"), "allocated_bytes"),
              256.0 * 512 * 7 * 7 * 4, 0.05e6);
  EXPECT_NEAR(NumberIn(Rows("A7").at(0), "allocated_bytes"), 950.6e6, 1);
}

TEST_F(PublishedTables, TableThreeIsKernelInformation) {
  InsertV100();
  InsertPoint(1, 256, 275.05);
  const auto printed = Read("table3_top_kernels_b256.csv");
  int index = 0;
  for (const Record& row : printed) {
    InsertKernel(1, index++, row.at("layer_index"), row.at("kernel"), NumberIn(row, "latency_ms"),
                 NumberIn(row, "gflop"), NumberIn(row, "dram_read_MiB") * kMebibyte,
                 NumberIn(row, "dram_write_MiB") * kMebibyte, NumberIn(row, "occupancy_pct"));
  }
  const auto rows = Rows("A8");
  ASSERT_EQ(rows.size(), printed.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].at("name"), printed[i].at("kernel"));  // The longest first, as printed.
    EXPECT_EQ(rows[i].at("layer_index"), printed[i].at("layer_index"));
    CheckIntensityAndThroughput(rows[i], printed[i]);
  }
  EXPECT_EQ(Rows("A9").size(), printed.size());
}

TEST_F(PublishedTables, TableFourIsKernelsByName) {
  InsertV100();
  InsertPoint(1, 256, 275.05);
  const auto printed = Read("table4_by_kernel_name_b256.csv");
  int index = 0;
  for (const Record& row : printed) {
    const int count = static_cast<int>(NumberIn(row, "count"));
    for (int i = 0; i < count; ++i) {
      InsertKernel(
          1, index++, "NULL", row.at("kernel"), NumberIn(row, "latency_ms") / count,
          NumberIn(row, "gflop") / count, NumberIn(row, "dram_read_MiB") * kMebibyte / count,
          NumberIn(row, "dram_write_MiB") * kMebibyte / count, NumberIn(row, "occupancy_pct"));
    }
  }
  const auto rows = Rows("A10");
  ASSERT_EQ(rows.size(), printed.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].at("name"), printed[i].at("kernel"));
    EXPECT_EQ(rows[i].at("kernel_count"), printed[i].at("count"));
    ExpectPrinted(NumberIn(rows[i], "latency_share") * 100,
                  NumberIn(printed[i], "pct_of_model_latency"), 0.01);
    ExpectPrinted(NumberIn(rows[i], "occupancy") * 100, NumberIn(printed[i], "occupancy_pct"),
                  0.01);
    CheckIntensityAndThroughput(rows[i], printed[i]);
  }
}

TEST_F(PublishedTables, TableFiveIsKernelsByLayer) {
  InsertV100();
  InsertPoint(1, 256, 275.05);
  const auto printed = Read("table5_by_layer_b256.csv");
  int index = 0;
  for (const Record& row : printed) {
    InsertLayer(1, row.at("layer_index"), NumberIn(row, "layer_latency_ms"), 0,
                NumberIn(row, "kernel_latency_ms"));
    InsertKernel(1, index++, row.at("layer_index"), "k", NumberIn(row, "kernel_latency_ms"),
                 NumberIn(row, "gflop"), NumberIn(row, "dram_read_MiB") * kMebibyte,
                 NumberIn(row, "dram_write_MiB") * kMebibyte, NumberIn(row, "occupancy_pct"));
  }
  const auto rows = Rows("A11");
  ASSERT_EQ(rows.size(), printed.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].at("layer_index"), printed[i].at("layer_index"));
    CheckIntensityAndThroughput(rows[i], printed[i]);
  }
  for (const Record& row : Rows("A14")) {
    CheckIntensityAndThroughput(row, RowOf(printed, "layer_index", row.at("layer_index")));
  }
}

TEST_F(PublishedTables, TableSixIsTheModelOverBatchSizes) {
  InsertV100();
  const auto printed = Read("table6_by_batch.csv");
  int id = 0;
  for (const Record& row : printed) {
    InsertPoint(++id, NumberIn(row, "batch"), NumberIn(row, "model_latency_ms"));
    InsertKernel(id, 0, "NULL", "all", NumberIn(row, "kernel_latency_ms"), NumberIn(row, "gflop"),
                 NumberIn(row, "dram_read_MiB") * kMebibyte,
                 NumberIn(row, "dram_write_MiB") * kMebibyte, NumberIn(row, "occupancy_pct"));
  }
  const auto rows = Rows("A15");
  ASSERT_EQ(rows.size(), printed.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ExpectPrinted(NumberIn(rows[i], "intensity_flops_per_byte"),
                  NumberIn(printed[i], "flops_per_byte_recomputed"), 0.01, 1e-4);
    const std::string& batch = rows[i].at("batch");
    EXPECT_EQ(rows[i].at("bound"), batch == "16" || batch == "32" ? "memory" : "compute") << batch;
  }
  // Table IX prints 6.85 TFLOP/s and 92.43 % for this model: over the kernel time, not the latency.
  ExpectPrinted(NumberIn(rows.back(), "throughput_flops_per_s") / 1e12, 6.85, 0.01);
  ExpectPrinted(NumberIn(rows.back(), "kernel_share") * 100, 92.43, 0.01);
  for (const Record& row : Rows("A1")) {
    EXPECT_EQ(row.at("optimal_5_percent"), row.at("batch") == "64" ? "true" : "false");
    EXPECT_EQ(row.at("optimal_max_throughput"), row.at("batch") == "256" ? "true" : "false");
  }
}

/// Tables VIII and IX: one experiment per model.
class PublishedModels : public PublishedTables {
 protected:
  void SetUp() override {
    PublishedTables::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    for (const store::TableSchema& table : store::Schema())
      if (!table.raw) Sql(fmt::format("ALTER TABLE {} ADD COLUMN experiment VARCHAR", table.name));
  }
  void NameExperiment(const std::string& name) {
    for (const char* table : {"point", "layer", "kernel"}) {
      Sql(fmt::format("UPDATE {} SET experiment = '{}' WHERE experiment IS NULL", table, name));
    }
  }
};

TEST_F(PublishedModels, TableEightIsModels) {
  const auto printed = Read("table8_models.csv");
  for (const Record& row : printed) {
    const double batch = NumberIn(row, "optimal_batch");
    const double latency_ms = batch == 1 ? NumberIn(row, "online_latency_ms")
                                         : batch / NumberIn(row, "max_throughput") * 1e3;
    if (batch > 1) InsertPoint(1, 1, NumberIn(row, "online_latency_ms"), row.at("name"));
    InsertPoint(2, batch, latency_ms, row.at("name"));
    Sql(fmt::format("UPDATE point SET model_bytes = {} WHERE experiment IS NULL",
                    NumberIn(row, "graph_MB") * 1e6));
    InsertLayer(2, "0", latency_ms * NumberIn(row, "conv_pct") / 100, 0, 0);
    NameExperiment(row.at("id"));
  }
  const auto rows = Rows("models");
  ASSERT_EQ(rows.size(), printed.size());
  for (const Record& table : printed) {
    const Record& row = RowOf(rows, "experiment", table.at("id"));
    EXPECT_EQ(row.at("model"), table.at("name"));
    EXPECT_EQ(row.at("optimal_batch"), table.at("optimal_batch")) << table.at("name");
    EXPECT_NEAR(NumberIn(row, "online_latency_ns"), NumberIn(table, "online_latency_ms") * 1e6, 1);
    ExpectPrinted(NumberIn(row, "highest_throughput_per_s"), NumberIn(table, "max_throughput"),
                  0.01);
    EXPECT_NEAR(NumberIn(row, "convolution_share") * 100, NumberIn(table, "conv_pct"), 1e-6);
    EXPECT_NEAR(NumberIn(row, "model_bytes"), NumberIn(table, "graph_MB") * 1e6, 1);
  }
}

TEST_F(PublishedModels, TableNineIsTheirDeviceSide) {
  const auto printed = Read("table9_models_gpu.csv");
  for (const Record& row : printed) {
    const double latency_ms = NumberIn(row, "batch_latency_ms");
    InsertPoint(1, 256, latency_ms);
    InsertKernel(1, 0, "NULL", "all", latency_ms * NumberIn(row, "gpu_latency_pct") / 100,
                 NumberIn(row, "gpu_gflops"), NumberIn(row, "dram_read_GB") * 1e9,
                 NumberIn(row, "dram_write_GB") * 1e9, NumberIn(row, "achieved_occupancy_pct"));
    NameExperiment(row.at("id"));
  }
  const auto rows = Rows("models");
  ASSERT_EQ(rows.size(), printed.size());
  for (const Record& table : printed) {
    const Record& row = RowOf(rows, "experiment", table.at("id"));
    SCOPED_TRACE("model " + table.at("id"));
    ExpectPrinted(NumberIn(row, "intensity_flops_per_byte"), NumberIn(table, "arith_intensity"),
                  0.01, 7e-3);
    ExpectPrinted(NumberIn(row, "throughput_flops_per_s") / 1e12,
                  NumberIn(table, "arith_tput_tflops"), 0.01, 3e-3);
    EXPECT_NEAR(NumberIn(row, "device_share") * 100, NumberIn(table, "gpu_latency_pct"), 1e-6);
    EXPECT_NEAR(NumberIn(row, "occupancy") * 100, NumberIn(table, "achieved_occupancy_pct"), 1e-6);
  }
}

// The paper prints only the letters: layers that lie as each model's letters say must give them
// back.
TEST_F(PublishedModels, TableNineEndsInStages) {
  const auto printed = Read("table9_models_gpu.csv");
  int id = 0;
  for (const Record& row : printed) {
    InsertPoint(++id, 256, NumberIn(row, "batch_latency_ms"));
    const std::string& letters = row.at("stages_lat_mem_flops_access");
    const auto weight = [&](int quantity, int layer) {
      return std::string_view("BBMMEE")[static_cast<std::size_t>(layer)] ==
                     letters[static_cast<std::size_t>(quantity)]
                 ? 3
                 : 2;
    };
    for (int layer = 0; layer < 6; ++layer) {
      Sql(fmt::format(
          "INSERT INTO layer (point_id, layer_index, name, type, latency_ns, "
          "allocated_bytes, flops, read_bytes, write_bytes, matched) VALUES "
          "({}, {}, 'l', 't', {}, {}, {}, {}, 1, 'all')",
          id, layer, weight(0, layer), weight(1, layer), weight(2, layer), weight(3, layer)));
    }
  }
  NameExperiment("all");
  std::map<std::string, std::string> letters;
  for (const Record& row : Rows("stages")) letters[row.at("point_id")] += row.at("stage");
  ASSERT_EQ(letters.size(), printed.size());
  for (std::size_t i = 0; i < printed.size(); ++i) {
    EXPECT_EQ(letters[std::to_string(i + 1)], printed[i].at("stages_lat_mem_flops_access"));
  }
}

}  // namespace
}  // namespace xsp::analyze
