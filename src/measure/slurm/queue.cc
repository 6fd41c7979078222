#include "measure/slurm/queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

namespace xsp::slurm {
namespace {

/// Up to `count` parts of a line at `separator`; the last one takes the rest.
std::vector<std::string_view> Split(std::string_view line, char separator, std::size_t count) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < count) {
    const std::size_t end = line.find(separator);
    if (end == std::string_view::npos) break;
    parts.push_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  parts.push_back(line);
  return parts;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// The whole number that `text` is, not below 0; -1: it is none.
int NumberOf(std::string_view text) {
  int number = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0 ? number
                                                                                        : -1;
}

std::string OrEmpty(std::string_view text) {
  return text == "None" || text == "(null)" || text == "N/A" ? "" : std::string(text);
}

void SortOnce(std::vector<std::string>& texts) {
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

}  // namespace

Stage StageOf(std::string_view state) {
  constexpr std::array<std::string_view, 6> kWaiting = {
      "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT"};
  constexpr std::array<std::string_view, 10> kEnded = {
      "BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE", "FAILED",
      "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",  "TIMEOUT"};
  if (std::ranges::find(kWaiting, state) != kWaiting.end()) return Stage::kWaiting;
  return std::ranges::find(kEnded, state) != kEnded.end() ? Stage::kEnded : Stage::kRunning;
}

std::vector<QueuedTask> ParseQueue(std::string_view text) {
  std::vector<QueuedTask> tasks;
  for (const std::string_view line : Lines(text)) {
    const std::vector<std::string_view> parts = Split(line, '|', 6);
    if (parts.size() < 6 || NumberOf(parts[0]) < 0 || parts[2].empty()) continue;
    tasks.push_back({std::string(parts[0]), NumberOf(parts[1]), std::string(parts[2]),
                     OrEmpty(parts[3]), OrEmpty(parts[4]), OrEmpty(parts[5])});
  }
  return tasks;
}

std::vector<JobTimes> ParseTimes(std::string_view text) {
  const auto moment = [](std::string_view word) {
    std::int64_t seconds = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), seconds);
    return read.ec == std::errc() && read.ptr == word.data() + word.size() && seconds > 0
               ? std::optional(seconds)
               : std::nullopt;
  };
  std::vector<JobTimes> times;
  for (const std::string_view line : Lines(text)) {
    const std::vector<std::string_view> parts = Split(line, '|', 5);
    if (parts.size() < 5 || NumberOf(parts[0]) < 0 || parts[1].empty()) continue;
    times.push_back({std::string(parts[0]), std::string(parts[1]), moment(parts[2]),
                     moment(parts[3]), moment(Trimmed(parts[4]))});
  }
  return times;
}

std::string WhyStuck(const QueuedTask& task) {
  constexpr std::array<std::string_view, 8> kStuck = {
      "PartitionTimeLimit", "PartitionNodeLimit",       "JobHeldUser", "JobHeldAdmin",
      "BadConstraints",     "DependencyNeverSatisfied", "InvalidQOS",  "InvalidAccount"};
  if (std::ranges::find(kStuck, task.reason) == kStuck.end()) return {};
  return fmt::format(
      "Slurm does not start job {}: {}; `scontrol show job {}` says more, `scancel {}` ends it, "
      "and --slurm-option changes what is asked for",
      task.job, task.reason, task.job, task.job);
}

ClusterNodes ParseNodes(std::string_view text) {
  ClusterNodes nodes;
  for (const std::string_view line : Lines(text)) {
    const std::vector<std::string_view> parts = Split(line, '|', 2);
    for (const std::string_view feature : Split(parts[0], ',', std::string_view::npos))
      if (!OrEmpty(Trimmed(feature)).empty()) nodes.features.emplace_back(Trimmed(feature));
    if (parts.size() < 2) continue;
    for (const std::string_view resource : Split(parts[1], ',', std::string_view::npos)) {
      // "gpu:h100:4(S:0-1)"; without a type "gpu:4".
      const std::vector<std::string_view> words = Split(resource, ':', 3);
      if (words.size() == 3 && Trimmed(words[0]) == "gpu" && !words[1].empty())
        nodes.gpu_types.emplace_back(words[1]);
    }
  }
  SortOnce(nodes.features);
  SortOnce(nodes.gpu_types);
  return nodes;
}

int ParseArrayLimit(std::string_view text) {
  for (const std::string_view line : Lines(text)) {
    const std::vector<std::string_view> parts = Split(line, '=', 2);
    if (parts.size() == 2 && Trimmed(parts[0]) == "MaxArraySize")
      return std::max(0, NumberOf(Trimmed(parts[1])));
  }
  return 0;
}

std::string ParseJobId(std::string_view text) {
  for (const std::string_view line : Lines(text)) {
    const std::string_view id = Trimmed(Split(line, ';', 2).front());
    if (NumberOf(id) > 0) return std::string(id);
  }
  return {};
}

}  // namespace xsp::slurm
