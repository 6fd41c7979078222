#include "answer/analyze/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/importers/importer.h"

namespace xsp::analyze {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A level of points that an importer has words for, and one of experiments.
const std::vector<Level>& TwoLevels() {
  static const std::vector<Level> levels = {
      {.name = "memory",
       .rung = "details",
       .what = "There is no memory",
       .probe = "SELECT point_id FROM layer WHERE allocated_bytes > 0",
       .measure = "`{command} --depth layer` reads it for {model}.",
       .import = "Record it."},
      {.name = "rooms",
       .of_experiment = true,
       .probe = "SELECT 1 FROM point WHERE model = 'house'",
       .measure = "`{command}` builds {rooms} of {model}.",
       .recorded = "No rooms were recorded.",
       .import = "Import rooms."}};
  return levels;
}

Coverage OfPoint(const std::string& model) {
  Coverage coverage;
  PointCoverage point;
  point.point_id = 1;
  point.model = model;
  point.batch = 4;
  coverage.points.push_back(point);
  return coverage;
}

std::string HowToGet(const std::string& level, const Coverage& coverage) {
  const auto missing = MissingLevels({level}, coverage, TwoLevels());
  EXPECT_THAT(missing, SizeIs(1));
  return missing.empty() ? "" : missing[0].how;
}

TEST(Coverage, ReadsWhatTheProbesFind) {
  const auto database = store::Database::OpenEmpty();
  ASSERT_TRUE(database.value()
                  .Query("INSERT INTO point (point_id, model, backend, device, precision, "
                         "settings, status) VALUES (1, 'house', 'b', 'cpu', 'float32', '{}', "
                         "'done'), (2, 'hut', 'b', 'cpu', 'float32', '{}', 'done')")
                  .ok());
  ASSERT_TRUE(database.value()
                  .Query("INSERT INTO layer (point_id, layer_index, name, type, allocated_bytes, "
                         "matched) VALUES (2, 0, 'a', 'conv', 7, 'all')")
                  .ok());
  const auto read = ReadCoverage(database.value(), {false, {""}}, TwoLevels());
  ASSERT_TRUE(read.ok()) << read.error().what;
  const Coverage& coverage = read.value().at(0);
  EXPECT_TRUE(coverage.levels.contains("rooms"));
  ASSERT_THAT(coverage.points, SizeIs(2));
  EXPECT_THAT(coverage.points[0].levels, IsEmpty());
  EXPECT_TRUE(coverage.points[1].levels.contains("memory"));
  EXPECT_THAT(coverage.formats, IsEmpty());
}

TEST(Coverage, PutsTheCommandAndTheModelIntoTheText) {
  EXPECT_EQ(HowToGet("memory", OfPoint("hut")),
            "There is no memory here. `xsp run hut --batch 4 --depth layer` reads it for hut.");
  EXPECT_EQ(HowToGet("rooms", OfPoint("{model}")),
            "`xsp run {model} --batch 4` builds {rooms} of {model}.");
}

TEST(Coverage, HasTextsOfItsOwnForARecording) {
  Coverage coverage = OfPoint("hut");
  coverage.recorded = true;
  EXPECT_EQ(HowToGet("rooms", coverage), "No rooms were recorded.");
  EXPECT_THAT(HowToGet("memory", coverage), HasSubstr("An unchanged program shows"));
}

TEST(Coverage, ExplainsAnImportInTheWordsOfTheImporterOfItsFiles) {
  Coverage coverage = OfPoint("hut");
  coverage.imported = true;
  const std::string generic = "There is no memory here. Record it.";
  EXPECT_EQ(HowToGet("memory", coverage), generic);
  for (const ImporterSpec* importer : importers::AllImporters()) {
    SCOPED_TRACE(importer->name);
    std::string expected = generic;
    for (const importers::LevelHint& hint : importer->hints)
      if (hint.level == "memory") expected = "There is no memory here. " + std::string(hint.text);
    // A file of a format without words does not hide those of another.
    coverage.formats = {"unknown_format", std::string(importer->name)};
    EXPECT_EQ(HowToGet("memory", coverage), expected);
  }
}

TEST(Coverage, AnalysesOfAMonitoredMachineNeedALevelThatTheMonitorSees) {
  Coverage coverage = OfPoint("hut");
  coverage.monitored = true;
  EXPECT_THAT(HowToGet("memory", coverage), HasSubstr("The machine was sampled here"));
  std::vector<Level> levels = TwoLevels();
  levels[0].seen_by_monitor = true;
  EXPECT_THAT(MissingLevels({"memory"}, coverage, levels).at(0).how,
              HasSubstr("There is no memory here"));
}

}  // namespace
}  // namespace xsp::analyze
