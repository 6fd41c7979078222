#include "measure/evaluate/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "derive/match/match.h"
#include "measure/evaluate/clock_text.h"
#include "measure/evaluate/conditions.h"
#include "measure/evaluate/dataset_figures.h"
#include "measure/evaluate/dataset_run.h"
#include "measure/evaluate/documents.h"
#include "measure/evaluate/import.h"
#include "measure/evaluate/interrupt.h"
#include "measure/evaluate/measurement.h"
#include "measure/evaluate/model.h"
#include "measure/evaluate/plan.h"
#include "measure/evaluate/run_monitor.h"
#include "measure/evaluate/scenario.h"
#include "measure/evaluate/scratch_folder.h"
#include "measure/evaluate/tables.h"
#include "measure/evaluate/worker_program.h"
#include "measure/roof_loops/measured_roofs.h"
#include "store/experiment_writer.h"

namespace xsp::evaluate {

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

/// Tells a Progress how the measuring of roofs goes.
std::function<void(std::string_view, double)> RoofProgress(Progress& progress) {
  return [&progress](std::string_view step, double fraction) {
    progress.Step(fmt::format("measuring this machine's roofs (once): {}", step), fraction, -1);
  };
}

/// One call of RunExperiment.
class Experiment {
 public:
  explicit Experiment(const ExperimentRequest& request)
      : request_(request),
        progress_(request.progress != nullptr ? *request.progress : nobody_),
        monitor_(request.monitor_rate_hz) {}

  Result<ExperimentOutcome> Run() {
    XSP_RETURN_IF_ERROR(CheckRequest(request_));
    progress_.Step("looking for model and worker", 0, -1);
    XSP_RETURN_IF_ERROR(CheckZooWorker());
    XSP_RETURN_IF_ERROR(OpenDataset());
    XSP_TRY(backends_, ChooseBackends(request_, progress_, interrupts_.wake_fd()));
    const std::string name =
        request_.name.empty() ? fmt::format("{}-{}", ModelName(), NowForNames()) : request_.name;
    XSP_TRY(store::ExperimentWriter writer, store::ExperimentWriter::Create(request_.store, name));
    XSP_TRY(ScratchFolder scratch, ScratchFolder::Create());
    XSP_RETURN_IF_ERROR(ProbeSpace(writer.folder(), kStoreProbeBytes));
    XSP_RETURN_IF_ERROR(ProbeSpace(scratch.path(), kScratchProbeBytes));
    allowance_ = ReadCpuAllowance();
    stack_ = CaptureStackJson();
    XSP_TRY(plan_, MakePlan(request_, backends_, allowance_.cores(), scratch.path()));
    for (match::PointInput& point : plan_.points) {
      point.model = ModelName();
      outputs_.push_back({point.point_id, OutputsFolder(scratch.path(), point.point_id)});
    }

    XSP_RETURN_IF_ERROR(AddDatasetToJobs());
    const Status stored = MeasureAndStore(writer);
    if (!stored.ok()) return AfterFailure(stored.error(), scratch);
    if (samples_ == 0) return NothingMeasured();
    Result<ExperimentOutcome> outcome = Finish(writer);
    if (!outcome.ok()) return AfterFailure(outcome.error(), scratch);
    return outcome;
  }

 private:
  /// Making a zoo model takes a while: a worker that is missing is found before.
  Status CheckZooWorker() const {
    if (!request_.backends.empty() || !request_.worker.empty()) return Ok{};
    XSP_TRY(const std::optional<ZooModel> zoo, FindInZoo(request_.model));
    if (!zoo || zoo->files.front().made) return Ok{};
    XSP_TRY(const WorkerProgram worker,
            ChooseWorker(zoo->files.front().path, zoo->manifest.framework.name));
    return Ok{};
  }

  /// What is right for each sample that will be taken. The samples are not kept: every worker reads
  /// them itself.
  Status OpenDataset() {
    if (request_.dataset.text.empty()) return Ok{};
    XSP_TRY(const std::unique_ptr<pipeline::Dataset> dataset, Open(request_.dataset));
    const std::size_t count = CountSamples(request_.dataset, *dataset);
    std::vector<pipeline::GroundTruth> truths(count);
    for (std::size_t i = 0; i < count; ++i) {
      pipeline::Sample sample;
      // What cannot be read is counted where it is used.
      (void)dataset->Read(pipeline::SpreadIndex(i, count, dataset->size()), sample);
      truths[i] = std::move(sample.truth);
    }
    const auto left_out = static_cast<std::int64_t>(dataset->damaged());
    if (left_out > 0) {
      progress_.Note(fmt::format("{} samples of the data set were excluded, the first is {}: {}",
                                 left_out, dataset->damages().front().name,
                                 dataset->damages().front().reason));
    }
    dataset_samples_ = count;
    evaluation_.emplace(request_.dataset.text, left_out, std::move(truths));
    return Ok{};
  }

  static fs::path PredictionsOf(const PlannedRun& run) {
    return fs::path(run.session.recording).replace_extension(".jsonl");
  }

