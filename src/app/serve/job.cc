#include "app/serve/job.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

json OrNull(const std::string& text) { return text.empty() ? json() : json(text); }

/// Of the exit statuses of the command line (docs/command-line.md).
std::string_view KindOfStatus(int status) {
  switch (status) {
    case 2:
      return "usage";
    case 3:
      return "bad_input";
    case 4:
      return "not_possible";
    case 5:
      return "environment";
    case 6:
      return "gate";
    case 7:
      return "inconclusive";
    case 130:
      return "interrupted";
    default:
      return "internal";
  }
}

json ErrorOf(const Job& job) {
  if (job.state == JobState::kInterrupted)
    return {{"kind", "interrupted"},
            {"what", "the job's process ended without a status"},
            {"hint", "Its log may say why. Start the job again."}};
  if (job.state != JobState::kFailed) return nullptr;
  return {{"kind", KindOfStatus(job.exit_status.value_or(1))},
          {"what", job.error_what},
          {"hint", job.error_hint}};
}

}  // namespace

std::string_view NameOf(JobState state) {
  switch (state) {
    case JobState::kQueued:
      return "queued";
    case JobState::kRunning:
      return "running";
    case JobState::kDone:
      return "done";
    case JobState::kFailed:
      return "failed";
    case JobState::kCancelled:
      return "cancelled";
    case JobState::kInterrupted:
      return "interrupted";
  }
  return "";
}

json ToJson(const Job& job, int position) {
  json progress;
  if (job.progress)
    progress = {
        {"step", job.progress->step},
        {"fraction", job.progress->fraction},
        {"remaining_s", job.progress->remaining_s < 0 ? json() : json(job.progress->remaining_s)}};
  return {{"id", job.id},
          {"operation", job.operation},
          {"request", job.request},
          {"command", job.command},
          {"user", job.user},
          {"state", NameOf(job.state)},
          {"created", job.created},
          {"started", OrNull(job.started)},
          {"ended", OrNull(job.ended)},
          {"position", position > 0 ? json(position) : json()},
          {"progress", std::move(progress)},
          {"exit_status", job.exit_status ? json(*job.exit_status) : json()},
          {"error", ErrorOf(job)},
          {"experiment", OrNull(job.experiment)}};
}

}  // namespace xsp::serve
