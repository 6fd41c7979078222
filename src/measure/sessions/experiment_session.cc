#include "measure/sessions/experiment_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/clock_text.h"
#include "derive/experiments/device_roofs.h"
#include "derive/match/match.h"
#include "ingest/trace_files/trace_loader.h"
#include "measure/models/model.h"
#include "measure/sessions/session_documents.h"

namespace xsp::sessions {

namespace fs = std::filesystem;

namespace {

/// What an experiment of a few batch sizes comes to, and what its recordings take meanwhile.
constexpr std::int64_t kStoreProbeBytes = 8 << 20;
constexpr std::int64_t kScratchProbeBytes = 32 << 20;

Error Interrupted() {
  return {ErrorKind::kInterrupted, "interrupted before anything was measured", ""};
}

/// Model calls after warm-up that a trace holds.
std::int64_t CountSamples(const trace::Trace& trace) {
  std::int64_t samples = 0;
  for (std::size_t i = 0; i < trace.metrics.size(); ++i) {
    if (trace.metrics.value[i] >= 0 &&
        trace.Text(trace.metrics.name[i]) == trace::metric::kIteration)
      ++samples;
  }
  return samples;
}

Result<trace::Trace> Load(const fs::path& recording) {
  XSP_TRY(const trace_files::RecognisedFile file, trace_files::Recognise(recording));
  return trace_files::LoadTrace({file});
}

}  // namespace

ExperimentSession::ExperimentSession(const requests::ExperimentRequest& request)
    : request_(request),
      progress_(request.progress != nullptr ? *request.progress : nobody_),
      interrupts_(request.interrupts != nullptr ? *request.interrupts : never_),
      protocol_(protocols::ProtocolFor(request)) {}

Status ExperimentSession::Open(const ExperimentSession* first) {
  XSP_TRY(os::ScratchFolder scratch, os::ScratchFolder::Create());
  scratch_.emplace(std::move(scratch));
  XSP_RETURN_IF_ERROR(os::ProbeSpace(scratch_->path(), kScratchProbeBytes));
  XSP_RETURN_IF_ERROR(protocol_->Open(progress_));
  XSP_TRY(planned_,
          PlanRuns(request_, *protocol_,
                   {scratch_->path(), models::ZooMaking::kMake, interrupts_.wake_fd()}, progress_));
  if (first != nullptr) {
    name_ = first->name_ + "-against";
    for (std::vector<protocols::PlannedRun>& group : planned_.plan.groups)
      for (protocols::PlannedRun& run : group) run.side = "against";
  } else {
    name_ = request_.name.empty() ? fmt::format("{}-{}", planned_.model, core::NowForNames())
                                  : request_.name;
  }
  XSP_TRY(auto builder, experiments::ExperimentBuilder::Create(request_.store, name_));
  builder_.emplace(std::move(builder));
  live_ = {.experiment = name_,
           .recordings = scratch_->path(),
           .runs = {},
           .session = live::NewSession()};
  XSP_RETURN_IF_ERROR(live::Check(LiveRequest()));
  XSP_RETURN_IF_ERROR(os::ProbeSpace(builder_->writer().folder(), kStoreProbeBytes));
  for (const match::PointInput& point : plan_.points)
    outputs_.push_back(
        {point.point_id, protocols::OutputsFolder(scratch_->path(), point.point_id)});
  return Ok{};
}

executors::MeasuredGroup ExperimentSession::Measure(const std::vector<protocols::PlannedRun>& group,
                                                    protocols::ProgressEstimator& estimator) {
  return executor_->Measure(*protocol_, group, builder_->next_run_id(), interrupts_, estimator);
}

Status ExperimentSession::Store(executors::MeasuredGroup measured,
                                protocols::ProgressEstimator& estimator) {
  monitor_.Take(std::move(measured.series));
  for (protocols::MeasuredRun& run : measured.runs) {
    if (interrupts_.give_up()) return Interrupted();
    estimator.Say(fmt::format("storing {}", run.plan.name));
    XSP_RETURN_IF_ERROR(StoreRun(run));
    runs_.push_back(std::move(run));
  }
  return Ok{};
}

Result<ExperimentOutcome> ExperimentSession::Commit(const protocols::Interference& interference) {
  interference_ = interference;
  if (samples_ == 0) return NothingMeasured();
  return Finish();
}

Error ExperimentSession::KeepRecordings(Error error) {
  if (error.kind == ErrorKind::kInterrupted || samples_ == 0) return error;
  scratch_->Keep();
  error.what += fmt::format("; the recordings are kept in {}", scratch_->path().string());
  error.hint += fmt::format("{}Then: xsp import {}/NAME.xspr", error.hint.empty() ? "" : " ",
                            scratch_->path().string());
  return error;
}

Result<std::unique_ptr<live::LiveStreams>> ExperimentSession::StartStreams(
    const std::vector<protocols::PlannedRun>& group) {
  live_.runs.clear();
  for (const protocols::PlannedRun& run : group)
    live_.runs.insert(run.session.recording.stem().string());
  ++live_.group;
  live_.has_lost |= streamed_.has_lost;
  return live::LiveStreams::Start(LiveRequest(), live_);
}

void ExperimentSession::EndStreams(live::LiveStreams& streams) {
  streamed_ = streams.Stop();
  live_notes_.insert(live_notes_.end(), streamed_.notes.begin(), streamed_.notes.end());
}

/// Imports a run's recording and writes its tables and run.json.
Status ExperimentSession::StoreRun(protocols::MeasuredRun& run) {
  experiments::ExperimentBuilder& builder = *builder_;
  trace::Trace trace;
  std::error_code error;
  const fs::path& recording = run.plan.session.recording;
  if (!run.started.empty() && fs::exists(recording, error)) {
    auto loaded = Load(recording);
    if (loaded.ok()) {
      trace = std::move(loaded).value();
    } else if (!run.failure) {
      run.failure = loaded.error();
      run.status = "failed";
    }
  } else if (!run.failure) {
    run.failure = Error{ErrorKind::kEnvironment, "worker left no recording", ""};
    run.status = "failed";
  }
  const std::int64_t samples = CountSamples(trace);
  samples_ += samples;
  const bool left_something = trace.spans.size() > 0;
  match::RunInput input;
  input.point_id = run.plan.point_id;
  input.rung = run.plan.rung;
  input.status = run.status;
  input.path = run.plan.name;
  input.peak_resident_bytes = run.peak_resident_bytes;
  input.process = run.plan.process;
  input.process_pair = run.plan.process_pair;
  input.process_pair_of = run.plan.process_pair_of;
  if (run.failure) input.message = MessageOf(*run.failure);
  const std::int64_t run_id = builder.next_run_id();
  if (experiments::HasDeviceKernels(trace)) devices_.merge(experiments::DeviceNames(trace));
  if (left_something) {
    const auto& point = plan_.points[static_cast<std::size_t>(run.plan.point_id - 1)];
    protocol_->AddRun(run, run_id, point, trace, progress_);
    monitor_.AddTo(run_id, trace);
    streamed_.AddTo(run.plan.name, trace);
  }
  // The deepest rung shows most of what happened when.
  const bool has_timeline = input.rung == "kernel" && input.process_pair == 0;
  store::RunMetadata metadata =
      MetadataOf(run, protocols::BackendOf(run.plan.point_id, backends_).model, executor_->stack(),
                 executor_->allowance());
  streamed_.AddTo(run.plan.name, metadata.details);
  return builder.AddRun(std::move(input), metadata, trace, has_timeline);
}

/// Matches, adds the roofs, and moves the experiment into place.
Result<ExperimentOutcome> ExperimentSession::Finish() {
  experiments::ExperimentBuilder& builder = *builder_;
  progress_.Step("matching layers and kernels", 1, -1);
  XSP_RETURN_IF_ERROR(builder.MakeTables(plan_.points, outputs_));
  XSP_RETURN_IF_ERROR(KeepOutputs());
  XSP_RETURN_IF_ERROR(protocol_->WriteTables(builder.writer()));
  XSP_RETURN_IF_ERROR(monitor_.Write(builder.writer()));
  // After an interrupt a user wants to see the end, not some seconds more of work.
  if (request_.roofs && !interrupts_.stop()) XSP_RETURN_IF_ERROR(StoreRoofs());
  if (interrupts_.give_up()) return Interrupted();

  ExperimentOutcome outcome;
  outcome.conditions = interference_.Sentence();
  outcome.monitor_cost = monitor_.Sentence();
  outcome.live_notes = live_notes_;
  if (interference_.busy()) progress_.Note(outcome.conditions);
  CollectFailures(outcome);
  XSP_TRY(outcome.path, builder.Commit(MetadataOf(request_, backends_, outcome,
                                                  executor_->allowance(), interference_)));
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const match::RunInput& run = builder.runs()[i];
    outcome.runs.push_back({run.path, run.folder.empty() ? fs::path() : outcome.path / run.path,
                            run.rung, run.status, run.message});
  }
  return outcome;
}

