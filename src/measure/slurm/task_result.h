#ifndef XSP_MEASURE_SLURM_TASK_RESULT_H_
#define XSP_MEASURE_SLURM_TASK_RESULT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "measure/slurm/queue.h"
#include "measure/sweeps/sweep_session.h"

namespace xsp::slurm {

/// What the document of a task says of its point.
struct TaskResult {
  std::string status;      ///< As sweeps::SweptPoint has it; never "missing".
  std::string experiment;  ///< Empty: none.
  std::string why, hint;
  std::optional<ErrorKind> failure;
  double seconds = 0;
};

/// Of the JSON of `xsp sweep` with one point. Nothing: it is none, or cut off, or the task did not
/// come to its point.
std::optional<TaskResult> ParseTaskResult(std::string_view text);

/// The same of a task's files in the folder of its submission.
std::optional<TaskResult> ReadTaskResult(const std::filesystem::path& folder, int index);

/// Gives the point of a task that has ended what its document says. A node that does not meet the
/// point's constraint and a task that was ended from outside are failures. `state` is Slurm's.
void TakeResult(const TaskResult& result, std::string_view state, sweeps::SweptPoint& point);

/// The same of a task that left no document: by Slurm's state, and the end of its log. `task`: null
/// if Slurm has forgotten it.
void TakeEndWithoutResult(const std::filesystem::path& folder, int index, const QueuedTask* task,
                          sweeps::SweptPoint& point);

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_TASK_RESULT_H_
