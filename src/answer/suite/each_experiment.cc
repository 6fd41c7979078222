#include "answer/suite/each_experiment.h"

#include <fmt/format.h>

#include <mutex>

#include "os/parallel.h"

namespace xsp::suite {

Status ForEachExperiment(std::size_t count, core::Progress& progress,
                         const std::function<Status(std::size_t)>& work) {
  std::mutex mutex;
  std::size_t done = 0;
  return os::ForEach(count, [&](std::size_t i) -> Status {
    XSP_RETURN_IF_ERROR(work(i));
    const std::lock_guard lock(mutex);
    ++done;
    progress.Step(fmt::format("{} of {} experiments read", done, count),
                  static_cast<double>(done) / static_cast<double>(count), -1);
    return Ok{};
  });
}

}  // namespace xsp::suite
