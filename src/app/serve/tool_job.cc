#include "app/serve/tool_job.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/stored_names.h"
#include "app/mcp/json_rpc.h"
#include "app/mcp/tool_call.h"
#include "core/json_text.h"
#include "core/result.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kWaitForNews(1000);
/// After so many waits without news a comment keeps proxies from closing the connection.
constexpr int kWaitsUntilComment = 5;

std::string EventText(const std::string& message) {
  return "event: message\ndata: " + message + "\n\n";
}

/// Why a job that has ended has no answer.
Error FailureOf(const Job& job) {
  if (job.state == JobState::kCancelled)
    return {ErrorKind::kInterrupted, "the job was cancelled",
            "What it measured until then is in the store: see the tool list."};
  if (job.state == JobState::kInterrupted)
    return {ErrorKind::kEnvironment, "the job's process was killed", "Call the tool again."};
  // A status of the program is the number of a kind of error.
  const int status = job.exit_status.value_or(static_cast<int>(ErrorKind::kInternal));
  return {static_cast<ErrorKind>(status), job.error_what, job.error_hint};
}

}  // namespace

ToolJob::ToolJob(const ServiceParts& parts, std::string job, json request,
                 mcp::ToolCallParams params, mcp::AnswerPage page)
    : parts_(parts),
      job_(std::move(job)),
      request_(std::move(request)),
      params_(std::move(params)),
      page_(std::move(page)) {}

json ToolJob::ResultOf(const Job& job) const {
  if (job.state != JobState::kDone) return mcp::CallResult(FailureOf(job));
  const auto text = parts_.jobs.FolderOf(job_).ReadResult();
  if (!text.ok()) return mcp::CallResult(text.error());
  json document = core::ParseJson(text.value());
  if (document.is_discarded())
    return mcp::CallResult(Error{ErrorKind::kInternal, "the job's document is not JSON", ""});
  api::ToStoredNames(parts_.context.store, &document);
  return mcp::CallResult(mcp::AnswerOf(*params_.tool, std::move(document), {}, page_));
}

bool ToolJob::Next(std::string* piece) {
  const std::uint64_t now = parts_.jobs.WaitForChange(seen_, kWaitForNews);
  if (now == seen_) {
    if (++quiet_ % kWaitsUntilComment == 0) *piece = ": still here\n\n";
    return true;
  }
  seen_ = now;
  quiet_ = 0;
  const auto placed = parts_.jobs.Find(job_);
  if (placed && !placed->job.has_ended()) {
    const auto& progress = placed->job.progress;
    if (!progress || params_.progress_token.is_null()) return true;
    const int percent = static_cast<int>(std::clamp(progress->fraction, 0.0, 1.0) * 100);
    // The protocol wants growing numbers.
    if (percent <= percent_) return true;
    percent_ = percent;
    *piece = EventText(mcp::ProgressText(params_.progress_token, percent, progress->step));
    return true;
  }
  const json result = placed ? ResultOf(placed->job)
                             : mcp::CallResult(Error{ErrorKind::kEnvironment, "the job is gone",
                                                     "See the tool list for what it has stored."});
  *piece = EventText(mcp::RpcResultText(request_, result));
  return false;
}

}  // namespace xsp::serve
