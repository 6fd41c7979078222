#include "measure/slurm/task_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "os/files.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using sweeps::SweptPoint;

constexpr std::size_t kExcerptBytes = 400;
constexpr std::uintmax_t kNearlyFullBytes = 1 << 20;
constexpr const char* kNextCall = "The next `xsp sweep` with the same file measures it.";

std::string TextAt(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

/// The end of a log, in one line.
std::string ExcerptOf(const fs::path& log) {
  const auto read = os::ReadFile(log);
  if (!read.ok()) return {};
  std::string text = read.value().substr(
      read.value().size() > kExcerptBytes ? read.value().size() - kExcerptBytes : 0);
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' '; }, ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// Why a state of Slurm ended a task, and what to do.
struct Meaning {
  std::string_view state, why, hint;
};

constexpr std::array<Meaning, 8> kMeanings = {{
    {"CANCELLED", "the job was cancelled", kNextCall},
    {"TIMEOUT", "the time limit was reached", "Give more: --slurm-option time=MINUTES"},
    {"DEADLINE", "the deadline of the job was reached", kNextCall},
    {"OUT_OF_MEMORY", "the job had not enough memory",
     "Give more: --slurm-option mem=MEGABYTES, or `memory_gb` of the sweep's machine"},
    {"NODE_FAIL", "its node failed", kNextCall},
    {"BOOT_FAIL", "its node did not start", kNextCall},
    {"PREEMPTED", "another job took its node", kNextCall},
    {"REVOKED", "the job runs on another cluster", kNextCall},
}};

const Meaning* MeaningOf(std::string_view state) {
  const auto found = std::ranges::find(kMeanings, state, &Meaning::state);
  return found == kMeanings.end() ? nullptr : found;
}

std::string OnNode(const QueuedTask& task) { return task.node.empty() ? "" : " on " + task.node; }

}  // namespace

std::optional<TaskResult> ParseTaskResult(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
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
  const Meaning* const meaning = MeaningOf(state);
  point.failure = ErrorKind::kEnvironment;
  if (meaning != nullptr) {
    point.why = std::string(meaning->why);
    point.hint = std::string(meaning->hint);
  } else {
    // Slurm does not say which: the task ended by itself in time.
    point.why = "the task was asked to stop, as a minute before its time limit";
    point.hint = std::string(kNextCall) + " More time: --slurm-option time=MINUTES";
  }
}

void TakeEndWithoutResult(const fs::path& folder, int index, const QueuedTask* task,
                          SweptPoint& point) {
  const fs::path log = folder / fmt::format("{}.log", index);
  const Meaning* const meaning = task == nullptr ? nullptr : MeaningOf(task->state);
  point.failure = ErrorKind::kEnvironment;
  point.status = task != nullptr && task->state == "CANCELLED" ? "missing" : "failed";
  if (meaning != nullptr) {
    point.why = std::string(meaning->why) + OnNode(*task);
    point.hint = meaning->hint;
    return;
  }
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < kNearlyFullBytes) {
    point.why = "the disk of the store is full";
    point.hint = "Free space there; " + std::string(kNextCall);
    return;
  }
  const std::string excerpt = ExcerptOf(log);
  point.why = fmt::format("the job ended without a result{}{}",
                          task == nullptr ? "" : fmt::format(" ({}{})", task->state, OnNode(*task)),
                          excerpt.empty() ? "" : ": " + excerpt);
  point.hint = "Its log: " + log.string();
}

}  // namespace xsp::slurm
