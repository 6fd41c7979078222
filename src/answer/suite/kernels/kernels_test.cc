#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "os/paths.h"
#include "store/table_file.h"

namespace xsp::suite::kernels {

extern const SuiteSpec kSpec;

namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

double Number(const store::Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return std::nan("");
}

std::string Text(const store::Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr ? *text : std::string();
}

/// Rows of a table by the text of one or two columns, each a map from column to cell.
using Rows = std::map<std::string, std::map<std::string, store::Cell>>;

Rows By(const store::Table& table, const std::string& key, const std::string& second = "") {
  Rows rows;
  for (const auto& cells : table.rows) {
    std::map<std::string, store::Cell> row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.columns[i]] = cells[i];
    rows[Text(row[key]) + (second.empty() ? "" : "/" + Text(row[second]))] = row;
  }
  return rows;
}

const store::Table& TableOf(const Answer& answer, const std::string& id) {
  for (const Table& table : answer.tables)
    if (table.id == id) return table.rows;
  ADD_FAILURE() << "no table " << id;
  static const store::Table none;
  return none;
}

Answer Published() {
  auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}});
  EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().what);
  return answer.ok() ? std::move(answer).value() : Answer{};
}

TEST(KernelsCommandTest, ArithmeticOfTableSevenIsReproducedRowByRow) {
  const Answer answer = Published();
  Rows rows = By(TableOf(answer, "classes"), "class");
  const auto printed =
      store::ReadTableFile(os::DataRoot() / "suites/mlperf-v0.5/kernel_classes.csv");
  ASSERT_TRUE(printed.ok());
  double time = 0;
  double calls = 0;
  double unique = 0;
  double percent = 0;
  for (auto& [name, row] : By(printed.value(), "class")) {
    ASSERT_TRUE(rows.contains(name)) << name;
    EXPECT_NEAR(Number(rows[name]["time_percent"]), Number(row["printed_time_percent"]), 0.005001)
        << name;
    for (const char* column : {"time_ms", "calls", "unique_kernels", "flops", "transactions_32b"})
      EXPECT_DOUBLE_EQ(Number(rows[name][column]), Number(row[column])) << name << " " << column;
    EXPECT_NEAR(Number(rows[name]["flops_per_byte"]), Number(row["printed_flops_per_byte"]),
                0.005001)
        << name;
    // The printed time has two decimals, which a class of 0.17 ms feels.
    const double step =
        0.005001 + Number(row["printed_gflops_per_s"]) * 0.005 / Number(row["time_ms"]);
    EXPECT_NEAR(Number(rows[name]["gflops_per_s"]), Number(row["printed_gflops_per_s"]), step)
        << name;
    time += Number(rows[name]["time_ms"]);
    calls += Number(rows[name]["calls"]);
    unique += Number(rows[name]["unique_kernels"]);
    percent += Number(rows[name]["time_percent"]);
  }
  EXPECT_NEAR(time, 92896.8, 0.05);
  EXPECT_NEAR(percent, 88.56, 0.005);
  EXPECT_EQ(calls, 1653884);
  EXPECT_EQ(unique, 739);
  EXPECT_THAT(answer.sentences, Contains(HasSubstr("88.56 %")));
}

TEST(KernelsCommandTest, ClassedSharesOfTableEightAreReproduced) {
  const Answer answer = Published();
  Rows workloads = By(TableOf(answer, "workloads"), "workload");
  const std::map<std::string, double> expected = {
      {"Res50_TF", 85.40}, {"Res50_MX", 84.78}, {"XFMR_Py", 90.99}, {"GNMT_Py", 79.31},
      {"SSD_Py", 95.49},   {"MRCNN_Py", 86.49}, {"NCF_Py", 85.98}};
  double calls = 0;
  for (const auto& [workload, percent] : expected) {
    EXPECT_NEAR(Number(workloads[workload]["classed_percent"]), percent, 0.005) << workload;
    calls += Number(workloads[workload]["calls"]);
  }
  EXPECT_EQ(workloads.size(), expected.size());
  EXPECT_EQ(calls, 1653884);
}

