#include "measure/sweeps/sweep_session.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "capture/collect/stack_difference.h"
#include "core/json_text.h"
#include "measure/sweeps/sweep_progress.h"
#include "os/sha256.h"
#include "store/experiment_changes.h"
#include "store/mirror.h"

namespace xsp::sweeps {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// Hidden, so that no reader takes it for an experiment.
constexpr const char* kClaimFolder = ".sweep-claims";

/// The same for two processes exactly where each would take what the other measures.
std::string ClaimName(const Subject& subject, const std::vector<collect::Fact>& stack) {
  json facts = json::object();
  for (const collect::Fact& fact : stack)
    if (!collect::IsMomentary(fact.key, collect::AllCollectors())) facts[fact.key] = fact.value;
  const json identity = {subject.model_sha256, subject.inputs,   subject.worker, subject.framework,
                         subject.batches,      subject.settings, facts};
  return os::Sha256(core::JsonText(identity));
}

/// For the hints of errors.
constexpr std::string_view kOtherStore = "choose another store with --store (or XSP_STORE)";
constexpr std::string_view kOtherCache = "choose another folder for the cache with XSP_CACHE";

void Fail(SweptPoint& point, const Error& error) {
  point.status = "failed";
  point.why = error.what;
  point.hint = error.hint;
  point.failure = error.kind;
}

/// What the outcome of an experiment means for its point.
void TakeOutcome(SweptPoint& point, const sessions::ExperimentOutcome& outcome) {
  point.experiment = outcome.path.filename().string();
  point.status = outcome.status == "done" ? "measured" : outcome.status;
  if (point.status != "partial") return;
  point.failure = static_cast<ErrorKind>(outcome.exit_status);
  if (outcome.failures.empty()) return;
  point.why = outcome.failures.front().what;
  point.hint = outcome.failures.front().hint;
}

}  // namespace

std::string TagOfSweep(const std::string& sweep) { return "sweep." + sweep; }

SweepSession::SweepSession(SweepContext context, std::vector<SweptPoint> points)
    : context_(std::move(context)),
      points_(std::move(points)),
      stored_(context_.store),
      targets_(*context_.progress, context_.interrupts->wake_fd()) {}

double SweepSession::SecondsLeft() const {
  double seconds = 0;
  for (const SweptPoint& point : points_)
    if (point.status == "missing") seconds += point.estimate.seconds.value_or(0);
  return seconds;
}

/// Takes what the store has, unless everything is to be measured again.
bool SweepSession::TakeStored(SweptPoint& point, const StoredMatch& match) {
  point.why.clear();
  if (match.measurement != nullptr && !context_.again) {
    const StoredMeasurement& stored = *match.measurement;
    point.experiment = stored.experiment;
    point.status = stored.status == "done" ? "stored" : stored.status;
    if (point.status == "partial") {
      point.failure =
          stored.failures.empty() ? ErrorKind::kEnvironment : stored.failures.front().kind;
      point.why = stored.failures.empty() ? "a part of it failed" : stored.failures.front().what;
      point.hint = "--again measures it again.";
    }
    return true;
  }
  if (match.measurement == nullptr && match.other != nullptr)
    point.why = fmt::format("{} does not count: {}", match.other->experiment, match.why_not);
  return false;
}

/// Of a model's file, which is the same for all machines. Empty: it is of the zoo, or a manifest.
std::string HashOf(const fs::path& model) {
  if (model.extension() == ".yaml" || model.extension() == ".yml") return {};
  const auto hash = os::Sha256OfFile(model);
  return hash.ok() ? hash.value() : "";
}

