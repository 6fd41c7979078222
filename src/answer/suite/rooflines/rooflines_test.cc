#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/nullable.h"
#include "store/rows/roof_row.h"
#include "store/store_testing.h"

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
  const auto answer = RunCommand(
      kSpec, {{"source", {file}}, {"group", "suite"}, {"peak", 1000}, {"bandwidth", 100}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const Table& table = answer.value().tables.at(0);
  EXPECT_DOUBLE_EQ(Number(table, 0, 2), 5);
  EXPECT_EQ(table.rows.rows.at(0).at(4), store::Cell(std::string("memory")));
  EXPECT_DOUBLE_EQ(Number(table, 0, 5), 0.4);
  EXPECT_EQ(table.rows.rows.at(1).at(4), store::Cell(std::string("compute")));
  EXPECT_EQ(table.rows.rows.at(3).at(2), store::Cell());
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("2 are bound by memory, 1 by compute")));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("are not in the chart: c, d")));
  const auto spec = core::ParseJson(answer.value().charts.at(0).spec);
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
  const auto by_precision = RunCommand(kSpec, {{"source", {file}}, {"group", "precision"}});
  ASSERT_TRUE(by_precision.ok()) << by_precision.error().what;
  const auto grouped = core::ParseJson(by_precision.value().charts.at(0).spec);
  const auto& points = grouped["layer"][1]["encoding"];
  EXPECT_EQ(points["color"]["title"], "precision");
  EXPECT_EQ(points["y"]["title"], "throughput (FLOP/s)");
  EXPECT_EQ(points["x"]["title"], "intensity (FLOP/byte)");
  EXPECT_EQ(by_precision.value().tables.at(0).columns.at(1).help,
            "What it is coloured by: precision");

  // One colour for all says nothing.
  const auto alike = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(alike.ok()) << alike.error().what;
  const auto plain = core::ParseJson(alike.value().charts.at(0).spec);
  EXPECT_FALSE(plain["layer"][1]["encoding"].contains("color"));
}

TEST(RooflinesTest, EveryNameOfTheChartIsOneThatTheLayerBesideItHas) {
  const auto file = TextFile("work.csv", "job,flops,bytes,time_s\na,200,40,1\nb,500,50,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}, {"peak", 1000}, {"bandwidth", 100}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto spec = core::ParseJson(answer.value().charts.at(0).spec);
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
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}},
                                         {"kind", "kernel_classes"},
                                         {"bytes", "transactions_32b * 32"},
                                         {"time", "time_ms / 1000"},
                                         {"peak", 15.7e12},
                                         {"bandwidth", 900e9}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const Table& table = answer.value().tables.at(0);
  EXPECT_EQ(table.rows.rows.at(0).at(0), store::Cell(std::string("relu")));
  EXPECT_NEAR(Number(table, 0, 2), 1.27, 0.005);       // Table 7: FLOP/byte.
  EXPECT_NEAR(Number(table, 0, 3), 436.29e9, 0.01e9);  // Table 7: GFLOP/s.
}

