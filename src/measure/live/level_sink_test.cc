#include "measure/live/level_sink.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>

#include "capture/wire/recorder.h"
#include "core/hang_limit_testing.h"
#include "core/json_text.h"
#include "measure/live/live_stream.h"
#include "os/files.h"
#include "os/scratch_folder.h"

namespace xsp::live {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class LevelSinkTest : public ::testing::Test {
 protected:
  void Watch() const { std::ofstream(LevelSink::WatchedFile(file())) << "1"; }
  fs::path file() const { return scratch_.path() / "levels.json"; }

  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
};

LiveBatch OneLayer() {
  LiveBatch batch;
  LiveSpan& span = batch.spans.emplace_back();
  span.run = "recorded";
  span.level = "layer";
  span.name = "conv1";
  span.duration_ns = 5;
  return batch;
}

TEST_F(LevelSinkTest, WantsNothingUnlessSomebodyLooksOn) {
  const LevelSink sink(file());
  EXPECT_FALSE(sink.wants_more());
  Watch();
  EXPECT_TRUE(sink.wants_more());
  fs::last_write_time(LevelSink::WatchedFile(file()),
                      fs::file_time_type::clock::now() - LevelSink::kWatchTime - 1s);
  EXPECT_FALSE(sink.wants_more());
}

TEST_F(LevelSinkTest, WantsNothingOnceProgramsHaveEnded) {
  LevelSink sink(file());
  Watch();
  sink.EndAt(std::chrono::steady_clock::now() + 1h);
  EXPECT_FALSE(sink.wants_more());
}

TEST_F(LevelSinkTest, WritesSumsWhenTheyChange) {
  LevelSink sink(file());
  sink.Tick();
  EXPECT_FALSE(fs::exists(file()));
  LiveBatch batch = OneLayer();
  sink.Write(batch);
  sink.Tick();
  const auto text = os::ReadFile(file(), 1 << 20);
  ASSERT_TRUE(text.ok());
  const auto document = core::ParseJson(text.value());
  EXPECT_EQ(document["runs"][0]["levels"][0]["names"][0]["name"], "conv1");
  fs::remove(file());
  sink.Tick();
  EXPECT_FALSE(fs::exists(file())) << "nothing is new";
}

TEST_F(LevelSinkTest, AFolderThatCannotBeWrittenIsNoMatter) {
  LevelSink sink(scratch_.path() / "absent" / "levels.json");
  LiveBatch batch = OneLayer();
  sink.Write(batch);
  sink.Tick();
  EXPECT_NE(sink.counts().problem, "");
}

/// Waits until the sums say so many spans of the level `layer`; false: they never do.
bool HasLayers(const fs::path& file, int spans) {
  for (const auto until = std::chrono::steady_clock::now() + core::kHangLimit;
       std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(20ms)) {
    const auto text = os::ReadFile(file, 1 << 20);
    if (!text.ok()) continue;
    const auto document = core::ParseJson(text.value());
    if (document.is_discarded()) continue;
    for (const auto& level : document["runs"][0]["levels"])
      if (level["level"] == "layer" && level["spans"] == spans) return true;
  }
  return false;
}

TEST_F(LevelSinkTest, ALateOnlookerSeesWhatWasRecordedBefore) {
  const fs::path recordings = scratch_.path() / "recordings";
  fs::create_directory(recordings);
  LiveStream stream(std::make_unique<LiveReader>(recordings, std::set<std::string>()),
                    std::make_unique<LevelSink>(file()));
  const wire::RecordingScope recording((recordings / "program.xspr").c_str());
  ASSERT_EQ(recording.error(), 0);
  for (int i = 0; i < 3; ++i)
    const wire::SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("Conv"), XSP_TEXT("conv1"));
  Watch();
  EXPECT_TRUE(HasLayers(file(), 3));
  stream.Stop(1s);
  EXPECT_EQ(stream.failure(), "");
  EXPECT_GT(stream.cpu_s(), 0);
}

}  // namespace
}  // namespace xsp::live
