#include <gmock/gmock.h>

#include <filesystem>
#include <initializer_list>

#include "answer/suite/suite_command_testing.h"
#include "source_dir.h"
#include "store/experiment_writer.h"
#include "store/rows/kernel_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"
#include "store/rows/system_usage_row.h"

namespace xsp::suite::vectors {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

using ::testing::ElementsAre;

/// A store of one test with two experiments: `one` with one point, `two` with two.
class Store {
 public:
  Store() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path = std::filesystem::path(::testing::TempDir()) / (std::string("store_") + test->name());
    std::filesystem::remove_all(path);
    Write("one", {Point(1, 8, 2e6)});
    Write("two", {Point(1, 1, 1e6), Point(2, 4, 3e6)});
  }
  ~Store() { std::filesystem::remove_all(path); }

  Result<Answer> Ask(const nlohmann::json& request) const {
    TestContext context(path);
    context.analyses = {std::filesystem::path(XSP_SOURCE_DIR) / "analyses"};
    return RunCommand(kSpec, request, context);
  }

  std::filesystem::path path;

 private:
  struct Point {
    Point(std::int64_t point_id, std::int64_t batch_size, double latency)
        : id(point_id), batch(batch_size), latency_ns(latency) {}
    std::int64_t id;
    std::int64_t batch;
    double latency_ns;
  };

