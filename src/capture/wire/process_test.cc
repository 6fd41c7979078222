// Threads and processes: exit, fork, exec, and kill -9 at any moment.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <unordered_map>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"
#include "sanitizers.h"

// cmake/Paths.cmake.
extern const char kRecordingChild[];

namespace xsp::wire {
namespace {

// Sanitizers cannot follow a fork beside running threads (clang's do not free their allocator's
// locks).
#if defined(XSP_THREAD_SANITIZER) || defined(XSP_ADDRESS_SANITIZER)
constexpr bool kForksBesideThreads = false;
#else
constexpr bool kForksBesideThreads = true;
#endif

constexpr std::string_view kProvenance = "measured:test";

xsp_options SmallBlocks() {
  xsp_options options = {};
  options.size = sizeof options;
  options.block_bytes = 8192;
  options.capacity_bytes = 64 << 20;
  options.prepare_bytes = 1;
  return options;
}

// One step of a recorded program: a layer with a kernel in it, both numbered.
void RecordStep(std::uint64_t number) {
  const SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("conv2d"), XSP_TEXT("layer"));
  layer.Metric(XSP_TEXT("number"), static_cast<double>(number), XSP_TEXT("1"), Intern(kProvenance));
  const SpanScope kernel(XSP_LEVEL_KERNEL, XSP_TEXT("primitive"), XSP_TEXT("kernel"));
  const std::string value(number % 200, 'x');
  kernel.Attribute(XSP_TEXT("text"), value);
}

// What must hold of any recording of RecordStep, however it ended. Returns the steps per thread
// whose layer has ended.
std::map<std::uint32_t, std::uint64_t> CheckSteps(const CollectedRecords& read) {
  std::map<std::uint32_t, std::uint64_t> layers, ended, numbers;
  std::unordered_map<std::uint32_t, const CollectedRecords::Span*> by_id;
  by_id.reserve(read.spans.size());
  for (const auto& span : read.spans) {
    EXPECT_TRUE(by_id.emplace(span.id, &span).second);
    if (span.level == XSP_LEVEL_LAYER) {
      EXPECT_EQ(span.name, "layer");
      EXPECT_EQ(span.type, "conv2d");
      EXPECT_EQ(span.parent, 0u);
      ++layers[span.thread];
      ended[span.thread] += span.is_open() ? 0 : 1;
    } else {
      EXPECT_EQ(span.name, "kernel");
      const auto parent = by_id.find(span.parent);
      if (parent == by_id.end()) {
        ADD_FAILURE() << "a kernel whose layer is lost";
        continue;
      }
      EXPECT_EQ(parent->second->thread, span.thread);
      EXPECT_GE(span.start_ns, parent->second->start_ns);
    }
  }
  for (const auto& metric : read.metrics) {
    const auto span = by_id.find(metric.span);
    if (span == by_id.end()) {
      ADD_FAILURE() << "a metric whose span is lost";
      continue;
    }
    // No gap, no repetition, in order.
    EXPECT_EQ(metric.value, static_cast<double>(numbers[span->second->thread]++));
  }
  for (const auto& attribute : read.attributes) {
    EXPECT_TRUE(by_id.contains(attribute.span));
    EXPECT_EQ(attribute.value.find_first_not_of('x'), std::string::npos);
  }
  for (const auto& [thread, count] : layers) {
    EXPECT_LE(count - ended[thread], 1u) << "only the last layer can be open";
    EXPECT_LE(count - numbers[thread], 1u) << "only the last layer can be without its number";
  }
  return ended;
}

TEST(ProcessTest, ManyThreadsKeepTheirOwnOrder) {
  const ScratchFolder folder;
  const std::string path = folder / "threads.xspr";
  const xsp_options options = SmallBlocks();
  ASSERT_EQ(xsp_open(path.c_str(), &options), 0);
  constexpr int kThreads = 8;
  constexpr std::uint64_t kSteps = 3000;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      for (std::uint64_t step = 0; step < kSteps; ++step) RecordStep(step);
    });
  }
  for (std::thread& thread : threads) thread.join();
  xsp_close();
  const auto read = ReadRecording(path);
  ASSERT_TRUE(read->is_readable);
  EXPECT_EQ(read->losses.damaged_blocks + read->losses.torn_records + read->losses.dropped, 0u);
  const auto ended = CheckSteps(*read);
  EXPECT_EQ(ended.size(), static_cast<std::size_t>(kThreads));
  for (const auto& [thread, count] : ended) EXPECT_EQ(count, kSteps);
}