TEST(RooflinesTest, TimeThatIsNotPositiveIsRefused) {
  const auto file = TextFile("work.csv", "job,flops,bytes,time_s\na,200,40,-1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("a: 200 flop, 40 byte, -1 s"));
}

TEST(RooflinesTest, ColumnThatIsNotThereNamesThoseThatAre) {
  const auto file = TextFile("work.csv", "job,work,bytes,time_s\na,200,40,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().what, HasSubstr("work.csv has no column flops, which --flops needs"));
  EXPECT_THAT(answer.error().what, ::testing::Not(HasSubstr("Binder")));
  EXPECT_THAT(answer.error().hint, HasSubstr("--flops, --bytes and --time"));
  EXPECT_THAT(answer.error().hint, HasSubstr("its columns: job, work, bytes, time_s"));
  // No data set: --kind would change nothing.
  EXPECT_THAT(answer.error().hint, ::testing::Not(HasSubstr("--kind")));
}

TEST(RooflinesTest, ExpressionThatFailsIsNamedInOneLine) {
  const auto file = TextFile("work.csv", "job,work,bytes,time_s\na,200,40,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}, {"flops", "wrk * 2"}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("--flops cannot be computed for"));
  EXPECT_THAT(answer.error().what, HasSubstr("wrk * 2"));
  EXPECT_THAT(answer.error().what, ::testing::Not(HasSubstr("\n")));
  const auto two = RunCommand(kSpec, {{"source", {file}}, {"flops", "work) + (work"}});
  ASSERT_FALSE(two.ok());
  EXPECT_THAT(two.error().what, HasSubstr("not one expression: work) + (work"));
  const auto text = RunCommand(kSpec, {{"source", {file}}, {"flops", "job"}});
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(text.error().what, HasSubstr("--flops cannot be computed for"));
}

TEST(RooflinesTest, TrafficThatNothingKnowsIsNull) {
  const auto file = TextFile("work.csv", "job,flops,time_s\na,200,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}, {"bytes", "NULL"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(2), store::Cell());
  EXPECT_THAT(answer.value().sentences,
              Contains("The bound of 1 workload is not known: 1 without known traffic."));
}

TEST(RooflinesTest, WhatIsNotKnownSaysWhy) {
  const auto file =
      TextFile("work.csv", "job,flops,bytes,time_s\na,200,40,1\nb,,50,1\nc,5,,1\nd,,,1\n");
  const auto said = [&file](nlohmann::json request) {
    request["source"] = {file};
    const auto answer = RunCommand(kSpec, request);
    return answer.ok() ? answer.value().sentences.front() : answer.error().what;
  };
  EXPECT_EQ(said({}),
            "The bound of 4 workloads is not known: 1 without known FLOPs, 1 without known FLOPs "
            "and traffic, 1 without known roofs, 1 without known traffic.");
  EXPECT_THAT(said({{"peak", 1000}}), HasSubstr("1 without known bandwidth"));
  EXPECT_THAT(said({{"peak", 1000}, {"bandwidth", 100}}),
              HasSubstr("Of 4 workloads 1 is bound by memory, 0 by compute; of 3 it is not known: "
                        "1 without known FLOPs, 1 "));
  const auto whole = TextFile("whole.csv", "job,flops,bytes,time_s\na,200,40,1\n");
  const auto known = RunCommand(kSpec, {{"source", {whole}}, {"peak", 1000}, {"bandwidth", 100}});
  ASSERT_TRUE(known.ok()) << known.error().what;
  EXPECT_EQ(known.value().sentences.front(), "Of 1 workload 1 is bound by memory, 0 by compute.");
}

TEST(RooflinesTest, WhatIsAboveItsRoofIsExplained) {
  const auto file = TextFile("work.csv", "job,flops,bytes,time_s\na,200,40,0.1\nb,200,40,1\n");
  const auto said = [&file](double bandwidth) {
    return RunCommand(kSpec, {{"source", {file}}, {"peak", 1e6}, {"bandwidth", bandwidth}})
        .value()
        .sentences;
  };
  EXPECT_THAT(said(100), Contains(HasSubstr("a is above its roof: what it reads and writes")));
  EXPECT_THAT(said(1000), ::testing::Not(Contains(HasSubstr("above its roof"))));
}

TEST(RooflinesTest, RoofsThatAreNoNumbersAreRefusedInFewWords) {
  const auto file = TextFile("work.csv", "job,flops,bytes,time_s\na,200,40,1\n");
  for (const nlohmann::json& wrong :
       {nlohmann::json(-1), nlohmann::json(0), nlohmann::json("many")}) {
    const auto answer = RunCommand(kSpec, {{"source", {file}}, {"peak", wrong}});
    ASSERT_FALSE(answer.ok()) << wrong;
    EXPECT_EQ(answer.error().field, "peak");
    EXPECT_THAT(answer.error().what, HasSubstr("a number above 0, not " + core::JsonText(wrong)));
    EXPECT_LT(answer.error().what.size(), 80U);
  }
}

TEST(RooflinesTest, TablesAreHeldAgainstTheCeilingOfTheirDataType) {
  const store::TestFolder store;
  auto writer = store::ExperimentWriter::Create(store.path(), "machine");
  ASSERT_TRUE(writer.ok());
  const auto roof = [](const char* kind, const char* name, const char* dtype, double value) {
    return store::RoofRow{.kind = kind,
                          .name = name,
                          .dtype = store::TextOrNull(dtype),
                          .value = value,
                          .provenance = "measured:xsp",
                          .how = "by hand",
                          .used = true};
  };
  ASSERT_TRUE(writer.value()
                  .AddRows(std::vector{roof("bandwidth", "DRAM triad", "", 100),
                                       roof("flops", "float32 vector", "float32", 1000),
                                       roof("flops", "int8 tensor", "int8", 8000)})
                  .ok());
  const auto folder = writer.value().Commit("{}");
  ASSERT_TRUE(folder.ok());
  const auto asked = [&](const char* text, nlohmann::json request) {
    request["source"] = {TextFile("work.csv", text)};
    request["roofs"] = {folder.value().string()};
    return RunCommand(kSpec, request);
  };
  // Nothing says the data type: 500 FLOP/s of 1000, not of 8000.
  const char* kPlain = "job,flops,bytes,time_s\na,500,20,1\n";
  const auto usual = asked(kPlain, {});
  ASSERT_TRUE(usual.ok()) << usual.error().what;
  EXPECT_DOUBLE_EQ(Number(usual.value().tables.at(0), 0, 5), 0.5);
  EXPECT_THAT(usual.value().method,
              Contains(HasSubstr("compared with: float32 vector and DRAM triad (the data type is "
                                 "unknown")));
  // Ridge 80: below it the bandwidth counts, 20 of 100.
  const auto int8 = asked(kPlain, {{"dtype", "int8"}});
  ASSERT_TRUE(int8.ok()) << int8.error().what;
  EXPECT_DOUBLE_EQ(Number(int8.value().tables.at(0), 0, 5), 0.2);
  EXPECT_THAT(int8.value().method,
              Contains("Workloads of tables are compared with: int8 tensor and DRAM triad."));
  const auto none = asked(kPlain, {{"dtype", "fp64"}});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(none.error().hint, HasSubstr("float32, int8"));
  const auto by_column = asked(
      "job,precision,flops,bytes,time_s\na,FP32,500,20,1\nb,int8,500,20,1\nc,bf16,500,20,1\n", {});
  ASSERT_TRUE(by_column.ok()) << by_column.error().what;
  EXPECT_DOUBLE_EQ(Number(by_column.value().tables.at(0), 0, 5), 0.5);
  EXPECT_DOUBLE_EQ(Number(by_column.value().tables.at(0), 1, 5), 0.2);
  EXPECT_THAT(by_column.value().sentences.front(),
              HasSubstr("1 without known ceiling of the data type"));
  EXPECT_THAT(by_column.value().method,
              Contains("No ceiling is known for data types of tables: bfloat16."));
}

TEST(RooflinesTest, DataSetWithoutWorkNamesItsOtherTablesAndUnknownOnesAreWrongUsage) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(answer.error().what, HasSubstr("mlperf-v0.5 has no column flops"));
  EXPECT_THAT(answer.error().hint, HasSubstr("--kind selects another table: "));
  EXPECT_THAT(answer.error().hint, HasSubstr("kernel_classes"));
  const auto unknown = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}, {"kind", "kernels"}});
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
