#include "os/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "os/processor.h"

namespace xsp::os {

namespace {

constexpr std::size_t kWaitingThreads = 16;

Status ForEachOnThreads(std::size_t most, std::size_t count,
                        const std::function<Status(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  std::mutex mutex;
  std::optional<Error> first;
  const auto run = [&] {
    for (std::size_t i = next++; i < count && !has_failed; i = next++) {
      const Status done = work(i);
      if (done.ok()) continue;
      const std::lock_guard lock(mutex);
      if (!first) first = done.error();
      has_failed = true;
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(most, count); ++i) threads.emplace_back(run);
  run();
  threads.clear();  // Joins.
  if (first) return *first;
  return Ok{};
}

}  // namespace

Status ForEach(std::size_t count, const std::function<Status(std::size_t)>& work) {
  return ForEachOnThreads(std::max<std::size_t>(AllowedCpus().size(), 1), count, work);
}

Status ForEachWaiting(std::size_t count, const std::function<Status(std::size_t)>& work) {
  return ForEachOnThreads(kWaitingThreads, count, work);
}

}  // namespace xsp::os
