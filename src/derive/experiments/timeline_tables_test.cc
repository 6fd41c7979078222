// A table of the experiment is one timeline plugin's, so that no fact is stored twice.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "derive/timeline/timeline.h"
#include "ingest/importers/importer.h"
#include "source_dir.h"

namespace xsp::experiments {
namespace {

namespace fs = std::filesystem;

TEST(TimelineTablesTest, NoTableIsFilledByTwoPlugins) {
  for (const ImporterSpec* importer : importers::AllImporters()) {
    const fs::path folder = fs::path(XSP_SOURCE_DIR) / "src/ingest/importers" / importer->name;
    for (const auto& sample : fs::directory_iterator(folder / "sample")) {
      SCOPED_TRACE(sample.path().string());
      trace::Trace trace;
      trace::TraceWriter writer(trace);
      ASSERT_TRUE(importer->import({{sample.path()}}, writer).ok());
      const timeline::Timeline timeline(trace);
      std::set<std::string> filled;
      for (const TimelineSpec* spec : timeline::AllTimelines()) {
        timeline::ExperimentRows rows;
        spec->add_rows(timeline, rows);
        for (const std::string_view table : rows.tables())
          EXPECT_TRUE(filled.emplace(table).second) << spec->name << ": " << table;
      }
    }
  }
}

}  // namespace
}  // namespace xsp::experiments
