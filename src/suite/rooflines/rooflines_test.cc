#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/suite_command_testing.h"

namespace xsp::suite::rooflines {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

double Number(const Table& table, std::size_t row, std::size_t column) {
  return std::get<double>(table.rows.rows.at(row).at(column));
}

TEST(RooflinesTest, TableIsPlacedUnderGivenRoofs) {
  const auto file = TextFile("work.csv",
                             "job,suite,flops,bytes,time_s\n"
                             "a,x,200,40,1\nb,x,500,50,1\nc,y,0,10,1\nd,y,5,,2\n");
  const auto answer =
      RunCommand(kSpec, {file, "--group", "suite", "--peak", "1000", "--bandwidth", "100"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const Table& table = answer.value().tables.at(0);
  EXPECT_DOUBLE_EQ(Number(table, 0, 2), 5);
  EXPECT_EQ(table.rows.rows.at(0).at(4), store::Cell(std::string("memory")));
  EXPECT_DOUBLE_EQ(Number(table, 0, 5), 0.4);
  EXPECT_EQ(table.rows.rows.at(1).at(4), store::Cell(std::string("compute")));
  EXPECT_EQ(table.rows.rows.at(3).at(2), store::Cell());
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("2 are bound by memory, 1 by compute")));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("no place in the picture: c, d")));
  const auto spec = nlohmann::json::parse(answer.value().charts.at(0).spec);
  // Two roofs, meeting at the ridge.
  const auto& lines = spec["layer"][0]["data"]["values"];
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["intensity"], 10);
  EXPECT_EQ(lines[1]["intensity_to"], 10);
  EXPECT_EQ(lines[0]["roof"], "given peak: 1 kFLOP/s");
  EXPECT_EQ(lines[1]["roof"], "given bandwidth: 100 B/s");
}

TEST(RooflinesTest, ChartNamesItsUnitsAndWhatItIsColouredBy) {
  const auto file = TextFile("work.csv",
                             "job,precision,flops,bytes,time_s\n"
                             "a,FP32,200,40,1\nb,FP16,500,50,1\n");
  const auto by_precision = RunCommand(kSpec, {file, "--group", "precision"});
  ASSERT_TRUE(by_precision.ok()) << by_precision.error().what;
  const auto grouped = nlohmann::json::parse(by_precision.value().charts.at(0).spec);
  const auto& points = grouped["layer"][1]["encoding"];
  EXPECT_EQ(points["color"]["title"], "precision");
  EXPECT_EQ(points["y"]["title"], "throughput (FLOP/s)");
  EXPECT_EQ(points["x"]["title"], "intensity (FLOP/byte)");
  EXPECT_EQ(by_precision.value().tables.at(0).columns.at(1).help,
            "What it is coloured by: precision");

  // One colour for all says nothing.
  const auto alike = RunCommand(kSpec, {file});
  ASSERT_TRUE(alike.ok()) << alike.error().what;
  const auto plain = nlohmann::json::parse(alike.value().charts.at(0).spec);
  EXPECT_FALSE(plain["layer"][1]["encoding"].contains("color"));
}

