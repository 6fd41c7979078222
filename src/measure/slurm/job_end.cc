#include "measure/slurm/job_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "os/files.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t kExcerptBytes = 400;
constexpr std::uintmax_t kNearlyFullBytes = 1 << 20;

/// Why a state of Slurm ended a job, and what to do; an empty hint: run it again.
struct Meaning {
  std::string_view state, why, hint;
};

constexpr std::array<Meaning, 8> kMeanings = {{
    {"CANCELLED", "the job was cancelled", ""},
    {"TIMEOUT", "the time limit was reached", "Give more: --slurm-option time=MINUTES"},
    {"DEADLINE", "the deadline of the job was reached", ""},
    {"OUT_OF_MEMORY", "the job had not enough memory",
     "Give more: --slurm-option mem=MEGABYTES, or `memory_gb` of the sweep's machine"},
    {"NODE_FAIL", "its node failed", ""},
    {"BOOT_FAIL", "its node did not start", ""},
    {"PREEMPTED", "another job took its node", ""},
    {"REVOKED", "the job runs on another cluster", ""},
}};

std::string OnNode(const QueuedTask& task) { return task.node.empty() ? "" : " on " + task.node; }

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

}  // namespace

std::optional<JobEnd> EndOf(std::string_view state, std::string_view again) {
  const auto found = std::ranges::find(kMeanings, state, &Meaning::state);
  if (found == kMeanings.end()) return std::nullopt;
  return JobEnd{std::string(found->why), std::string(found->hint.empty() ? again : found->hint)};
}

JobEnd EndWithoutResult(const fs::path& log, const QueuedTask* job, std::string_view again) {
  if (job != nullptr)
    if (std::optional<JobEnd> end = EndOf(job->state, again)) {
      end->why += OnNode(*job);
      return *end;
    }
  std::error_code error;
  const fs::space_info space = fs::space(log.parent_path(), error);
  if (!error && space.available < kNearlyFullBytes)
    return {"the disk of the store is full", fmt::format("Free space there; {}", again)};
  const std::string excerpt = ExcerptOf(log);
  return {fmt::format("the job ended without a result{}{}",
                      job == nullptr ? "" : fmt::format(" ({}{})", job->state, OnNode(*job)),
                      excerpt.empty() ? "" : ": " + excerpt),
          "Its log: " + log.string()};
}

std::chrono::seconds PatienceFor(std::string_view state) {
  if (state == "TIMEOUT" || state == "OUT_OF_MEMORY") return 2s;
  if (state == "CANCELLED") return 5s;  // Preemption is called so, too, for a moment.
  if (state == "NODE_FAIL" || state == "PREEMPTED" || state == "BOOT_FAIL") return 60s;
  return 30s;
}

}  // namespace xsp::slurm
