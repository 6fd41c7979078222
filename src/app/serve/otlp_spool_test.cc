#include "app/serve/otlp_spool.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "os/files.h"
#include "os/scratch_folder.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

class OtlpSpoolTest : public testing::Test {
 protected:
  OtlpSpoolTest() { Start(); }

  /// As after a crash: nothing but the files is kept.
  void Start() {
    spool_.reset();
    spool_ = std::make_unique<OtlpSpool>(OtlpSpool::Settings{
        .folder = scratch_.path() / "otlp",
        .most_bytes = 10,
        .silence = seconds(30),
        .import = [this](const fs::path& file, const std::string& name) -> Status {
          if (is_busy_) return Error{ErrorKind::kEnvironment, "the queue is full", ""};
          imported_.emplace_back(name + " " + file.filename().string(), os::ReadFile(file).value());
          return Ok{};
        },
        .now = [this] { return now_; },
        .has_thread = false});
  }
  void Elapse(int s) {
    now_ += seconds(s);
    spool_->CloseSilent();
  }

  using Imports = std::vector<std::pair<std::string, std::string>>;
  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
  OtlpSpool::Clock::time_point now_ = OtlpSpool::Clock::now();
  bool is_busy_ = false;
  Imports imported_;
  std::unique_ptr<OtlpSpool> spool_;
};

TEST_F(OtlpSpoolTest, ImportsTheBatchesOfAServiceOnceItIsSilent) {
  ASSERT_TRUE(spool_->Add("my agent/1", "pb", "ab").ok());
  Elapse(20);
  ASSERT_TRUE(spool_->Add("my agent/1", "pb", "cd").ok());
  Elapse(20);
  EXPECT_EQ(imported_, Imports{});
  Elapse(10);
  EXPECT_EQ(imported_, (Imports{{"my-agent-1 my-agent-1.otlp.pb", "abcd"}}));
  EXPECT_TRUE(fs::is_empty(scratch_.path() / "otlp"));
}

TEST_F(OtlpSpoolTest, LateSpansBecomeAnotherExperiment) {
  ASSERT_TRUE(spool_->Add("s", "json", "a").ok());
  Elapse(30);
  ASSERT_TRUE(spool_->Add("s", "json", "b").ok());
  Elapse(30);
  EXPECT_EQ(imported_, (Imports{{"s s.otlp.json", "a"}, {"s s.otlp.json", "b"}}));
}

TEST_F(OtlpSpoolTest, KeepsServicesAndEncodingsApart) {
  ASSERT_TRUE(spool_->Add("s", "json", "a").ok());
  ASSERT_TRUE(spool_->Add("t", "json", "b").ok());
  ASSERT_TRUE(spool_->Add("s", "pb", "c").ok());
  Elapse(30);
  EXPECT_EQ(imported_.size(), 3u);
}

TEST_F(OtlpSpoolTest, LosesNothingWhenTheServerIsStartedAgain) {
  ASSERT_TRUE(spool_->Add("..", "pb", "ab").ok());
  Start();
  ASSERT_TRUE(spool_->Add("..", "pb", "cd").ok());
  Elapse(30);
  EXPECT_EQ(imported_, (Imports{{"otlp otlp.otlp.pb", "abcd"}}));
}

TEST_F(OtlpSpoolTest, AsksAgainWhileTheQueueIsFull) {
  ASSERT_TRUE(spool_->Add("s", "pb", "ab").ok());
  is_busy_ = true;
  Elapse(30);
  is_busy_ = false;
  EXPECT_EQ(imported_, Imports{});
  Elapse(5);
  EXPECT_EQ(imported_.size(), 1u);
}

TEST_F(OtlpSpoolTest, RefusesWhatItHasNoRoomFor) {
  ASSERT_TRUE(spool_->Add("s", "pb", "12345678").ok());
  const Status refused = spool_->Add("s", "pb", "123");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kEnvironment);
  Elapse(30);
  EXPECT_TRUE(spool_->Add("s", "pb", "123").ok());
}

}  // namespace
}  // namespace xsp::serve
