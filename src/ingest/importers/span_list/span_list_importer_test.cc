#include <gtest/gtest.h>

#include <fstream>

#include "ingest/importers/importer.h"
#include "ingest/importers/importer_testing.h"

namespace xsp::importers::span_list {
extern const ImporterSpec kSpec;
namespace {

class SpanListImporterTest : public testing::Test {
 protected:
  /// Imports `text` as a file.
  void Import(std::string_view text) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) /
        (std::string("span_list_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_TRUE(ImportAll(kSpec, {{path}}, trace_).ok());
    std::filesystem::remove(path);
  }
  trace::Trace trace_;
};

TEST_F(SpanListImporterTest, KeepsEveryFieldOfASpan) {
  Import("#xsp-span_list 1\nlayer,conv2d,main,1000,2500,first, of two\n");
  ASSERT_EQ(trace_.spans.size(), 1u);
  EXPECT_EQ(trace_.spans.level[0], trace::Level::kLayer);
  EXPECT_EQ(trace_.Text(trace_.spans.type[0]), "conv2d");
  EXPECT_EQ(trace_.Text(trace_.spans.name[0]), "first, of two");
  EXPECT_EQ(trace_.spans.start_ns[0], 1000);
  EXPECT_EQ(trace_.spans.duration_ns[0], 2500);
  EXPECT_EQ(trace_.tracks[0].name, "main");
}

TEST_F(SpanListImporterTest, OneTrackForOneName) {
  Import("#xsp-span_list 1\nlayer,a,x,0,1,a\nlayer,a,y,0,1,a\nlayer,a,x,5,1,a\n");
  EXPECT_EQ(trace_.tracks.size(), 2u);
  EXPECT_EQ(trace_.spans.track[0], trace_.spans.track[2]);
}

TEST_F(SpanListImporterTest, CountsWhatItCannotReadAndGoesOn) {
  Import(
      "#xsp-span_list 1\nnonsense\nattic,a,m,0,1,bad level\nlayer,a,m,1x,1,bad number\n"
      "layer,a,m,0,-1,negative\nlayer,a,m,0,99999999999999999999,too big\nlayer,a,m,0,1,good\n"
      "layer,a,m,0,1,cut");
  EXPECT_EQ(trace_.spans.size(), 1u);
  EXPECT_EQ(trace_.diagnostics.at("span_list_bad_line").count, 6);
}

TEST_F(SpanListImporterTest, ALineWithoutEndDoesNotFillTheMemory) {
  Import("#xsp-span_list 1\n" + std::string(1 << 20, 'x'));
  EXPECT_EQ(trace_.diagnostics.at("span_list_bad_line").count, 1);
}

TEST_F(SpanListImporterTest, RefusesASpanThatEndsAfterTheEndOfTime) {
  Import("#xsp-span_list 1\nlayer,a,m,9223372036854775807,1,late\n");
  EXPECT_EQ(trace_.spans.size(), 0u);
  EXPECT_EQ(trace_.diagnostics.at("writer_rejected_span").count, 1);
}

}  // namespace
}  // namespace xsp::importers::span_list
