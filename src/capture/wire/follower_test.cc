#include "capture/wire/follower.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "capture/wire/collected_records.h"
#include "capture/wire/random_calls.h"
#include "capture/wire/recorder.h"

// cmake/Paths.cmake.
extern const char kRecordingChild[];

namespace xsp::wire {
namespace {

/// Everything that a follower handed over, and what came behind its span.
struct Followed {
  CollectedRecords records;
  void TakeAll(Follower& follower) {
    while (follower.Poll(records)) {
    }
  }
};

std::unique_ptr<Follower> FollowerOf(const std::string& path) {
  ReadError error;
  auto follower = Follower::Open(path, &error);
  EXPECT_NE(follower, nullptr) << error.what;
  return follower;
}

class FollowerTest : public testing::Test {
 protected:
  void Open() {
    xsp_options options = {};
    options.size = sizeof options;
    options.prepare_bytes = 1;
    options.block_bytes = 8192;
    ASSERT_EQ(xsp_open(path_.c_str(), &options), 0);
  }
  void TearDown() override { xsp_close(); }

  ScratchFolder folder_;
  const std::string path_ = folder_ / "r.xspr";
};

/// What a reader of the closed file and a follower must agree on.
void ExpectSame(const CollectedRecords& followed, const CollectedRecords& read) {
  std::map<std::uint32_t, const CollectedRecords::Span*> by_id;
  for (const auto& span : followed.spans)
    EXPECT_TRUE(by_id.emplace(span.id, &span).second) << "twice: " << span.id;
  ASSERT_EQ(by_id.size(), read.spans.size());
  for (const auto& expected : read.spans) {
    const auto it = by_id.find(expected.id);
    ASSERT_NE(it, by_id.end()) << expected.id;
    const CollectedRecords::Span& span = *it->second;
    EXPECT_EQ(
        std::tie(span.parent, span.level, span.type, span.name, span.correlation_id,
                 span.graph_node, span.bytes, span.details),
        std::tie(expected.parent, expected.level, expected.type, expected.name,
                 expected.correlation_id, expected.graph_node, expected.bytes, expected.details));
    EXPECT_EQ(followed.threads[span.thread].thread_id, read.threads[expected.thread].thread_id);
    EXPECT_EQ(span.track == 0, expected.track == 0);
    if (span.track != 0 && expected.track != 0) {
      EXPECT_EQ(followed.tracks[span.track - 1].name, read.tracks[expected.track - 1].name);
    }
    EXPECT_NEAR(static_cast<double>(span.start_ns - expected.start_ns), 0, 20000);
    EXPECT_EQ(span.is_open(), expected.is_open());
    if (!span.is_open()) {
      EXPECT_NEAR(static_cast<double>(span.end_ns - expected.end_ns), 0, 20000);
    }
  }
  const auto metrics = [](const CollectedRecords& records) {
    std::multiset<std::tuple<std::uint32_t, std::string, std::string, std::string, double>> all;
    for (const auto& metric : records.metrics)
      all.emplace(metric.span, metric.name, metric.unit, metric.provenance, metric.value);
    return all;
  };
  EXPECT_EQ(metrics(followed), metrics(read));
  const auto attributes = [](const CollectedRecords& records) {
    std::multiset<std::tuple<std::uint32_t, std::string, std::string>> all;
    for (const auto& attribute : records.attributes)
      all.emplace(attribute.span, attribute.key, attribute.value);
    return all;
  };
  EXPECT_EQ(attributes(followed), attributes(read));
}

TEST_F(FollowerTest, HandsOverSpansOnceTheyHaveEnded) {
  Open();
  const auto follower = FollowerOf(path_);
  const xsp_span outer = xsp_begin(XSP_LEVEL_MODEL, Intern("predict"), Intern("call"));
  const xsp_span inner = xsp_begin(XSP_LEVEL_LAYER, Intern("Conv"), Intern("conv1"));
  xsp_end(inner);
  Followed followed;
  for (int poll = 0; poll < 4; ++poll) followed.TakeAll(*follower);
  ASSERT_EQ(followed.records.spans.size(), 1u);
  EXPECT_EQ(followed.records.spans[0].name, "conv1");
  EXPECT_EQ(followed.records.spans[0].type, "Conv");
  xsp_end(outer);
  for (int poll = 0; poll < 4; ++poll) followed.TakeAll(*follower);
  ASSERT_EQ(followed.records.spans.size(), 2u);
  EXPECT_EQ(followed.records.spans[0].parent, followed.records.spans[1].id);
}

TEST_F(FollowerTest, HandsOverWhatIsSaidOfASpanRightBehindIt) {
  Open();
  const auto follower = FollowerOf(path_);
  const xsp_span span = xsp_begin(XSP_LEVEL_LAYER, Intern("Conv"), Intern("conv1"));
  xsp_end(span);
  Followed followed;
  followed.TakeAll(*follower);
  xsp_attribute(span, Intern("input_shapes"), "[[1]]", 5);
  for (int poll = 0; poll < 4; ++poll) followed.TakeAll(*follower);
  ASSERT_EQ(followed.records.spans.size(), 1u);
  ASSERT_EQ(followed.records.attributes.size(), 1u);
  EXPECT_EQ(followed.records.attributes[0].value, "[[1]]");
  // Long after it: alone.
  xsp_metric(span, Intern("bytes"), 7, Intern("byte"), Intern("measured:t"));
  for (int poll = 0; poll < 4; ++poll) followed.TakeAll(*follower);
  ASSERT_EQ(followed.records.spans.size(), 1u);
  ASSERT_EQ(followed.records.metrics.size(), 1u);
  EXPECT_EQ(followed.records.metrics[0].unit, "byte");
}

// A nearly full block is looked at seldom: what names a text in it waits for that.
TEST_F(FollowerTest, HandsOverNoDetailBeforeItsTexts) {
  const pid_t pid = fork();  // Its texts would be in each later recording of this process.
  if (pid != 0) {
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
    return;
  }
  Open();
  const auto follower = FollowerOf(path_);
  const xsp_span span = xsp_begin(XSP_LEVEL_LAYER, Intern("Conv"), Intern("conv1"));
  xsp_end(span);
  Followed followed;
  std::multiset<std::string> names;
  for (int i = 0; i < 16; ++i) {  // Two blocks full of texts.
    for (int poll = 0; poll < 8; ++poll) followed.TakeAll(*follower);
    const std::string name = std::to_string(i) + std::string(1000, 'n');
    xsp_metric(span, Intern(name), i, Intern("byte"), Intern("measured:t"));
    names.insert(name);
  }
  for (int poll = 0; poll < 200; ++poll) followed.TakeAll(*follower);
  std::multiset<std::string> found;
  for (const auto& metric : followed.records.metrics) found.insert(metric.name);
  xsp_close();
  _exit(found == names ? 0 : 1);
}

TEST_F(FollowerTest, FindsWhatAReaderFindsWhileThreadsRecord) {
  // In a process of its own: its many texts would be written into each later recording of this one.
  const std::string command = std::string("'") + kRecordingChild + "' threads '" + path_ + "'";
  const auto before = signal(SIGPIPE, SIG_IGN);  // An error instead, if the child cannot record.
  FILE* const child = popen(command.c_str(), "we");
  ASSERT_NE(child, nullptr);
  std::unique_ptr<Follower> follower;
  ReadError error;
  while (follower == nullptr) {
    follower = Follower::Open(path_, &error);
    if (fputc('.', child) == EOF || fflush(child) != 0) break;
  }
  Followed followed;
  if (follower != nullptr) {
    EXPECT_FALSE(follower->HasEnded());
    EXPECT_GT(fputs("\n", child), 0);  // Now it records.
    EXPECT_EQ(fflush(child), 0);
    while (!follower->HasEnded()) follower->Poll(followed.records);
  }
  ASSERT_EQ(pclose(child), 0);
  signal(SIGPIPE, before);
  ASSERT_NE(follower, nullptr) << error.what;
  follower->Finish(followed.records);
  followed.records.threads = follower->threads();
  followed.records.tracks = follower->tracks();
  EXPECT_EQ(follower->lost().spans + follower->lost().details + follower->lost().damaged_blocks,
            0u);
  const auto read = ReadRecording(path_);
  EXPECT_GT(read->spans.size(), 10'000u);
  ExpectSame(followed.records, *read);
}

TEST_F(FollowerTest, KnowsWhenAProcessWasKilled) {
  int ready[2];
  ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    Open();
    xsp_begin(XSP_LEVEL_MODEL, XSP_TEXT("predict"), XSP_TEXT("call"));
    (void)!write(ready[1], "", 1);
    for (;;) pause();
  }
  close(ready[1]);
  char byte;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  const auto follower = FollowerOf(path_);
  EXPECT_FALSE(follower->HasEnded());
  ASSERT_EQ(kill(pid, SIGKILL), 0);
  ASSERT_EQ(waitpid(pid, nullptr, 0), pid);
  EXPECT_TRUE(follower->HasEnded());
  Followed followed;
  follower->Finish(followed.records);
  EXPECT_EQ(followed.records.spans.size(), 1u);
}

TEST_F(FollowerTest, ReadsTheBlocksThatAClosedRecordingUses) {
  Open();
  std::mt19937 random(5);
  RecordAtRandom(random, "n", 3000);
  xsp_close();
  const std::size_t all = ReadRecording(path_)->spans.size();
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  const std::uint64_t used = 3;
  file.seekp(offsetof(FileHeader, used_blocks));
  file.write(reinterpret_cast<const char*>(&used), sizeof used);
  file.close();
  const auto follower = FollowerOf(path_);
  EXPECT_TRUE(follower->HasEnded());
  Followed followed;
  follower->Finish(followed.records);
  EXPECT_GT(followed.records.spans.size(), 0u);
  EXPECT_LT(followed.records.spans.size(), all);
  EXPECT_EQ(follower->lost().damaged_blocks, 0u);
}

TEST_F(FollowerTest, FindsBlocksBehindOneThatHasNotBegun) {
  Open();
  const auto follower = FollowerOf(path_);
  std::mt19937 random(5);
  RecordAtRandom(random, "n", 3000);
  // Of an open recording: as while it is closed.
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  const std::uint64_t claimed = std::uint64_t{1} << 62;
  std::uint64_t before = 0;
  file.seekg(offsetof(FileHeader, next_block));
  file.read(reinterpret_cast<char*>(&before), sizeof before);
  file.seekp(offsetof(FileHeader, next_block));
  file.write(reinterpret_cast<const char*>(&claimed), sizeof claimed);
  file.flush();
  Followed followed;
  for (int poll = 0; poll < 4; ++poll) followed.TakeAll(*follower);
  EXPECT_GT(followed.records.spans.size(), 100u);
  file.seekp(offsetof(FileHeader, next_block));
  file.write(reinterpret_cast<const char*>(&before), sizeof before);
  file.flush();
  xsp_close();
  follower->Finish(followed.records);
  followed.records.threads = follower->threads();
  ExpectSame(followed.records, *ReadRecording(path_));
}

TEST_F(FollowerTest, KnowsTracksOfDevices) {
  Open();
  const auto follower = FollowerOf(path_);
  xsp_placement placed = {};
  placed.size = sizeof placed;
  placed.track = xsp_make_track(XSP_TRACK_STREAM, Intern("compute"), 0, 7);
  placed.correlation_id = 42;
  placed.bytes = 100;
  placed.details = Intern("grid=[1,2,3]\n");
  xsp_complete_on(&placed, XSP_LEVEL_KERNEL, Intern("kernel"), Intern("gemm"), 1000, 50);
  Followed followed;
  xsp_close();
  follower->Finish(followed.records);
  followed.records.threads = follower->threads();
  followed.records.tracks = follower->tracks();
  ExpectSame(followed.records, *ReadRecording(path_));
}

TEST_F(FollowerTest, LeavesOutSpansBeyondItsBound) {
  Open();
  const auto follower = FollowerOf(path_);
  constexpr std::size_t kMore = 100;
  for (std::size_t i = 0; i < Follower::kMaxOpenSpans + kMore; ++i)
    xsp_begin(XSP_LEVEL_APPLICATION, XSP_TEXT("range"), XSP_TEXT("open"));
  Followed followed;
  followed.TakeAll(*follower);
  EXPECT_EQ(follower->lost().spans, kMore);
  follower->Finish(followed.records);
  EXPECT_EQ(followed.records.spans.size(), Follower::kMaxOpenSpans);
  EXPECT_TRUE(followed.records.spans.front().is_open());
}

TEST_F(FollowerTest, RefusesWhatIsNoRecording) {
  ReadError error;
  EXPECT_EQ(Follower::Open(path_, &error), nullptr);
  EXPECT_EQ(error.kind, ReadError::Kind::kCannotRead);
  std::ofstream(path_) << "no recording";
  EXPECT_EQ(Follower::Open(path_, &error), nullptr);
  EXPECT_EQ(error.kind, ReadError::Kind::kNotARecording);
}

TEST_F(FollowerTest, SurvivesRandomDamage) {
  Open();
  std::mt19937 random(5);
  RecordAtRandom(random, "n", 3000);
  xsp_close();
  std::ifstream in(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (int round = 0; round < 100; ++round) {
    std::string bytes = whole;
    for (std::uint64_t hit = 0; hit < 1 + random() % 40; ++hit)
      bytes[4096 + random() % (bytes.size() - 4096)] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(4096 + random() % (bytes.size() - 4096));
    const std::string file = folder_ / "damaged.xspr";
    std::ofstream(file, std::ios::binary) << bytes;
    const auto follower = FollowerOf(file);
    Followed followed;
    follower->Finish(followed.records);
    EXPECT_LE(followed.records.spans.size(), bytes.size() / 32);
    for (const auto& span : followed.records.spans) {
      ASSERT_LT(span.thread, follower->threads().size());
      if (!span.is_open()) {
        ASSERT_GE(span.end_ns, span.start_ns);
      }
    }
  }
}

}  // namespace
}  // namespace xsp::wire