TEST(RooflinesTest, EveryNameOfTheChartIsOneThatTheLayerBesideItHas) {
  const auto file = TextFile("work.csv", "job,flops,bytes,time_s\na,200,40,1\nb,500,50,1\n");
  const auto answer = RunCommand(kSpec, {file, "--peak", "1000", "--bandwidth", "100"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto spec = nlohmann::json::parse(answer.value().charts.at(0).spec);
  std::set<std::string> layers;
  std::size_t names = 0;
  for (const auto& layer : spec["layer"]) {
    if (layer.contains("name")) layers.insert("of-" + layer["name"].get<std::string>());
    if (layer["mark"]["type"] != "text") continue;
    ++names;
    // Along its line, or in a free place that the page finds (web/src/chart_labels.ts).
    if (layer["mark"].contains("angle")) continue;
    EXPECT_EQ(layer["mark"]["style"][0], "beside");
    EXPECT_TRUE(layers.contains(layer["mark"]["style"][1].get<std::string>()));
  }
  EXPECT_EQ(names, 3U);
}

TEST(RooflinesTest, PublishedClassesHaveThePublishedIntensities) {
  const auto answer = RunCommand(
      kSpec, {"mlperf-v0.5", "--kind", "kernel_classes", "--bytes", "transactions_32b * 32",
              "--time", "time_ms / 1000", "--peak", "15.7e12", "--bandwidth", "900e9"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const Table& table = answer.value().tables.at(0);
  EXPECT_EQ(table.rows.rows.at(0).at(0), store::Cell(std::string("relu")));
  EXPECT_NEAR(Number(table, 0, 2), 1.27, 0.005);       // Table 7: FLOP/byte.
  EXPECT_NEAR(Number(table, 0, 3), 436.29e9, 0.01e9);  // Table 7: GFLOP/s.
}

TEST(RooflinesTest, TimeThatIsNotPositiveIsRefused) {
  const auto file = TextFile("work.csv", "job,flops,bytes,time_s\na,200,40,-1\n");
  const auto answer = RunCommand(kSpec, {file});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("a: 200 flop, 40 byte, -1 s"));
}

TEST(RooflinesTest, ColumnThatIsNotThereNamesThoseThatAre) {
  const auto file = TextFile("work.csv", "job,work,bytes,time_s\na,200,40,1\n");
  const auto answer = RunCommand(kSpec, {file});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().what,
              HasSubstr("work.csv has no column flops, which --flops asks for"));
  EXPECT_THAT(answer.error().what, ::testing::Not(HasSubstr("Binder")));
  EXPECT_THAT(answer.error().hint, HasSubstr("--flops, --bytes and --time"));
  EXPECT_THAT(answer.error().hint, HasSubstr("its columns: job, work, bytes, time_s"));
  // No data set: --kind would change nothing.
  EXPECT_THAT(answer.error().hint, ::testing::Not(HasSubstr("--kind")));
}

TEST(RooflinesTest, ExpressionThatFailsIsNamedInOneLine) {
  const auto file = TextFile("work.csv", "job,work,bytes,time_s\na,200,40,1\n");
  const auto answer = RunCommand(kSpec, {file, "--flops", "wrk * 2"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("--flops cannot be computed for"));
  EXPECT_THAT(answer.error().what, HasSubstr("wrk * 2"));
  EXPECT_THAT(answer.error().what, ::testing::Not(HasSubstr("\n")));
  const auto text = RunCommand(kSpec, {file, "--flops", "job"});
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(text.error().what, HasSubstr("--flops cannot be computed for"));
}

TEST(RooflinesTest, TrafficThatNothingKnowsIsNull) {
  const auto file = TextFile("work.csv", "job,flops,time_s\na,200,1\n");
  const auto answer = RunCommand(kSpec, {file, "--bytes", "NULL"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(2), store::Cell());
  EXPECT_THAT(answer.value().sentences,
              Contains("Of 1 workload 0 are bound by memory, 0 by compute; of 1 it is not known."));
}

TEST(RooflinesTest, DataSetWithoutWorkNamesItsOtherTablesAndUnknownOnesAreWrongUsage) {
  const auto answer = RunCommand(kSpec, {"mlperf-v0.5"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("mlperf-v0.5 has no column flops"));
  EXPECT_THAT(answer.error().hint, HasSubstr("--kind takes another table: "));
  EXPECT_THAT(answer.error().hint, HasSubstr("kernel_classes"));
  const auto unknown = RunCommand(kSpec, {"mlperf-v0.5", "--kind", "kernels"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(unknown.error().hint, HasSubstr("--kind takes one of: reference_minutes"));
}

TEST(RooflinesTest, EmptyStoreSaysWhatToDo) {
  const auto answer = RunCommand(kSpec, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().hint, HasSubstr("xsp run MODEL"));
}

}  // namespace
}  // namespace xsp::suite::rooflines