TEST(KernelsCommandTest, TablesEightAndNineAreInTheAnswerCellByCell) {
  const Answer answer = Published();
  Rows pairs = By(TableOf(answer, "by_workload"), "class", "workload");
  const fs::path folder = os::DataRoot() / "suites/mlperf-v0.5";
  const auto eight = store::ReadTableFile(folder / "kernel_classes_by_workload.csv");
  const auto nine = store::ReadTableFile(folder / "unique_kernels.csv");
  ASSERT_TRUE(eight.ok() && nine.ok());
  for (auto& [key, row] : By(eight.value(), "class", "workload")) {
    EXPECT_DOUBLE_EQ(Number(pairs[key]["time_percent"]), Number(row["time_percent"])) << key;
    EXPECT_EQ(Number(pairs[key]["calls"]), Number(row["calls"])) << key;
  }
  for (auto& [key, row] : By(nine.value(), "class", "workload"))
    if (Text(row["workload"]) != "all") {
      EXPECT_EQ(Number(pairs[key]["unique_kernels"]), Number(row["unique_kernels"])) << key;
    }
  Rows only = By(TableOf(answer, "only_in_one"), "class");
  EXPECT_EQ(Text(only["fusion"]["workload"]), "Res50_TF");
  EXPECT_EQ(only.count("relu"), 0U);
}

/// A printed table beside the checkout.
fs::path Printed(const char* name) {
  const char* given = std::getenv("XSP_REFERENCE_DATA");
  return (given != nullptr ? fs::path(given) : os::DataRoot() / "../shared/data") / "mlperf-v0.5" /
         name;
}

/// The number of `pair` in `column`; pairs that are not in the answer are printed as zero.
double OrZero(Rows& pairs, const std::string& pair, const char* column) {
  if (!pairs.contains(pair)) return 0;
  const double number = Number(pairs[pair][column]);
  return std::isnan(number) ? 0 : number;
}

TEST(KernelsCommandTest, TableEightIsThePublishedOneCellByCell) {
  const fs::path file = Printed("table8_kernel_classes_by_benchmark.csv");
  if (!fs::exists(file)) GTEST_SKIP() << "no reference data: " << file;
  const auto printed = store::ReadTableFile(file);
  ASSERT_TRUE(printed.ok()) << printed.error().what;
  const store::Table& table = printed.value();
  ASSERT_EQ(table.columns.size(), 15U);  // The class, then share and calls of seven workloads.
  const Answer answer = Published();
  Rows pairs = By(TableOf(answer, "by_workload"), "class", "workload");
  std::size_t above_zero = 0;
  for (const auto& row : table.rows) {
    for (std::size_t c = 1; c < row.size(); ++c) {
      const bool is_share = table.columns[c].ends_with("_time_pct");
      const std::string workload =
          table.columns[c].substr(0, table.columns[c].rfind(is_share ? "_time_pct" : "_calls"));
      const std::string pair = Text(row[0]) + "/" + workload;
      EXPECT_DOUBLE_EQ(OrZero(pairs, pair, is_share ? "time_percent" : "calls"), Number(row[c]))
          << pair << " " << table.columns[c];
      above_zero += !is_share && Number(row[c]) > 0 ? 1 : 0;
    }
  }
  // And nothing is there that was not printed.
  std::size_t called = 0;
  for (auto& [pair, row] : pairs) called += OrZero(pairs, pair, "calls") > 0 ? 1 : 0;
  EXPECT_EQ(called, above_zero);
}

TEST(KernelsCommandTest, TableNineIsThePublishedOneCellByCell) {
  const fs::path file = Printed("table9_unique_kernels.csv");
  if (!fs::exists(file)) GTEST_SKIP() << "no reference data: " << file;
  const auto printed = store::ReadTableFile(file);
  ASSERT_TRUE(printed.ok()) << printed.error().what;
  const store::Table& table = printed.value();
  ASSERT_EQ(table.columns.size(), 9U);  // The class, all workloads, then each of seven.
  const Answer answer = Published();
  Rows classes = By(TableOf(answer, "classes"), "class");
  Rows pairs = By(TableOf(answer, "by_workload"), "class", "workload");
  std::size_t above_zero = 0;
  for (const auto& row : table.rows) {
    const std::string name = Text(row[0]);
    // "Pointwise__exp_Float_" here is "Pointwise_exp_Float_" in table 7, which names the classes.
    std::string in_table_seven = name;
    if (const auto at = name.find("__"); at != std::string::npos) in_table_seven.erase(at, 1);
    EXPECT_EQ(Number(classes[in_table_seven]["unique_kernels"]), Number(row[1])) << name;
    for (std::size_t c = 2; c < row.size(); ++c) {
      EXPECT_EQ(OrZero(pairs, name + "/" + table.columns[c], "unique_kernels"), Number(row[c]))
          << name << " " << table.columns[c];
      above_zero += Number(row[c]) > 0 ? 1 : 0;
    }
  }
  std::size_t named = 0;
  for (auto& [pair, row] : pairs) named += OrZero(pairs, pair, "unique_kernels") > 0 ? 1 : 0;
  EXPECT_EQ(named, above_zero);
}