/// A point that another machine measures: this one may have neither its worker nor its model.
Status SweepSession::PlanForOthers(SweptPoint& point) {
  XSP_TRY(Target target, targets_.Find(point.request, false));
  const fs::path model = point.request.model;
  std::error_code error;
  const bool is_file = fs::exists(model, error);
  if (target.refused) {
    target.backend.name = point.request.backends.empty() ? "" : point.request.backends.front();
    if (target.backend.model.name.empty())
      target.backend.model.name = (is_file ? model.stem() : model).string();
  }
  // Its worker is that of the other machine, and a model of the zoo is made there.
  target.backend.worker.framework.clear();
  if (target.refused || !target.is_made) target.backend.model.sha256 = HashOf(model);
  const Subject subject = SubjectOf(point.completed, target);
  point.estimate = EstimateFromStore(subject, stored_);
  if (!point.estimate.seconds && !target.refused)
    point.estimate = EstimateFromLimits(point.completed, target.backend);
  StoredMatch match;
  // A file of which no bytes are known may have been changed; the machine that measures finds out.
  if (!is_file || !subject.model_sha256.empty())
    match.measurement = stored_.FindTagged(subject, TagOfSweep(context_.name), point.point.name);
  TakeStored(point, match);
  return Ok{};
}

Status SweepSession::PlanPoint(SweptPoint& point) {
  if (!context_.stack) return PlanForOthers(point);
  XSP_TRY(const Target target, targets_.Find(point.request, false));
  if (target.refused) {
    Fail(point, *target.refused);
    return Ok{};
  }
  const Subject subject = SubjectOf(point.completed, target);
  point.estimate = EstimateFromStore(subject, stored_);
  if (!point.estimate.seconds) point.estimate = EstimateFromLimits(point.completed, target.backend);
  if (!target.is_made) {
    point.why = "the model is not made yet";
    return Ok{};
  }
  TakeStored(point, stored_.Find(subject, *context_.stack));
  return Ok{};
}

Status SweepSession::Plan() {
  XSP_RETURN_IF_ERROR(stored_.Refresh());
  context_.progress->Step("looking for models, workers and stored measurements", -1, -1);
  for (SweptPoint& point : points_) {
    if (point.status == "missing") XSP_RETURN_IF_ERROR(PlanPoint(point));
  }
  return Ok{};
}

void SweepSession::Measure() {
  std::vector<SweptPoint*> left;
  for (SweptPoint& point : points_) {
    if (point.status == "missing") left.push_back(&point);
    // Stored before, perhaps by another sweep.
    if (point.status == "stored" || point.status == "partial") Tag(point.experiment, point);
  }
  // What another process measures is asked for again once all else is done.
  for (const bool wait : {false, true}) {
    std::vector<SweptPoint*> claimed;
    for (SweptPoint* const point : left) {
      if (context_.interrupts->stop()) return;
      const auto step = Advance(*point, wait);
      if (!step.ok()) {
        // Of an interrupt: it stays missing.
        if (step.error().kind != ErrorKind::kInterrupted) FailWithNote(*point, step.error());
      } else if (step.value() == Step::kClaimedByOther) {
        claimed.push_back(point);
      }
    }
    left = std::move(claimed);
  }
}

void SweepSession::FailWithNote(SweptPoint& point, const Error& error) {
  Fail(point, error);
  context_.progress->Note(fmt::format("{} failed: {}", point.point.name, point.why));
}

Result<std::optional<FileClaim>> SweepSession::Claim(const Subject& subject, bool wait) {
  const fs::path folder = context_.store / kClaimFolder;
  XSP_RETURN_IF_ERROR(MakeClaimFolder(folder, kOtherStore));
  const fs::path file = folder / ClaimName(subject, *context_.stack);
  if (!wait) return FileClaim::Try(file, kOtherStore);
  XSP_TRY(FileClaim claim, WaitFor(file, kOtherStore, "another process that measures the same"));
  return std::optional<FileClaim>(std::move(claim));
}

Result<FileClaim> SweepSession::WaitFor(const fs::path& file, std::string_view elsewhere,
                                        std::string_view whom) {
  XSP_TRY(std::optional<FileClaim> claim, FileClaim::Try(file, elsewhere));
  if (claim) return *std::move(claim);
  context_.progress->Step(fmt::format("waiting for {}", whom), -1, -1);
  return FileClaim::Wait(file, elsewhere, *context_.interrupts);
}

