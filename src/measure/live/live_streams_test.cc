#include "measure/live/live_streams.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"
#include "measure/live/level_sink.h"

namespace xsp::live {
namespace {

class LiveStreamsTest : public testing::Test {
 protected:
  StreamedRuns Group(int number) const {
    StreamedRuns streamed;
    streamed.experiment = "e";
    streamed.recordings = folder_.path();
    streamed.runs = {"b1-model", "b1-layer"};
    streamed.session = NewSession();
    streamed.group = number;
    return streamed;
  }

  wire::ScratchFolder folder_;
};

TEST_F(LiveStreamsTest, AFolderThatCannotBeMadeEndsTheFirstGroupOnly) {
  std::ofstream(folder_ / "file") << "x";
  const LiveRequest request{{}, folder_.path() / "file" / "tables"};
  EXPECT_FALSE(LiveStreams::Start(request, Group(1)).ok());
  const auto streams = LiveStreams::Start(request, Group(2));
  ASSERT_TRUE(streams.ok());
  const LiveOutcome outcome = streams.value()->Stop();
  ASSERT_EQ(outcome.notes.size(), 1u);
  EXPECT_NE(outcome.notes[0].find("cannot create"), std::string::npos) << outcome.notes[0];
  ASSERT_EQ(outcome.losses.size(), 2u);
  for (const LiveOutcome::Loss& loss : outcome.losses) {
    EXPECT_EQ(loss.diagnostic, "stream_dropped_rows");
    EXPECT_EQ(loss.count, LiveOutcome::kWholeRun);
  }
}

TEST_F(LiveStreamsTest, AnotherStreamGoesOnWithoutTheFolder) {
  std::ofstream(folder_ / "file") << "x";
  const auto streams =
      LiveStreams::Start({"http://127.0.0.1:1", folder_.path() / "file" / "tables"}, Group(2));
  ASSERT_TRUE(streams.ok());
  const LiveOutcome outcome = streams.value()->Stop();
  EXPECT_EQ(outcome.notes.size(), 2u);
  EXPECT_TRUE(outcome.traces.contains("b1-layer"));
}

TEST_F(LiveStreamsTest, AnOnlookerIsMentionedOnlyIfItCostTime) {
  const std::filesystem::path levels = folder_ / "levels.json";
  setenv(kLevelsVariable, levels.c_str(), 1);
  const auto watched = LiveStreams::Start({}, Group(1));
  ASSERT_TRUE(watched.ok());
  {
    const wire::RecordingScope recording((folder_ / "b1-layer.xspr").c_str());
    ASSERT_EQ(recording.error(), 0);
    const wire::SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("Conv"), XSP_TEXT("conv1"));
  }
  std::ofstream(LevelSink::WatchedFile(levels)) << "1";
  while (!std::filesystem::exists(levels))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const LiveOutcome outcome = watched.value()->Stop();
  ASSERT_EQ(outcome.notes.size(), 1u);
  EXPECT_TRUE(outcome.notes[0].starts_with("Somebody looked on: 1 span was summed"))
      << outcome.notes[0];
  EXPECT_TRUE(outcome.losses.empty());

  std::filesystem::remove(LevelSink::WatchedFile(levels));
  const auto unwatched = LiveStreams::Start({}, Group(2));
  unsetenv(kLevelsVariable);
  ASSERT_TRUE(unwatched.ok());
  EXPECT_TRUE(unwatched.value()->Stop().notes.empty());
}

}  // namespace
}  // namespace xsp::live
