#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "api/stored_names.h"
#include "app/serve/routes.h"
#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kJobsOfList = 200;
constexpr std::chrono::milliseconds kWait(1000);
/// After so many waits without news a comment is sent, which finds out that the reader has gone.
constexpr int kQuietWaits = 5;

Reply NoSuchJob() {
  return ErrorReply(404, "not_found", "no such job", "GET /api/v1/jobs lists them.");
}

Reply List(const ServiceParts& parts) {
  json jobs = json::array();
  for (const JobQueue::Placed& placed : parts.jobs.All()) {
    if (jobs.size() == kJobsOfList) break;
    jobs.push_back(ToJson(placed.job, placed.position));
  }
  return JsonReply({{"jobs", std::move(jobs)}});
}

/// Sends a job as a server-sent event each time that it has changed.
class Events {
 public:
  /// `id`: of one job; empty: of all.
  Events(JobQueue& jobs, std::string id) : jobs_(jobs), id_(std::move(id)) {}

  /// As Reply::stream.
  bool Next(std::string* piece) {
    const std::uint64_t now = jobs_.WaitForChange(seen_, kWait);
    if (now == seen_) {
      if (++quiet_ % kQuietWaits == 0) *piece = ": still here\n\n";
      return true;
    }
    seen_ = now;
    quiet_ = 0;
    bool has_ended = true;
    std::size_t shown = 0;
    for (const JobQueue::Placed& placed : jobs_.All()) {
      if (!id_.empty() && placed.job.id != id_) continue;
      if (++shown > kJobsOfList) break;
      has_ended = has_ended && placed.job.has_ended();
      std::string text = core::JsonText(ToJson(placed.job, placed.position));
      std::string& sent = sent_[placed.job.id];
      if (sent == text) continue;
      *piece += "event: job\ndata: " + text + "\n\n";
      sent = std::move(text);
    }
    return id_.empty() || !has_ended;
  }

 private:
  JobQueue& jobs_;
  const std::string id_;
  std::uint64_t seen_ = 0;
  int quiet_ = 0;
  std::map<std::string, std::string> sent_;
};

Reply Stream(const ServiceParts& parts, const std::string& id) {
  auto events = std::make_shared<Events>(parts.jobs, id);
  return {.content_type = "text/event-stream",
          .headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}},
          .stream = [events](std::string* piece) { return events->Next(piece); }};
}

std::string IdOf(const Request& request) { return request.captured.at("id"); }

/// Calls `answer` with the job that the request names.
template <typename Answer>
auto OfJob(const ServiceParts& parts, Answer answer) {
  return [&parts, answer](const Request& request) -> Reply {
    const auto placed = parts.jobs.Find(IdOf(request));
    return placed ? answer(*placed) : NoSuchJob();
  };
}

Reply Cancel(const ServiceParts& parts, const JobQueue::Placed& placed) {
  if (!parts.jobs.Cancel(placed.job.id))
    return ErrorReply(409, "conflict", "the job has ended", "");
  const auto now = parts.jobs.Find(placed.job.id);
  return JsonReply(ToJson(now->job, now->position), 202);
}

Reply ResultOf(const ServiceParts& parts, const JobQueue::Placed& placed) {
  auto result = parts.jobs.FolderOf(placed.job.id).ReadResult();
  if (!result.ok())
    return ErrorReply(404, "not_found", "the job has no result",
                      placed.job.has_ended() ? "Its log says why." : "It has not ended yet.");
  json document = core::ParseJson(result.value());
  if (document.is_discarded()) return {.body = std::move(result).value()};
  api::ToStoredNames(parts.context.store, &document);
  return JsonReply(document);
}

/// Of a job that has ended there is nothing to see: what it measured is in the store.
Reply LevelsOf(const ServiceParts& parts, const JobQueue::Placed& placed) {
  if (placed.job.state != JobState::kRunning) return JsonReply({{"runs", json::array()}});
  return {.body = parts.jobs.FolderOf(placed.job.id).WatchLevels(),
          .headers = {{"Cache-Control", "no-store"}}};
}

}  // namespace

void AddJobRoutes(const ServiceParts& parts, Router* router) {
  router->Add({.method = "GET", .pattern = "/api/v1/jobs", .answer = [&parts](const Request&) {
                 return List(parts);
               }});
  router->Add({.method = "GET",
               .pattern = "/api/v1/jobs/events",
               .answer = [&parts](const Request&) { return Stream(parts, ""); }});
  router->Add({.method = "GET",
               .pattern = "/api/v1/jobs/{id}",
               .answer = OfJob(parts, [](const JobQueue::Placed& placed) {
                 return JsonReply(ToJson(placed.job, placed.position));
               })});
  router->Add({.method = "DELETE",
               .pattern = "/api/v1/jobs/{id}",
               .role = Role::kMeasure,
               .answer = OfJob(parts, [&parts](const JobQueue::Placed& placed) {
                 return Cancel(parts, placed);
               })});
  router->Add({.method = "GET",
               .pattern = "/api/v1/jobs/{id}/events",
               .answer = OfJob(parts, [&parts](const JobQueue::Placed& placed) {
                 return Stream(parts, placed.job.id);
               })});
  router->Add({.method = "GET",
               .pattern = "/api/v1/jobs/{id}/log",
               .answer = OfJob(parts, [&parts](const JobQueue::Placed& placed) {
                 return Reply{.content_type = "text/plain; charset=utf-8",
                              .body = parts.jobs.FolderOf(placed.job.id).ReadLog()};
               })});
  router->Add({.method = "GET",
               .pattern = "/api/v1/jobs/{id}/levels",
               .answer = OfJob(parts, [&parts](const JobQueue::Placed& placed) {
                 return LevelsOf(parts, placed);
               })});
  router->Add({.method = "GET",
               .pattern = "/api/v1/jobs/{id}/result",
               .answer = OfJob(parts, [&parts](const JobQueue::Placed& placed) {
                 return ResultOf(parts, placed);
               })});
}

}  // namespace xsp::serve