TEST(KernelsCommandTest, ShippedTablesAreThePublishedOnes) {
  const fs::path file = Printed("table7_kernel_classes.csv");
  if (!fs::exists(file)) GTEST_SKIP() << "no reference data: " << file;
  const auto printed = store::ReadTableFile(file);
  ASSERT_TRUE(printed.ok());
  const Answer answer = Published();
  Rows rows = By(TableOf(answer, "classes"), "class");
  double accumulated = 0;
  for (const auto& cells : printed.value().rows) {
    const std::string name = Text(cells.at(0));
    EXPECT_NEAR(Number(rows[name]["time_percent"]), Number(cells.at(1)), 0.005001) << name;
    EXPECT_DOUBLE_EQ(Number(rows[name]["time_ms"]), Number(cells.at(3))) << name;
    EXPECT_EQ(Number(rows[name]["calls"]), Number(cells.at(4))) << name;
    EXPECT_EQ(Number(rows[name]["unique_kernels"]), Number(cells.at(5))) << name;
    EXPECT_EQ(Number(rows[name]["flops"]), Number(cells.at(6))) << name;
    EXPECT_EQ(Number(rows[name]["transactions_32b"]), Number(cells.at(7))) << name;
    EXPECT_NEAR(Number(rows[name]["flops_per_byte"]), Number(cells.at(8)), 0.005001) << name;
    // In the paper's order, its accumulated share.
    accumulated += Number(rows[name]["time_percent"]);
    EXPECT_NEAR(accumulated, Number(cells.at(2)), 0.0101) << name;
  }
}