  /// A backend whose model has no pipeline is refused where there are others.
  Status AddDatasetToJobs() {
    if (!evaluation_) return Ok{};
    for (std::vector<PlannedRun>& group : plan_.groups) {
      for (PlannedRun& run : group) {
        if (run.refused) continue;
        const Status added = AddDatasetToJob(request_.dataset, ModelOf(run.point_id),
                                             PredictionsOf(run), run.session.job);
        if (added.ok()) continue;
        if (backends_.size() == 1) return added;
        run.refused = added.error();
      }
    }
    return Ok{};
  }

  /// Backends alternate in the points of a batch size.
  const Model& ModelOf(std::int64_t point_id) const {
    return backends_[static_cast<std::size_t>(point_id - 1) % backends_.size()].model;
  }

  /// The same for every backend: their files differ, the model does not.
  std::string ModelName() const {
    for (const Backend& backend : backends_)
      if (!backend.refused) return backend.model.name;
    return request_.model;
  }

  Status MeasureAndStore(store::ExperimentWriter& writer) {
    Journey journey(progress_, plan_.groups);
    const MachineCounters before = ReadMachineCounters();
    for (const std::vector<PlannedRun>& group : plan_.groups) {
      monitor_.Begin(progress_);
      std::vector<MeasuredRun> runs = MeasureRuns(group, journey);
      monitor_.End();
      for (MeasuredRun& run : runs) {
        if (interrupts_.give_up()) return Interrupted();
        journey.Say(fmt::format("storing {}", run.plan.name));
        XSP_RETURN_IF_ERROR(StoreRun(run, writer));
        runs_.push_back(std::move(run));
      }
    }
    disturbance_ = Between(before, ReadMachineCounters());
    return Ok{};
  }

  std::vector<MeasuredRun> MeasureRuns(const std::vector<PlannedRun>& group, Journey& journey) {
    if (!request_.scenario.kind.empty()) return MeasureScenarioGroup(group);
    if (!evaluation_)
      return MeasureGroup(group, {request_.seed, request_.deadline_s}, interrupts_, journey);
    std::vector<MeasuredRun> runs;
    for (const PlannedRun& plan : group)
      runs.push_back(MeasureDataset(plan, request_, dataset_samples_, interrupts_, progress_));
    return runs;
  }

  std::vector<MeasuredRun> MeasureScenarioGroup(const std::vector<PlannedRun>& group) {
    std::vector<MeasuredRun> runs;
    for (MeasuredScenario& measured : MeasureScenarios(group, request_, interrupts_, progress_)) {
      const PlannedRun& plan = group[runs.size()];
      const auto run_id = static_cast<std::int64_t>(runs_.size() + runs.size()) + 1;
      for (std::size_t i = 0; i < measured.tries.size(); ++i) {
        AddTry(
            {plan.point_id, run_id, plan.batch, static_cast<std::int64_t>(i), measured.chosen == i},
            measured.tries[i], request_.scenario, scenarios_);
      }
      runs.push_back(std::move(measured.run));
    }
    return runs;
  }

  /// Imports a run's recording and writes its tables and run.json.
  Status StoreRun(MeasuredRun& run, store::ExperimentWriter& writer) {
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
    input.run_id = static_cast<std::int64_t>(runs_.size()) + 1;
    input.point_id = run.plan.point_id;
    input.rung = run.plan.rung;
    input.status = run.status;
    if (left_something) input.folder = writer.folder() / run.plan.name;
    input.path = run.plan.name;
    input.peak_resident_bytes = run.peak_resident_bytes;
    input.process = run.plan.process;
    input.process_pair = run.plan.process_pair;
    input.process_pair_of = run.plan.process_pair_of;
    if (run.failure) input.message = MessageOf(*run.failure);
    // The deepest rung shows most of what happened when.
    if (input.rung == "kernel" && input.process_pair == 0)
      AddTimelineRows(input.run_id, trace, timeline_rows_);
    if (evaluation_ && left_something) AddEvaluation(run, input.run_id, trace);
    if (left_something) monitor_.AddTo(input.run_id, trace);
    inputs_.push_back(std::move(input));
    return writer.AddRun(run.plan.name, trace,
                         RunJson(run, ModelOf(run.plan.point_id), stack_, allowance_));
  }

  void AddEvaluation(const MeasuredRun& run, std::int64_t run_id, const trace::Trace& trace) {
    auto results = ReadPredictions(PredictionsOf(run.plan));
    if (!results.ok()) progress_.Note(fmt::format("{}: {}", run.plan.name, results.error().what));
    const auto& point = plan_.points[static_cast<std::size_t>(run.plan.point_id - 1)];
    evaluation_->Add({run.plan.point_id, run_id, run.plan.batch, point.backend}, trace,
                     results.ok() ? std::move(results).value() : std::vector<SampleResult>());
  }

  static Result<trace::Trace> Load(const fs::path& recording) {
    XSP_TRY(const RecognisedFile file, Recognise(recording));
    return LoadTrace({file});
  }