TEST(ProcessTest, ExitingThreadsLeaveTheirSpaceToOthers) {
  const ScratchFolder folder;
  const std::string path = folder / "short.xspr";
  xsp_options options = SmallBlocks();
  options.block_bytes = 64 << 10;
  ASSERT_EQ(xsp_open(path.c_str(), &options), 0);
  constexpr int kThreads = 500;
  for (int i = 0; i < kThreads; ++i) {
    std::thread([] { RecordStep(0); }).join();
  }
  xsp_close();
  const auto read = ReadRecording(path);
  EXPECT_EQ(CheckSteps(*read).size(), static_cast<std::size_t>(kThreads));
  EXPECT_LT(read->info.file_bytes, 8u * 64 * 1024) << "a block each would be 32 MiB";
}

TEST(ProcessTest, ClosingBesideRecordingThreadsIsSafe) {
  const ScratchFolder folder;
  const std::string path = folder / "race.xspr";
  xsp_options options = SmallBlocks();
  options.capacity_bytes = 4 << 20;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t step = 0; !stop.load(); ++step) RecordStep(step % 100);
    });
  }
  for (int round = 0; round < 12; ++round) {
    ASSERT_EQ(xsp_open(path.c_str(), &options), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    xsp_set_levels(round % 2 == 0 ? 0 : XSP_LEVELS_ALL);
    xsp_close();
    const auto read = ReadRecording(path);
    ASSERT_TRUE(read->is_readable) << read->error.what;
    EXPECT_FALSE(read->losses.is_unclosed);
    EXPECT_EQ(read->losses.damaged_blocks, 0u) << read->losses.first_damage;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// The files of a parent that recorded "outer" and steps, its ten children and their children.
void CheckForkedFiles(const std::filesystem::path& folder, const std::string& path) {
  auto parent = ReadRecording(path);
  std::erase_if(parent->spans, [](const auto& span) { return span.name == "outer"; });
  EXPECT_EQ(parent->losses.open_spans, 0u);
  CheckSteps(*parent);
  std::size_t files = 0, grandchildren = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path() == path) continue;
    ++files;
    const auto read = ReadRecording(entry.path().string());
    ASSERT_TRUE(read->is_readable) << read->error.what;
    EXPECT_FALSE(read->losses.is_unclosed);
    if (!read->marks.empty()) {
      ++grandchildren;
      EXPECT_EQ(read->marks[0].name, "grandchild") << "texts of before the fork, too";
      continue;
    }
    EXPECT_EQ(read->info.parent_process_id, static_cast<std::uint32_t>(getpid()));
    for (const auto& [thread, ended] : CheckSteps(*read)) EXPECT_EQ(ended, 500u);
  }
  EXPECT_EQ(files, 20u);
  EXPECT_EQ(grandchildren, 10u);
}

TEST(ProcessTest, AForkedChildRecordsIntoItsOwnFile) {
  const ScratchFolder folder;
  const std::string path = folder / "parent.xspr";
  const xsp_options options = SmallBlocks();
  ASSERT_EQ(xsp_open(path.c_str(), &options), 0);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < (kForksBesideThreads ? 2 : 0); ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t step = 0; !stop.load(); ++step) RecordStep(step);
    });
  }
  const xsp_span outer = xsp_begin(XSP_LEVEL_MODEL, 0, Intern("outer"));
  std::vector<pid_t> children;
  for (int i = 0; i < 10; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      xsp_end(outer);  // The parent's: not this process's to end.
      for (std::uint64_t step = 0; step < 500; ++step) RecordStep(step);
      if (fork() == 0) {
        xsp_mark(Intern("grandchild"));
        xsp_close();
        _exit(0);
      }
      wait(nullptr);
      xsp_close();
      _exit(0);
    }
    ASSERT_GT(pid, 0);
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  if (const pid_t silent = fork(); silent == 0) {
    _exit(0);
  } else {
    waitpid(silent, nullptr, 0);
    EXPECT_FALSE(std::filesystem::exists(path + "." + std::to_string(silent)))
        << "a child that records nothing makes no file";
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  xsp_end(outer);
  xsp_close();

  CheckForkedFiles(folder.path(), path);
}