/// Where a user asked for the results of calls, which else end with the temporary folder.
Status ExperimentSession::KeepOutputs() const {
  if (request_.keep_outputs.empty()) return Ok{};
  for (const compare::PointOutputs& point : outputs_) {
    std::error_code error;
    if (!fs::exists(point.folder, error)) continue;  // The point failed before its first call.
    const fs::path kept = request_.keep_outputs / std::to_string(point.point_id);
    fs::create_directories(kept, error);
    constexpr auto kHow = fs::copy_options::recursive | fs::copy_options::overwrite_existing;
    if (!error) fs::copy(point.folder, kept, kHow, error);
    if (error)
      return Error{
          ErrorKind::kEnvironment,
          fmt::format("results cannot be stored in {}: {}", kept.string(), error.message()),
          "choose a writable folder with --keep-outputs"};
  }
  return Ok{};
}

/// Of the device that executed kernels, measured where that is possible, else of its data sheet;
/// without a device of this machine's CPU.
Status ExperimentSession::StoreRoofs() {
  experiments::ExperimentBuilder& builder = *builder_;
  if (!devices_.empty()) {
    if (devices_.size() == 1) {
      const auto measured = executor_->GpuRoofs(*devices_.begin(), progress_);
      if (measured.ok()) return builder.AddRoofs(measured.value());
      if (measured.error().kind != ErrorKind::kNotPossible)
        progress_.Note(
            fmt::format("the GPU's roofs are those of its data sheet: {}", measured.error().what));
    }
    const auto of_device = experiments::RoofsOfDevice(devices_);
    if (of_device.ok()) return builder.AddRoofs(of_device.value());
    progress_.Note(fmt::format("no roofs: {}", of_device.error().what));
    return Ok{};
  }
  const auto report = executor_->Roofs(static_cast<int>(plan_.points.front().cores), progress_);
  if (report.ok()) return builder.AddRoofs(report.value());
  progress_.Note(fmt::format("no roofs: {}", report.error().what));
  return Ok{};
}

