#include "measure/live/live_streams.h"

#include <gtest/gtest.h>

#include <fstream>

#include "capture/wire/collected_records.h"

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

}  // namespace
}  // namespace xsp::live
