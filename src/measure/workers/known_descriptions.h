#ifndef XSP_MEASURE_WORKERS_KNOWN_DESCRIPTIONS_H_
#define XSP_MEASURE_WORKERS_KNOWN_DESCRIPTIONS_H_

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "core/result.h"
#include "measure/workers/worker_program.h"

namespace xsp::workers {

/// Descriptions of workers that this process has asked for: to describe itself, a worker loads its
/// framework, which takes up to seconds, and planning one run asks each several times. One is asked
/// anew when its file or the environment has changed, and after `age`, because libraries and
/// devices come and go. Errors are not kept. Threading: any thread.
class KnownDescriptions {
 public:
  explicit KnownDescriptions(std::chrono::seconds age) : age_(age) {}

  /// As DescribeWorker().
  Result<WorkerProgram> Describe(const std::filesystem::path& program);

 private:
  struct Known {
    std::string of;  ///< Size and time of the file, environment.
    std::chrono::steady_clock::time_point asked;
    WorkerProgram worker;
  };

  const std::chrono::seconds age_;
  std::mutex mutex_;
  std::map<std::filesystem::path, Known> known_;
};

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_KNOWN_DESCRIPTIONS_H_
