#include "measure/slurm/task_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "measure/slurm/job_end.h"
#include "os/files.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using sweeps::SweptPoint;

constexpr const char* kNextCall = "The next `xsp sweep` with the same file measures it.";

std::string TextAt(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

}  // namespace

std::optional<TaskResult> ParseTaskResult(std::string_view text) {
  const json document = core::ParseJson(text);
  if (!document.is_object()) return std::nullopt;
  const json points = document.value("points", json());
  if (!points.is_array() || points.size() != 1 || !points[0].is_object()) return std::nullopt;
  const json& point = points[0];
  TaskResult result;
  result.status = TextAt(point, "status");
  // Asked to stop before there was a sample.
  if (result.status == "missing" && TextAt(document, "status") == "interrupted")
    result.status = "interrupted";
  constexpr std::array<std::string_view, 6> kKnown = {"stored", "measured",    "partial",
                                                      "failed", "interrupted", "elsewhere"};
  if (std::ranges::find(kKnown, result.status) == kKnown.end()) return std::nullopt;
  result.experiment = TextAt(point, "experiment");
  result.why = TextAt(point, "why");
  result.hint = TextAt(point, "hint");
  const json seconds = point.value("seconds", json()), status = point.value("exit_status", json());
  if (seconds.is_number()) result.seconds = seconds.get<double>();
  if (result.status == "failed" || result.status == "partial") {
    const bool is_known = status == static_cast<int>(ErrorKind::kBadInput) ||
                          status == static_cast<int>(ErrorKind::kNotPossible) ||
                          status == static_cast<int>(ErrorKind::kInternal) ||
                          status == static_cast<int>(ErrorKind::kUsage);
    result.failure = is_known ? static_cast<ErrorKind>(status.get<int>()) : ErrorKind::kEnvironment;
  }
  return result;
}

std::optional<TaskResult> ReadTaskResult(const fs::path& folder, int index) {
  const auto text = os::ReadFile(folder / fmt::format("{}.json", index));
  return text.ok() ? ParseTaskResult(text.value()) : std::nullopt;
}

void TakeResult(const TaskResult& result, std::string_view state, SweptPoint& point) {
  point.status = result.status;
  point.experiment = result.experiment;
  point.why = result.why;
  point.hint = result.hint;
  point.failure = result.failure;
  point.seconds = result.seconds;
  if (result.status == "elsewhere") {
    point.status = "failed";
    point.failure = ErrorKind::kNotPossible;
    point.why = "Slurm chose a node that the point is not for: " + result.why;
    point.hint =
        "Say what Slurm calls such nodes: `slurm: {constraint: ...}` of the sweep's machine.";
  }
  if (result.status != "interrupted") return;
  if (result.experiment.empty()) point.status = "missing";
  const std::optional<JobEnd> end = EndOf(state, kNextCall);
  point.failure = ErrorKind::kEnvironment;
  // Slurm does not say which: the task ended by itself in time.
  point.why = end ? end->why : "the task was asked to stop, as a minute before its time limit";
  point.hint =
      end ? end->hint : fmt::format("{} More time: --slurm-option time=MINUTES", kNextCall);
}

void TakeEndWithoutResult(const fs::path& folder, int index, const QueuedTask* task,
                          SweptPoint& point) {
  const JobEnd end = EndWithoutResult(folder / fmt::format("{}.log", index), task, kNextCall);
  point.failure = ErrorKind::kEnvironment;
  point.status = task != nullptr && task->state == "CANCELLED" ? "missing" : "failed";
  point.why = end.why;
  point.hint = end.hint;
}

}  // namespace xsp::slurm
