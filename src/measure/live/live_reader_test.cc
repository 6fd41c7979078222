#include "measure/live/live_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"

namespace xsp::live {
namespace {

class LiveReaderTest : public testing::Test {
 protected:
  void TearDown() override {
    xsp_close();
    for (const int fd : locked_) close(fd);
  }

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
  std::vector<int> locked_;  // Files that look as if a process recorded into them.
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

int OpenFiles() {
  int files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator("/proc/self/fd"))
    ++files;
  return files;
}

TEST_F(LiveReaderTest, KeepsNoFileOpenOfARecordingThatHasEnded) {
  const int before = OpenFiles();
  LiveReader reader(folder_.path(), {});
  LiveBatch batch;
  std::size_t spans = 0;
  for (int i = 0; i < 5; ++i) {
    Record(std::to_string(i) + ".xspr");
    do {
      reader.Read(batch);
      spans += batch.spans.size();
    } while (!batch.spans.empty());
    EXPECT_EQ(OpenFiles(), before) << i;
  }
  EXPECT_EQ(spans, 10u);
  EXPECT_TRUE(ReadAll(reader).empty());
  EXPECT_EQ(reader.lost(), 0u);
}

TEST_F(LiveReaderTest, LeavesTheProcessFilesWhereManyRecord) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  constexpr int kFree = 64, kRecordings = 100;
  for (int i = 0; i < kRecordings; ++i) {
    const std::string file = "m.xspr." + std::to_string(i);
    Record(file);
    // As if its process still ran: not closed, and locked.
    const int fd = open((folder_ / file).c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    const std::uint64_t state = static_cast<std::uint64_t>(wire::FileState::kOpen);
    const std::uint64_t blocks = 2;
    ASSERT_EQ(pwrite(fd, &state, sizeof state, offsetof(wire::FileHeader, state)), 8);
    ASSERT_EQ(pwrite(fd, &blocks, sizeof blocks, offsetof(wire::FileHeader, next_block)), 8);
    ASSERT_EQ(flock(fd, LOCK_EX), 0);
    locked_.push_back(fd);
  }
  rlimit low = before;
  const int others = OpenFiles();
  low.rlim_cur = static_cast<rlim_t>(others + kFree);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  LiveReader reader(folder_.path(), {});
  LiveBatch batch;
  std::size_t spans = 0;
  for (int round = 0; round < 20; ++round) {
    reader.Read(batch);
    spans += batch.spans.size();
  }
  EXPECT_LE(OpenFiles(), others + (others + kFree) / 4);
  const LiveBatch rest = ReadAll(reader);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(spans + rest.spans.size(), 2u * kRecordings);
  EXPECT_EQ(reader.lost(), 0u);
}

TEST_F(LiveReaderTest, CountsRecordingsThatCannotBeOpened) {
  Record("a.xspr");
  Record("b.xspr");
  // A newer version: of this file nothing is known.
  std::fstream file(folder_ / "b.xspr", std::ios::in | std::ios::out | std::ios::binary);
  const std::uint32_t version = wire::kVersion + 1;
  file.seekp(offsetof(wire::FileHeader, version));
  file.write(reinterpret_cast<const char*>(&version), sizeof version);
  file.close();
  LiveReader reader(folder_.path(), {});
  EXPECT_EQ(ReadAll(reader).spans.size(), 2u);
  EXPECT_EQ(reader.lost(), 1u);
}

TEST_F(LiveReaderTest, SurvivesAFolderThatIsRemoved) {
  LiveReader reader(folder_.path() / "gone", {});
  LiveBatch batch;
  EXPECT_FALSE(reader.Read(batch));
}

}  // namespace
}  // namespace xsp::live