  void Write(const std::string& name, std::initializer_list<Point> points) const {
    auto writer = store::ExperimentWriter::Create(path, name);
    ASSERT_TRUE(writer.ok()) << writer.error().what;
    std::vector<store::PointRow> point;
    std::vector<store::RunRow> run;
    std::vector<store::SystemUsageRow> usage;
    std::vector<store::KernelRow> kernel;
    for (const Point& p : points) {
      point.push_back({.point_id = p.id,
                       .model = "m",
                       .backend = "pytorch",
                       .device = "cpu",
                       .precision = "float32",
                       .batch = p.batch,
                       .settings = "{}",
                       .latency_ns = p.latency_ns,
                       .status = "done"});
      run.push_back({.run_id = p.id,
                     .point_id = p.id,
                     .rung = "model",
                     .status = "done",
                     .path = "no-such-run"});
      usage.push_back({.run_id = p.id,
                       .seconds = 1,
                       .samples = 10,
                       .cpu_pct = 10 * static_cast<double>(p.id),
                       .monitor_share = 0});
      for (std::int64_t k = 0; k < p.id; ++k)
        kernel.push_back({.point_id = p.id,
                          .kernel_index = k,
                          .name = "gemm",
                          .type = "primitive",
                          .duration_ns = 1000,
                          .flops = 5000,
                          .read_bytes = 100,
                          .write_bytes = 25,
                          .flops_provenance = "analytic",
                          .traffic_provenance = "analytic",
                          .matched = "all"});
    }
    const auto add = [&](const auto& rows) {
      const Status added = writer.value().AddRows(rows);
      EXPECT_TRUE(added.ok()) << added.error().what;
    };
    add(point);
    add(run);
    add(usage);
    add(kernel);
    const auto done = writer.value().Commit("{}");
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
};

std::vector<std::string> Labels(const Answer& answer) {
  std::vector<std::string> labels;
  for (const auto& row : answer.tables.at(0).rows.rows)
    labels.push_back(std::get<std::string>(row.at(0)));
  return labels;
}

/// The cell of `column` in a row of the first table.
store::Cell At(const Answer& answer, std::size_t row, const std::string& column) {
  const auto& table = answer.tables.at(0).rows;
  const auto place = std::ranges::find(table.columns, column) - table.columns.begin();
  return table.rows.at(row).at(static_cast<std::size_t>(place));
}

TEST(VectorsTest, WholeStoreIsOneRowAnExperimentWithUnitsAndProvenance) {
  const Store store;
  const auto answer = store.Ask({});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(Labels(answer.value()), ElementsAre("one", "two"));
  // Of `two` the point of batch 4.
  EXPECT_EQ(At(answer.value(), 1, "latency_ns"), store::Cell(3e6));
  EXPECT_EQ(At(answer.value(), 1, "cpu_pct"), store::Cell(20.0));
  EXPECT_EQ(At(answer.value(), 1, "kernel_count"), store::Cell(2.0));
  EXPECT_EQ(At(answer.value(), 1, "intensity_flops_per_byte"), store::Cell(40.0));
  EXPECT_EQ(At(answer.value(), 0, "gpu_pct_sum"), store::Cell());
  for (const auto& column : answer.value().tables.at(0).columns) {
    if (column.name == "flops_per_s") {
      EXPECT_EQ(column.unit, "flop/s");
      EXPECT_THAT(column.provenance, HasSubstr("analytic"));
    }
    if (column.name == "cpu_pct") {
      EXPECT_EQ(column.provenance, "measured:monitor");
    }
  }
}

TEST(VectorsTest, PointsAreToldApartAndCanBeChosenAndColoured) {
  const Store store;
  const auto answer = store.Ask({{"source", {"two"}},
                                 {"per", "point"},
                                 {"where", "batch > 1"},
                                 {"group", "backend"},
                                 {"metrics", {"latency_ns"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(Labels(answer.value()), ElementsAre("two m pytorch cpu float32 batch 4"));
  EXPECT_EQ(At(answer.value(), 0, "suite"), store::Cell(std::string("pytorch")));
}

TEST(VectorsTest, MetricOfSqlSeesTheExperimentOrThePoint) {
  const Store store;
  const std::string metric = "work[flop]=sum(flops) FROM kernel";
  const auto experiment =
      store.Ask({{"source", {"two"}}, {"metric", {metric, "points=count(*) FROM point"}}});
  ASSERT_TRUE(experiment.ok()) << experiment.error().what;
  EXPECT_EQ(At(experiment.value(), 0, "work"), store::Cell(15000.0));
  EXPECT_EQ(At(experiment.value(), 0, "points"), store::Cell(2.0));
  EXPECT_EQ(experiment.value().tables.at(0).columns.back().provenance, "reported:query");
  const auto point = store.Ask({{"source", {"two"}}, {"per", "point"}, {"metric", {metric}}});
  ASSERT_TRUE(point.ok()) << point.error().what;
  EXPECT_EQ(At(point.value(), 0, "work"), store::Cell(5000.0));
  EXPECT_EQ(At(point.value(), 1, "work"), store::Cell(10000.0));
  const auto whole =
      store.Ask({{"metric", {"w=WITH k AS (SELECT * FROM kernel) SELECT count(*) FROM k"}}});
  ASSERT_TRUE(whole.ok()) << whole.error().what;
  EXPECT_EQ(At(whole.value(), 0, "w"), store::Cell(1.0));
}

TEST(VectorsTest, MetricThatIsNoNumberIsRefused) {
  const Store store;
  const auto refused = [&store](const std::string& metric, const char* expected) {
    const auto answer = store.Ask({{"source", {"two"}}, {"metric", {metric}}});
    ASSERT_FALSE(answer.ok()) << metric;
    EXPECT_THAT(answer.error().what, HasSubstr(expected));
  };
  refused("w=flops FROM kernel", "metric w is not one value: 3 rows of 1 column");
  refused("w='x'", "metric w is text");
  refused("w=flops FROM nothing", "metric w: ");
  refused("no sql", "not NAME=SQL");
  refused("batch=1", "cannot have this name");
  refused("cpu_pct=1", "cannot have this name");
  // SQL does not tell capitals apart.
  refused("Batch=7", "cannot have this name");
  refused("CPU_pct=1", "cannot have this name");
  const auto of_table = store.Ask({{"source", {"mlperf-v0.5"}}, {"metric", {"w=1"}}});
  ASSERT_FALSE(of_table.ok());
  EXPECT_EQ(of_table.error().kind, ErrorKind::kUsage);
}

TEST(VectorsTest, TwoMetricsOfOneNameAreRefused) {
  const Store store;
  for (const char* second : {"w=2", "W=2"}) {
    const auto answer = store.Ask({{"source", {"two"}}, {"metric", {"w=1", second}}});
    ASSERT_FALSE(answer.ok()) << second;
    EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(answer.error().what, HasSubstr("two metrics have the same name"));
  }
}

TEST(VectorsTest, HintForAMetricCanBePasted) {
  const auto answer = RunCommand(kSpec, {{"metric", {"no sql"}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().hint,
            "--metric \"convolutions=count(*) FROM layer WHERE type ILIKE '%conv%'\"");
}

TEST(VectorsTest, SeveralLabelsNameAWorkload) {
  const auto file = TextFile("times.csv", "job,width,gpu,cpu\na,1,5,6\na,2,7,8\n");
  const auto answer = RunCommand(
      kSpec, {{"source", {file}}, {"label", {"job", "width"}}, {"metrics", {"gpu", "cpu"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(Labels(answer.value()), ElementsAre("a-1", "a-2"));
  EXPECT_THAT(answer.value().tables.at(0).rows.columns, ElementsAre("workload", "gpu", "cpu"));
}

TEST(VectorsTest, UnitThatIsTakenFromAnotherSourceIsSaid) {
  const auto file = TextFile("v4.csv", "job,cpu_pct,pcie_mbps\nx,5,7\n");
  const auto said = Contains(file + " states no unit for cpu_pct, pcie_mbps; taken as %, Mbit/s.");
  for (const bool file_first : {false, true}) {
    const std::vector<std::string> sources = {file_first ? file : "mlperf-v0.5",
                                              file_first ? "mlperf-v0.5" : file};
    const auto answer =
        RunCommand(kSpec, {{"source", sources}, {"metrics", {"cpu_pct", "pcie_mbps"}}});
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    EXPECT_THAT(answer.value().method, said);
    EXPECT_EQ(answer.value().tables.at(0).columns.back().unit, "Mbit/s");
  }
  const auto alone = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(alone.ok()) << alone.error().what;
  EXPECT_THAT(alone.value().method, Contains(HasSubstr("states no unit")).Times(0));
}

TEST(VectorsTest, FilesOfOneNameAreSuitesByTheirPaths) {
  const std::string folder = TextFile("suites", "") + "_folder";
  const auto file = [&folder](const char* below, const char* name, const char* text) {
    std::filesystem::create_directories(folder + below);
    std::ofstream(folder + below + name) << text;
    return folder + below + name;
  };
  const std::string x = file("/1", "/x.csv", "job,m\na,1\n");
  const std::string y = file("/2", "/y.csv", "job,m\nb,2\n");
  const std::string other_y = file("/3", "/y.csv", "job,m\nc,3\n");
  const auto answer = RunCommand(kSpec, {{"source", {x, y, other_y}}});
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(At(answer.value(), 0, "suite"), store::Cell(std::string("x.csv")));
  EXPECT_EQ(At(answer.value(), 1, "suite"), store::Cell(y));
  EXPECT_EQ(At(answer.value(), 2, "suite"), store::Cell(other_y));
  // Each provenance once.
  EXPECT_EQ(answer.value().tables.at(0).columns.back().provenance, "reported:x.csv+reported:y.csv");
}

TEST(VectorsTest, ColumnMayBeCalledInputRow) {
  const auto file = TextFile("rows.csv", "job,input_row\na,10\nb,20\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}, {"where", "input_row > 10"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(Labels(answer.value()), ElementsAre("b"));
}

TEST(VectorsTest, ExperimentsBesideATableShareMetricsAndLackTheOthers) {
  const Store store;
  const auto answer = store.Ask(
      {{"source", {"mlperf-v0.5", "one"}}, {"metrics", {"cpu_pct", "pcie_mbps", "latency_ns"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Labels(answer.value()).size(), 30U);
  EXPECT_EQ(At(answer.value(), 29, "cpu_pct"), store::Cell(10.0));
  EXPECT_EQ(At(answer.value(), 29, "suite"), store::Cell(std::string("Experiments")));
  EXPECT_EQ(At(answer.value(), 0, "latency_ns"), store::Cell());
  const auto complete = store.Ask({{"source", {"mlperf-v0.5", "one"}},
                                   {"metrics", {"cpu_pct", "pcie_mbps", "latency_ns"}},
                                   {"missing", "metrics"}});
  ASSERT_TRUE(complete.ok()) << complete.error().what;
  EXPECT_EQ(complete.value().tables.at(0).columns.size(), 3U);
}

TEST(VectorsTest, UnitsThatDifferBetweenSourcesAreRefused) {
  const Store store;
  const std::string folder = TextFile("suite", "") + "_folder";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/suite.yaml")
      << "name: s\ntables:\n  - kind: vectors\n    file: v.csv\n    columns:\n"
         "      job: {help: j}\n      cpu_pct: {unit: cores, help: c}\n";
  std::ofstream(folder + "/v.csv") << "job,cpu_pct\na,1\n";
  const auto answer = store.Ask({{"source", {folder, "one"}}});
  std::filesystem::remove_all(folder);
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().what, HasSubstr("cpu_pct in different units: cores and %"));
}

TEST(VectorsTest, EmptyStoreSaysHowToFillIt) {
  const auto answer = RunCommand(kSpec, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().hint, HasSubstr("xsp run MODEL"));
}

TEST(VectorsTest, TableOfAFileIsShownWithWhatItLacks) {
  const auto file = TextFile("vectors.csv", "job,gpu,cpu\na,1,2\nb,,4\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const Table& table = answer.value().tables.at(0);
  EXPECT_THAT(table.rows.columns, ::testing::ElementsAre("workload", "gpu", "cpu"));
  EXPECT_EQ(table.rows.rows.at(1).at(1), store::Cell());
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("2 workloads, 2 metrics; 1 of 4 values is missing.")));
}

TEST(VectorsTest, PublishedTableHasUnitsAndItsSource) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}, {"metrics", {"pcie_mbps"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const Table& table = answer.value().tables.at(0);
  EXPECT_EQ(table.rows.rows.size(), 29U);
  EXPECT_EQ(table.rows.rows.at(1).at(0), store::Cell(std::string("Res50_TF-2")));
  EXPECT_EQ(table.columns.at(2).unit, "Mbit/s");
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("table 6")));
}

TEST(VectorsTest, TwoWorkloadsOfOneNameAreRefused) {
  const auto file = TextFile("twice.csv", "job,gpu\na,1\na,2\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("the same label: a"));
}

TEST(VectorsTest, DevicesAndPipesAreNoTables) {
  const auto answer = RunCommand(kSpec, {{"source", {"/dev/null"}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("must be a plain file: /dev/null"));
  EXPECT_THAT(answer.error().hint, HasSubstr("to a file first"));
}

TEST(VectorsTest, UnknownSourceNamesThoseThereAre) {
  const auto answer = RunCommand(kSpec, {{"source", {"no-such-suite"}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().hint, HasSubstr("mlperf-v0.5"));
}

}  // namespace
}  // namespace xsp::suite::vectors
