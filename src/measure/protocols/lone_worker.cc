#include "measure/protocols/lone_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/clock_text.h"
#include "ingest/trace_files/trace_loader.h"
#include "measure/workers/deadlines.h"

namespace xsp::protocols {

using Seconds = workers::WorkerSession::Seconds;

LoneWorker::LoneWorker(const PlannedRun& plan, const requests::ExperimentRequest& request,
                       os::Interrupts& interrupts, core::Progress& progress, std::string_view doing)
    : request_(request), interrupts_(interrupts), progress_(progress), doing_(doing) {
  run_.plan = plan;
}

MeasuredRun LoneWorker::Measure(const std::function<Status()>& measure) {
  const MachineCounters before = ReadMachineCounters();
  Status status = Open();
  if (status.ok()) status = measure();
  const Status closed = Close();
  if (!run_.started.empty()) run_.interference = Between(before, ReadMachineCounters());
  const Status& worst = status.ok() ? closed : status;
  run_.status = "done";
  if (!worst.ok()) {
    run_.failure = worst.error();
    run_.status = run_.failure->kind == ErrorKind::kInterrupted ? "interrupted" : "failed";
    if (run_.status == "failed")
      progress_.Note(fmt::format("{} failed: {}", run_.plan.name, run_.failure->what));
  }
  return std::move(run_);
}

Status LoneWorker::Open() {
  if (interrupts_.stop())
    return Error{ErrorKind::kInterrupted, "interrupted before it was started", ""};
  if (run_.plan.refused) return *run_.plan.refused;
  Say("loading and warming up");
  run_.started = core::NowRfc3339();
  XSP_TRY(workers::WorkerSession session,
          workers::WorkerSession::Start(run_.plan.session, interrupts_));
  session_.emplace(std::move(session));
  const double deadline_s =
      request_.deadline_s > 0 ? request_.deadline_s : workers::kStartDeadlineS;
  XSP_TRY(const workers::WorkerSession::Ready ready, session_->AwaitReady(Seconds(deadline_s)));
  run_.warmup_calls = ready.warmup_calls;
  run_.settled = ready.settled;
  for (const std::string& guess : ready.guessed) progress_.Note("guessed of input " + guess);
  if (!run_.settled)
    progress_.Note(
        fmt::format("{}: warm-up did not settle in {} calls", run_.plan.name, run_.warmup_calls));
  return Ok{};
}

Status LoneWorker::Run(int calls, workers::WorkerSession::Deadline deadline) {
  XSP_TRY(const workers::WorkerSession::Latencies latencies, session_->Run(calls, "", deadline));
  CountCalls(calls);
  return Ok{};
}

Result<trace::Trace> LoneWorker::Recorded() const {
  XSP_TRY(const trace_files::RecognisedFile file,
          trace_files::Recognise(run_.plan.session.recording));
  return trace_files::LoadTrace({file});
}

workers::WorkerSession::Deadline LoneWorker::Deadline(double expected_s) const {
  return workers::BlockDeadline(expected_s, request_.deadline_s);
}

Status LoneWorker::Close() {
  if (!session_) return Ok{};
  run_.peak_resident_bytes = session_->PeakMemoryBytes().value_or(0);
  const Status stopped =
      interrupts_.give_up() ? Status(Ok{}) : session_->Stop(workers::kStopDeadline);
  run_.stderr_tail = session_->stderr_tail();
  run_.exit = session_->exit();
  session_.reset();
  return stopped;
}

void LoneWorker::Say(std::string_view what, double fraction, double left_s) {
  progress_.Step(fmt::format("{} {}: {}", run_.plan.name, doing_, what), fraction, left_s);
}

}  // namespace xsp::protocols