Result<SweepSession::Step> SweepSession::Advance(SweptPoint& point, bool wait) {
  XSP_TRY(const Target target, targets_.Find(point.request, true));
  if (target.refused) {
    Fail(point, *target.refused);
    return Step::kDone;
  }
  const Subject subject = SubjectOf(point.completed, target);
  XSP_TRY(std::optional<FileClaim> claim, Claim(subject, wait));
  if (!claim) return Step::kClaimedByOther;
  // Another process may have stored it since the plan was made.
  XSP_RETURN_IF_ERROR(stored_.Refresh());
  const StoredMatch match = stored_.Find(subject, *context_.stack);
  Status measured = Ok{};
  if (TakeStored(point, match)) {
    Tag(point.experiment, point);
  } else {
    measured = MeasurePoint(point, match);
  }
  claim->Finish();
  XSP_RETURN_IF_ERROR(measured);
  return Step::kDone;
}

Status SweepSession::MeasurePoint(SweptPoint& point, const StoredMatch& match) {
  double whole = 0, before = 0;
  std::size_t count = 0, index = 0;
  for (const SweptPoint& other : points_) {
    const bool is_done = other.seconds > 0;
    if (!is_done && other.status != "missing") continue;
    ++count;
    const double seconds = is_done ? other.seconds : other.estimate.seconds.value_or(0);
    whole += seconds;
    if (is_done) before += seconds;
    index += is_done ? 1 : 0;
  }
  SweepProgress progress(*context_.progress,
                         fmt::format("{} of {}: {}", index + 1, count, point.point.name), whole,
                         before, point.estimate.seconds.value_or(0));
  XSP_TRY(const FileClaim held,
          WaitFor(context_.machine_lock, kOtherCache, "other measurements of this machine"));
  requests::ExperimentRequest request = point.request;
  request.name = fmt::format("{}-{}", context_.name, point.point.name);
  request.tags[TagOfSweep(context_.name)] = point.point.name;
  request.progress = &progress;
  const auto begin = Clock::now();
  const auto outcome = context_.measure(request);
  point.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!outcome.ok()) return outcome.error();
  TakeOutcome(point, outcome.value());
  ReplaceInterrupted(point, match);
  // Others see it at once; a failure is reported at the end, when all that is left is published.
  (void)store::PushMirror(context_.store);
  return Ok{};
}

void SweepSession::Tag(const std::string& experiment, const SweptPoint& point) {
  const std::string tag = TagOfSweep(context_.name);
  const auto stored = stored_.all().find(experiment);
  if (stored != stored_.all().end() && stored->second.tags.contains(tag)) return;
  const auto tagged = store::TagExperiment(context_.store, experiment, {{tag, point.point.name}});
  if (!tagged.ok())
    context_.progress->Note(
        fmt::format("{} is not tagged as of this sweep: {}", experiment, tagged.error().what));
}

/// What interrupted calls of this sweep stored of the point has served its purpose. Another process
/// may have replaced it since it was read: only what is still interrupted goes.
void SweepSession::ReplaceInterrupted(SweptPoint& point, const StoredMatch& match) {
  if (point.status == "interrupted") return;
  std::string freed;  // The name of the oldest: the first call gave it.
  for (const StoredMeasurement* const old : match.interrupted) {
    if (!old->tags.contains(TagOfSweep(context_.name))) continue;
    const auto now = ReadMeasurement(old->path);
    if (!now || now->status != "interrupted" || now->created != old->created) continue;
    if (store::RemoveExperiment(context_.store, old->experiment).ok()) freed = old->experiment;
  }
  if (!freed.empty() && store::RenameExperiment(context_.store, point.experiment, freed).ok())
    point.experiment = freed;
}

}  // namespace xsp::sweeps
