#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/trace_formats_testing.h"
#include "api/operations/operation_list.h"
#include "os/files.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ExportOperationTest : public testing::Test {
 protected:
  void SetUp() override {
    context_.store = folder_.path() / "store";
    auto writer = store::ExperimentWriter::Create(context_.store, "net");
    ASSERT_TRUE(writer.ok()) << writer.error().what;
    ASSERT_TRUE(writer.value().AddRun("a-model", trace_formats::DeepTrace(2), "{}").ok());
    ASSERT_TRUE(writer.value().AddRun("b-kernel", trace_formats::DeepTrace(4), "{}").ok());
    ASSERT_TRUE(writer.value().AddRun("c-layer", trace_formats::DeepTrace(3), "{}").ok());
    const std::string details = R"({"rung": "details"})";
    ASSERT_TRUE(writer.value().AddRun("d-details", trace_formats::DeepTrace(5), details).ok());
    ASSERT_TRUE(writer.value().Commit("{}").ok());
  }

  Result<Document> Export(const std::string& run, std::string_view format, const fs::path& output) {
    return Perform("export", {{"run", run}, {"format", format}, {"output", output.string()}},
                   context_);
  }

  store::TestFolder folder_;
  Context context_;
};

TEST_F(ExportOperationTest, WritesTheRunWithMostLevelsInEveryFormat) {
  for (const trace_formats::TraceFormatSpec* spec : trace_formats::AllTraceFormats()) {
    SCOPED_TRACE(spec->name);
    const fs::path path = folder_.path() / "out";
    const auto done = Export("net", spec->name, path);
    ASSERT_TRUE(done.ok()) << done.error().what;
    const json& document = std::get<json>(done.value().content);
    EXPECT_EQ(document["file"], path.string());
    EXPECT_EQ(document["format"], std::string(spec->name));
    EXPECT_EQ(document["run"], "net/b-kernel");
    EXPECT_EQ(document["spans"], 4);
    EXPECT_EQ(document["bytes"], fs::file_size(path));
  }
}

TEST_F(ExportOperationTest, WritesTheNamedRunIntoAFolder) {
  const auto done = Export("net/a-model", "collapsed", folder_.path());
  ASSERT_TRUE(done.ok()) << done.error().what;
  const json& document = std::get<json>(done.value().content);
  EXPECT_EQ(document["run"], "net/a-model");
  EXPECT_EQ(document["file"], (folder_.path() / "net-a-model.collapsed.txt").string());
  EXPECT_EQ(os::ReadFile(document["file"].get<std::string>()).value(), "main;x 2\nmain;x;x 98\n");
}

TEST_F(ExportOperationTest, WritesTablesAsBefore) {
  const auto done = Export("net", "csv", folder_.path() / "tables");
  ASSERT_TRUE(done.ok()) << done.error().what;
  EXPECT_EQ(std::get<json>(done.value().content)["folder"], (folder_.path() / "tables").string());
  EXPECT_TRUE(fs::exists(folder_.path() / "tables" / "layer.csv"));
}

TEST_F(ExportOperationTest, NamesTheFormatsThereAre) {
  const auto refused = Export("net", "vtk", folder_.path() / "out");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
}

TEST_F(ExportOperationTest, ADamagedRunLeavesNoFile) {
  const fs::path spans = context_.store / "net" / "b-kernel" / "span.parquet";
  ASSERT_TRUE(os::WriteFileAtomically(spans, "PAR1 and no more").ok());
  const auto refused = Export("net", "chrome", folder_.path() / "out");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(refused.error().what, HasSubstr("span.parquet"));
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
}

TEST_F(ExportOperationTest, AnExperimentWithoutRunsIsAnError) {
  auto writer = store::ExperimentWriter::Create(context_.store, "empty");
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer.value().Commit("{}").ok());
  const auto refused = Export("empty", "otlp", folder_.path() / "out");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().what, HasSubstr("without runs"));
}

}  // namespace
}  // namespace xsp::api
