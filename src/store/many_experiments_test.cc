#include "store/many_experiments.h"

#include <gtest/gtest.h>

#include <fstream>

#include "store/experiment_writer.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

/// An experiment with a point and, if `layers` is above 0, with the table of layers.
fs::path Write(const fs::path& store, std::string_view name, int layers) {
  auto writer = ExperimentWriter::Create(store, name).value();
  EXPECT_TRUE(writer
                  .AddRows(std::vector<PointRow>{{.point_id = 1,
                                                  .model = std::string(name),
                                                  .backend = "b",
                                                  .device = "cpu",
                                                  .precision = "float32",
                                                  .settings = "{}",
                                                  .status = "done"}})
                  .ok());
  std::vector<LayerRow> rows;
  for (int i = 0; i < layers; ++i)
    rows.push_back(
        {.point_id = 1, .layer_index = i, .name = "l", .type = "Conv", .matched = "all"});
  if (layers > 0) {
    EXPECT_TRUE(writer.AddRows(rows).ok());
  }
  return writer.Commit("{}").value();
}

TEST(QueryExperiments, LeadsRowsByTheExperimentsOfTheirFiles) {
  const TestFolder folder;
  const std::vector<fs::path> experiments = {Write(folder.path(), "a [1]*", 2),
                                             Write(folder.path(), "b", 0),
                                             Write(folder.path(), "c", 1)};
  const auto rows = QueryExperiments(
      experiments, {"point", "layer", "kernel"},
      "SELECT experiment, model, (SELECT count(*) FROM layer l WHERE l.experiment = p.experiment), "
      "(SELECT count(*) FROM kernel) FROM point p ORDER BY experiment");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  using Row = std::vector<Cell>;
  const std::vector<Row> expected = {
      {std::int64_t{0}, std::string("a [1]*"), std::int64_t{2}, std::int64_t{0}},
      {std::int64_t{1}, std::string("b"), std::int64_t{0}, std::int64_t{0}},
      {std::int64_t{2}, std::string("c"), std::int64_t{1}, std::int64_t{0}}};
  EXPECT_EQ(rows.value().rows, expected);
}

TEST(QueryExperiments, OfNoneHasNoRows) {
  const auto rows = QueryExperiments({}, {"layer"}, "SELECT count(*) FROM layer");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  EXPECT_EQ(rows.value().rows[0][0], Cell(std::int64_t{0}));
}

TEST(QueryExperiments, ADamagedFileIsBadInput) {
  const TestFolder folder;
  const fs::path damaged = Write(folder.path(), "a", 1);
  std::ofstream(damaged / "layer.parquet") << "not Parquet";
  const auto rows = QueryExperiments({damaged}, {"layer"}, "SELECT * FROM layer");
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().kind, ErrorKind::kBadInput);
}

TEST(QueryExperiments, ARawTableIsNone) {
  EXPECT_EQ(QueryExperiments({}, {"span"}, "SELECT 1").error().kind, ErrorKind::kInternal);
}

}  // namespace
}  // namespace xsp::store