int RunChild(const char* mode, const std::string& path, const char* name = nullptr) {
  const pid_t pid = fork();
  if (pid == 0) {
    execl(kRecordingChild, kRecordingChild, mode, path.c_str(), name, nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << mode;
  return pid;
}

TEST(ProcessTest, ExitClosesTheRecording) {
  const ScratchFolder folder;
  RunChild("mark", folder / "a.xspr", "only");
  const auto read = ReadRecording(folder / "a.xspr");
  ASSERT_EQ(read->marks.size(), 1u) << read->error.what;
  EXPECT_FALSE(read->losses.is_unclosed);
}

TEST(ProcessTest, AProgramAfterExecDoesNotClobberTheOneBefore) {
  const ScratchFolder folder;
  const std::string path = folder / "a.xspr";
  const int pid = RunChild("exec", path);
  const auto before = ReadRecording(path);
  ASSERT_EQ(before->marks.size(), 1u) << before->error.what;
  EXPECT_EQ(before->marks[0].name, "before");
  EXPECT_TRUE(before->losses.is_unclosed);
  const auto after = ReadRecording(path + "." + std::to_string(pid));
  ASSERT_EQ(after->marks.size(), 1u) << after->error.what;
  EXPECT_EQ(after->marks[0].name, "after");
  EXPECT_FALSE(after->losses.is_unclosed);
}

TEST(ProcessTest, AChildProgramDoesNotClobberARecordingInProgress) {
  const ScratchFolder folder;
  const std::string path = folder / "a.xspr";
  RunChild("spawn", path);
  EXPECT_EQ(ReadRecording(path)->marks.at(0).name, "parent");
  std::size_t others = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path() == path) continue;
    ++others;
    EXPECT_EQ(ReadRecording(entry.path().string())->marks.at(0).name, "child");
  }
  EXPECT_EQ(others, 1u);
}

// What a child did for certain before it was killed, on a page that both see.
struct Progress {
  std::atomic<std::uint64_t> steps[3];
  std::atomic<bool> is_open;
};

[[noreturn]] void RecordUntilKilled(const std::string& path, Progress* progress) {
  const xsp_options options = SmallBlocks();
  if (xsp_open(path.c_str(), &options) != 0) _exit(1);
  progress->is_open.store(true);
  std::vector<std::thread> threads;
  for (auto& steps : progress->steps) {
    threads.emplace_back([&steps] {
      // An end, so that a parent that has to wait for its turn does not have to read for minutes.
      for (std::uint64_t step = 0; step < 6000; ++step) {
        RecordStep(step);
        steps.store(step + 1, std::memory_order_release);
      }
      pause();
    });
  }
  for (std::thread& thread : threads) thread.join();
  _exit(0);
}

TEST(ProcessTest, KillAtAnyMomentLosesNothingButWhatWasBeingWritten) {
  const ScratchFolder folder;
  std::mt19937 random(9);
  void* page =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  int readable = 0;
  std::uint64_t steps = 0;
  for (int round = 0; round < 100; ++round) {
    auto* progress = new (page) Progress{};
    const std::string path = folder / ("k" + std::to_string(round));
    const pid_t pid = fork();
    if (pid == 0) RecordUntilKilled(path, progress);
    // Some at once, while the file is being made; most in the middle of recording.
    if (round % 10 != 0) {
      while (!progress->is_open.load()) usleep(50);
    }
    usleep(random() % 3'000);
    ASSERT_EQ(kill(pid, SIGKILL), 0);
    waitpid(pid, nullptr, 0);

    const auto read = ReadRecording(path);
    if (!progress->is_open.load() && !read->is_readable) continue;
    ASSERT_TRUE(read->is_readable) << read->error.what;
    ++readable;
    EXPECT_TRUE(read->losses.is_unclosed);
    EXPECT_EQ(read->losses.damaged_blocks, 0u) << read->losses.first_damage;
    EXPECT_EQ(read->losses.unknown_texts, 0u);
    EXPECT_LE(read->losses.torn_records, 3u) << "one a thread";
    EXPECT_LE(read->losses.open_spans, 6u);
    const auto ended = CheckSteps(*read);
    std::multiset<std::uint64_t> found, certain;
    for (const auto& [thread, count] : ended) found.insert(count);
    for (const auto& done : progress->steps) {
      steps += done;
      if (done > 0) certain.insert(done);
    }
    ASSERT_GE(found.size(), certain.size());
    // Largest to largest: a thread may have ended one step more than it had time to say.
    auto it = found.rbegin();
    for (auto sure = certain.rbegin(); sure != certain.rend(); ++sure, ++it) EXPECT_GE(*it, *sure);
    std::filesystem::remove(path);
  }
  EXPECT_GE(readable, 90);
  EXPECT_GT(steps, 1000u) << "the children did record";
  munmap(page, sizeof(Progress));
}

}  // namespace
}  // namespace xsp::wire
