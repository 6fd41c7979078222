#include "harness/interference.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <fstream>
#include <thread>

namespace xsp::worker {
namespace {

TEST(Interference, SeesTwoThreadsThatShareOneProcessor) {
  if (!std::ifstream("/proc/self/schedstat")) {
    GTEST_SKIP() << "the kernel keeps no schedstat";
  }
  std::atomic<bool> stop = false;
  std::thread rival;
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  }
  sched_setaffinity(0, sizeof one, &one);  // The rival inherits it.
  rival = std::thread([&] {
    while (!stop) {
    }
  });
  InterferenceReader reader;
  const Interference start = reader.Read();
  Interference now = start;
  for (int i = 0;
       i < 100'000 && (now.run_queue_wait_ns - start.run_queue_wait_ns < 20'000'000 ||
                       now.involuntary_context_switches == start.involuntary_context_switches);
       ++i) {
    now = reader.Read();
  }
  stop = true;
  rival.join();
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_GT(now.run_queue_wait_ns, start.run_queue_wait_ns);
  EXPECT_GT(now.involuntary_context_switches, start.involuntary_context_switches);
}

TEST(Interference, CountsTheProcessesOwnPageFaults) {
  constexpr std::size_t kBytes = 8 << 20;
  InterferenceReader reader;
  const Interference before = reader.Read();
  void* pages = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  madvise(pages, kBytes, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < kBytes; at += 4096) static_cast<volatile char*>(pages)[at] = 1;
  const Interference after = reader.Read();
  munmap(pages, kBytes);
  EXPECT_GE(after.page_faults - before.page_faults,
            kBytes / 65536);  // The largest page of any CPU.
  EXPECT_GE(after.system_ns, before.system_ns);
}

TEST(Interference, NeverRunsBackwardsWhenThreadsEnd) {
  InterferenceReader reader;
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> stop = false;
    std::thread thread([&] {
      while (!stop) std::this_thread::yield();
    });
    reader.FindThreads();
    const Interference before = reader.Read();
    stop = true;
    thread.join();
    EXPECT_GE(reader.Read().run_queue_wait_ns, before.run_queue_wait_ns);
  }
}

}  // namespace
}  // namespace xsp::worker