/// A backend of `all` that made no call of a point, where others did.
bool ExperimentSession::IsLeftOut(const protocols::MeasuredRun& run) const {
  return run.plan.is_optional && run.status == "failed" &&
         std::none_of(runs_.begin(), runs_.end(), [&](const protocols::MeasuredRun& other) {
           return other.plan.point_id == run.plan.point_id && other.calls > 0;
         });
}

void ExperimentSession::CollectFailures(ExperimentOutcome& outcome) const {
  bool interrupted = false, failed = false;
  std::set<std::string> seen;
  for (const protocols::MeasuredRun& run : runs_) {
    if (IsLeftOut(run)) {
      const std::string& backend = protocols::BackendOf(run.plan.point_id, backends_).name;
      const bool has_reason = run.failure && (!run.started.empty() || run.plan.refused);
      if (has_reason && seen.insert(backend).second)
        outcome.left_out.push_back(fmt::format("{}: {}", backend, run.failure->what));
      continue;
    }
    interrupted |= run.status == "interrupted";
    failed |= run.status == "failed";
    // What was not started has its reason in another run.
    const bool has_reason = !run.started.empty() || run.plan.refused;
    if (run.status != "failed" || !run.failure || !has_reason) continue;
    if (seen.insert(run.failure->what).second) outcome.failures.push_back(*run.failure);
  }
  outcome.status = interrupted ? "interrupted" : failed ? "partial" : "done";
  if (interrupted) {
    outcome.exit_status = static_cast<int>(ErrorKind::kInterrupted);
  } else if (failed) {
    const bool alike = std::all_of(
        outcome.failures.begin(), outcome.failures.end(),
        [&](const Error& error) { return error.kind == outcome.failures.front().kind; });
    const ErrorKind kind = alike && !outcome.failures.empty() ? outcome.failures.front().kind
                                                              : ErrorKind::kEnvironment;
    outcome.exit_status = static_cast<int>(kind);
  }
}

/// No run gave a sample: an experiment without content is an error, and not stored.
Error ExperimentSession::NothingMeasured() const {
  if (interrupts_.stop()) return Interrupted();
  for (const protocols::MeasuredRun& run : runs_) {
    if (!run.failure) continue;
    return {run.failure->kind, fmt::format("nothing was measured: {}", run.failure->what),
            run.failure->hint};
  }
  return {ErrorKind::kInternal, "nothing was measured, and no run has a reason", ""};
}

}  // namespace xsp::sessions