TEST(KernelsCommandTest, SampleKernelsGetTheirClasses) {
  const fs::path file = os::DataRoot() / "src/answer/suite/kernels/sample/kernels.csv";
  const auto sample = store::ReadTableFile(file);
  ASSERT_TRUE(sample.ok()) << sample.error().what;
  const auto answer = RunCommand(kSpec, {{"source", {file.string()}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  Rows pairs = By(TableOf(answer.value(), "by_workload"), "class", "workload");
  for (auto& [name, row] : By(sample.value(), "name")) {
    const std::string key = Text(row["class"]) + "/" + Text(row["workload"]);
    ASSERT_TRUE(pairs.contains(key)) << name << " should be of " << key;
    EXPECT_EQ(Text(pairs[key]["kind"]), Text(row["kind"])) << name;
  }
  const store::Table& unknown = TableOf(answer.value(), "not_classed");
  ASSERT_EQ(unknown.rows.size(), 1U);
  EXPECT_EQ(Text(unknown.rows[0][2]), "qqq_never_heard_of");
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("No rule classifies 1 kernel with")));
  ASSERT_EQ(answer.value().charts.size(), 2U);
  for (const Chart& chart : answer.value().charts) {
    const auto spec = core::ParseJson(chart.spec);
    // Room for every name, and a kind of work in one colour in both pictures.
    EXPECT_TRUE(spec["height"].contains("step")) << chart.id;
    EXPECT_EQ(spec["encoding"]["color"],
              core::ParseJson(answer.value().charts[0].spec)["encoding"]["color"]);
    // The hues go to the kinds of the most time.
    const auto& kinds = spec["encoding"]["color"]["scale"]["domain"];
    EXPECT_EQ(kinds[0], Text(TableOf(answer.value(), "kinds").rows.at(0).at(0)));
  }
}

TEST(KernelsCommandTest, WhereEveryKernelIsClassedNoWorkloadIsSaidToHaveTheLeast) {
  const auto file = TextFile("all.csv",
                             "name,time_ms,workload\n"
                             "volta_sgemm_128x64_nn,2,a\nvolta_sgemm_128x64_nt,1,b\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              Contains("Rules classify every kernel of all 2 workloads."));
}

TEST(KernelsCommandTest, ShareThatIsPrintedAsAHundredIsNotEveryKernel) {
  const auto file = TextFile("nearly.csv",
                             "name,time_ms,workload\n"
                             "volta_sgemm_128x64_nn,2,a\nvolta_sgemm_128x64_nt,1000000,b\n"
                             "qqq_never_heard_of,1,b\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              Contains("Rules class at least 99.99 % of each workload's time."));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("No rule classifies 1 kernel")));
  EXPECT_THAT(answer.value().sentences, Not(Contains(HasSubstr("every kernel"))));
}

TEST(KernelsCommandTest, SentencesBeginWithWhatTakesTheTimeInUnitsThatFit) {
  const auto file = TextFile("tiny.csv",
                             "name,time_ns,calls\nvolta_sgemm_128x64_nn,5254,3\n"
                             "volta_sgemm_32x32_nn,12,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(
      answer.value().sentences,
      ElementsAre(
          "Most time is in MM_128x64: 5.25 \u00b5s, 99.77 % of all kernel time.",
          "2 classes take 5.27 \u00b5s, 100.00 % of all kernel time; they have 4 calls of 2 "
          "different kernels."));
}

TEST(KernelsCommandTest, WhereNoKernelIsClassedASentenceSaysSo) {
  const auto file = TextFile("none.csv", "name,time_ms\nqqq_never,2\nzzz_heard,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ASSERT_FALSE(answer.value().sentences.empty());
  EXPECT_EQ(answer.value().sentences[0],
            "No kernel is of a known class: 3 ms in 2 calls of 2 different kernels.");
}

TEST(KernelsCommandTest, CallsThatATableOfClassesDoesNotSayAreNotInvented) {
  const auto file = TextFile("classes.csv", "class,time_ms\nMM_8x8,3\nReduce,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              ElementsAre("Most time is in MM_8x8: 3 ms, 75.00 % of all kernel time.",
                          "2 classes take 4 ms, 100.00 % of all kernel time."));
  Rows rows = By(TableOf(answer.value(), "classes"), "class");
  EXPECT_TRUE(std::isnan(Number(rows["Reduce"]["calls"])));
  EXPECT_TRUE(std::isnan(Number(rows["Reduce"]["unique_kernels"])));
}

TEST(KernelsCommandTest, KernelWithoutANameIsCalledSo) {
  const auto file = TextFile("noname.csv", "name,time_ms\n,5\nvolta_sgemm_32x32_nn,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("the longest: (no name).")));
}

TEST(KernelsCommandTest, KindsInManyWorkloadsTakeTimeInProportion) {
  std::string text = "class,workload,time_percent,calls\n";
  for (int i = 0; i < 20000; ++i) text += "MM_8x8,w" + std::to_string(i) + ",50,1\n";
  const auto answer = RunCommand(kSpec, {{"source", {TextFile("many.csv", text)}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(TableOf(answer.value(), "kinds_by_workload").rows.size(), 40000U);  // With the rest.
}

TEST(KernelsCommandTest, TimesThatAreNotKnownAreCounted) {
  const auto file = TextFile("gaps.csv", "name,time_ms\na,inf\nb,\nc,2\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("2 of 3 rows have no time")));
}

TEST(KernelsCommandTest, UnusableInputSaysWhy) {
  const auto why = [](const nlohmann::json& request) {
    const auto answer = RunCommand(kSpec, request);
    return answer.ok() ? std::string("fine") : answer.error().what;
  };
  EXPECT_THAT(why({{"source", {TextFile("a.csv", "job,gpu\na,1\n")}}}),
              HasSubstr("neither kernels nor classes"));
  EXPECT_THAT(why({{"source", {TextFile("b.csv", "name,time_ms\na,-1\n")}}}),
              HasSubstr("negative"));
  EXPECT_THAT(why({{"source", {TextFile("inf.csv", "name,time_ms\na,inf\nb,nan\nc,0\n")}}}),
              HasSubstr("no row has a time above zero"));
  EXPECT_THAT(why({{"source", {TextFile("text.csv", "name,time_ms\na,abc\n")}}}),
              HasSubstr("no number in column time_ms, row 1: abc"));
  EXPECT_THAT(why({{"source", {TextFile("flops.csv", "name,time_ms,flops\na,1,-5\n")}}}),
              HasSubstr("a negative flops in row 1: -5"));
  const auto one = TextFile("one.csv", "class,time_ms,time_percent\nA,9,90\n");
  const auto two = TextFile("two.csv", "class,time_ms,time_percent\nA,9,90\n");
  EXPECT_THAT(why({{"source", {one, two}}}), HasSubstr("two.csv: classes of all kernels are in"));
  EXPECT_THAT(why({{"source", {TextFile("c.csv", "name,calls\na,1\n")}}}),
              HasSubstr("no column of times"));
  EXPECT_THAT(why({{"source", {"mlperf-v0.5", TextFile("d.csv", "name,time_ms\na,1\n")}}}),
              HasSubstr("cannot be joined"));
  EXPECT_THAT(why({{"source", {"mlperf-v0.5"}}, {"rules", "no-such-rules"}}),
              HasSubstr("no such rule file"));
  EXPECT_THAT(why({{"source", {"no-such-source"}}}), HasSubstr("no-such-source"));
  EXPECT_THAT(why({}), HasSubstr("no experiment"));
}

}  // namespace
}  // namespace xsp::suite::kernels
