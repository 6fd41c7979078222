#include "measure/live/live_reader.h"

#include <gtest/gtest.h>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"

namespace xsp::live {
namespace {

class LiveReaderTest : public testing::Test {
 protected:
  void TearDown() override { xsp_close(); }

  void Record(const std::string& file) {
    ASSERT_EQ(xsp_open((folder_ / file).c_str(), nullptr), 0);
    const wire::SpanScope call(XSP_LEVEL_MODEL, XSP_TEXT("predict"), XSP_TEXT("resnet50"));
    const wire::SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("Conv"), XSP_TEXT("conv1"));
    layer.Metric(XSP_TEXT("bytes"), 7, XSP_TEXT("byte"), XSP_TEXT("measured:test"));
    xsp_close();
  }

  static LiveBatch ReadAll(LiveReader& reader) {
    LiveBatch all, batch;
    while (reader.ReadLast(batch)) {
      all.spans.insert(all.spans.end(), batch.spans.begin(), batch.spans.end());
      all.tracks.insert(all.tracks.end(), batch.tracks.begin(), batch.tracks.end());
    }
    return all;
  }

  wire::ScratchFolder folder_;
};

TEST_F(LiveReaderTest, ReadsTheRecordingsOfItsRuns) {
  for (const char* file : {"b1-model.xspr", "b1-layer.xspr", "b1-layer.xspr.77", "b2-model.xspr"})
    Record(file);
  LiveReader reader(folder_.path(), {"b1-model", "b1-layer"});
  const LiveBatch all = ReadAll(reader);
  ASSERT_EQ(all.spans.size(), 6u);
  EXPECT_EQ(all.tracks.size(), 3u);
  std::set<std::int64_t> ids;
  std::set<std::string> runs;
  for (const LiveSpan& span : all.spans) {
    ids.insert(span.id);
    runs.insert(span.run);
  }
  EXPECT_EQ(ids.size(), 6u);
  EXPECT_EQ(runs, (std::set<std::string>{"b1-model", "b1-layer"}));
}

TEST_F(LiveReaderTest, KnowsParentsAndMetrics) {
  Record("a.xspr");
  LiveReader reader(folder_.path(), {});
  const LiveBatch all = ReadAll(reader);
  ASSERT_EQ(all.spans.size(), 2u);
  EXPECT_EQ(all.spans[0].name, "resnet50");
  EXPECT_EQ(all.spans[0].run, "recorded");
  EXPECT_EQ(all.spans[1].parent_id, all.spans[0].id);
  ASSERT_EQ(all.spans[1].metrics.size(), 1u);
  EXPECT_EQ(all.spans[1].metrics[0].unit, "byte");
  EXPECT_GT(all.spans[1].start_ns, 1'600'000'000'000'000'000);
  EXPECT_EQ(reader.lost(), 0u);
}

TEST_F(LiveReaderTest, HasNothingOfAFolderWithoutRecordings) {
  LiveReader reader(folder_.path(), {});
  LiveBatch batch;
  EXPECT_FALSE(reader.Read(batch));
  EXPECT_TRUE(ReadAll(reader).empty());
}

}  // namespace
}  // namespace xsp::live
