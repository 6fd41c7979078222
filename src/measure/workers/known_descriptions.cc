#include "measure/workers/known_descriptions.h"

#include <unistd.h>

#include <system_error>

namespace xsp::workers {
namespace {

/// Another text: another answer can be expected.
std::string StateOf(const std::filesystem::path& program) {
  std::error_code error;
  std::string state =
      std::to_string(std::filesystem::file_size(program, error)) + " " +
      std::to_string(std::filesystem::last_write_time(program, error).time_since_epoch().count());
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    state += std::string("\n") + *variable;
  return state;
}

}  // namespace

Result<WorkerProgram> KnownDescriptions::Describe(const std::filesystem::path& program) {
  const std::string state = StateOf(program);
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(program);
    if (found != known_.end() && found->second.of == state && now - found->second.asked < age_)
      return found->second.worker;
  }
  XSP_TRY(WorkerProgram worker, DescribeWorker(program));
  const std::lock_guard lock(mutex_);
  known_.insert_or_assign(program, Known{state, now, worker});
  return worker;
}

}  // namespace xsp::workers