  /// Matches, adds the roofs, and moves the experiment into place.
  Result<ExperimentOutcome> Finish(store::ExperimentWriter& writer) {
    progress_.Step("matching layers and kernels", 1, -1);
    XSP_RETURN_IF_ERROR(WriteExperimentTables(plan_.points, inputs_, writer, outputs_));
    XSP_RETURN_IF_ERROR(WriteTimelineTables(timeline_rows_, writer));
    XSP_RETURN_IF_ERROR(KeepOutputs());
    if (!scenarios_.rows.empty()) XSP_RETURN_IF_ERROR(writer.AddTable("scenario", scenarios_));
    if (evaluation_) XSP_RETURN_IF_ERROR(evaluation_->Write(writer));
    XSP_RETURN_IF_ERROR(monitor_.Write(writer));
    // After an interrupt a user wants to see the end, not some seconds more of work.
    if (request_.roofs && !interrupts_.stop()) XSP_RETURN_IF_ERROR(StoreRoofs(writer));
    if (interrupts_.give_up()) return Interrupted();

    ExperimentOutcome outcome;
    outcome.conditions = disturbance_.Sentence();
    outcome.monitor_cost = monitor_.Sentence();
    if (disturbance_.busy()) progress_.Note(outcome.conditions);
    CollectFailures(outcome);
    XSP_TRY(outcome.path,
            writer.Commit(ExperimentJson(request_, backends_, outcome, allowance_, disturbance_)));
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const MeasuredRun& run = runs_[i];
      outcome.runs.push_back({run.plan.name,
                              inputs_[i].folder.empty() ? fs::path() : outcome.path / run.plan.name,
                              run.plan.rung, run.status, inputs_[i].message});
    }
    return outcome;
  }

  /// Where a user asked for the results of calls, which else end with the temporary folder.
  Status KeepOutputs() const {
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

  Status StoreRoofs(store::ExperimentWriter& writer) {
    roof_loops::MeasureOptions options;
    options.cores = static_cast<int>(plan_.points.front().cores);
    options.progress = RoofProgress(progress_);
    const auto report = roof_loops::MeasuredRoofs(options);
    if (report.ok()) return WriteRoofTable(report.value(), writer);
    progress_.Note(fmt::format("no roofs: {}", report.error().what));
    return Ok{};
  }

  /// A backend of `all` that made no call of a point, where others did.
  bool IsLeftOut(const MeasuredRun& run) const {
    return run.plan.is_optional && run.status == "failed" &&
           std::none_of(runs_.begin(), runs_.end(), [&](const MeasuredRun& other) {
             return other.plan.point_id == run.plan.point_id && other.calls > 0;
           });
  }

  void CollectFailures(ExperimentOutcome& outcome) const {
    bool interrupted = false, failed = false;
    std::set<std::string> seen;
    for (const MeasuredRun& run : runs_) {
      if (IsLeftOut(run)) {
        const std::string& backend =
            backends_[static_cast<std::size_t>(run.plan.point_id - 1) % backends_.size()].name;
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
  Error NothingMeasured() const {
    if (interrupts_.stop()) return Interrupted();
    for (const MeasuredRun& run : runs_) {
      if (!run.failure) continue;
      return {run.failure->kind, fmt::format("nothing was measured: {}", run.failure->what),
              run.failure->hint};
    }
    return {ErrorKind::kInternal, "nothing was measured, and no run has a reason", ""};
  }

  /// What was measured must not be lost because it could not be stored.
  Error AfterFailure(Error error, ScratchFolder& scratch) const {
    if (error.kind == ErrorKind::kInterrupted || samples_ == 0) return error;
    scratch.Keep();
    error.what += fmt::format("; the recordings are kept in {}", scratch.path().string());
    error.hint += fmt::format("{}Then: xsp import {}/NAME.xspr", error.hint.empty() ? "" : " ",
                              scratch.path().string());
    return error;
  }

  const ExperimentRequest& request_;
  NoProgress nobody_;
  Progress& progress_;
  Interrupts interrupts_;
  std::vector<Backend> backends_;
  CpuAllowance allowance_;
  nlohmann::json stack_;
  Plan plan_;
  RunMonitor monitor_;
  std::vector<MeasuredRun> runs_;
  std::vector<match::RunInput> inputs_;
  std::vector<compare::PointOutputs> outputs_;
  timeline::ExperimentRows timeline_rows_;
  store::Table scenarios_ = EmptyScenarioTable();
  std::optional<Evaluation> evaluation_;  ///< Where there is a data set.
  std::size_t dataset_samples_ = 0;
  std::int64_t samples_ = 0;
  Disturbance disturbance_;
};

}  // namespace

Result<ExperimentOutcome> RunExperiment(const ExperimentRequest& request) {
  XSP_RETURN_IF_ERROR(CheckScenario(request));
  XSP_RETURN_IF_ERROR(CheckDataset(request));
  XSP_RETURN_IF_ERROR(RunMonitor::CheckRate(request.monitor_rate_hz));
  const ExperimentRequest complete = WithDataset(WithScenario(request));
  return Experiment(complete).Run();
}

}  // namespace xsp::evaluate
