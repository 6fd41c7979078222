#include "answer/store_findings/survey.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <utility>

#include "os/parallel.h"
#include "store/fingerprint.h"

namespace xsp::store_findings {
namespace {

constexpr std::string_view kUnreadable = "unreadable: ";

/// Reports how many experiments of an evaluation are done. Threading: any thread.
class EvaluationProgress {
 public:
  EvaluationProgress(core::Progress& progress, std::size_t total)
      : progress_(progress), total_(total) {}

  void AddDone(const Status& kept) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!kept.ok() && !has_noted_) {
      progress_.Note("findings are not kept for the next time: " + kept.error().what);
      has_noted_ = true;
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    const double share = static_cast<double>(done_) / static_cast<double>(total_);
    progress_.Step(fmt::format("findings of {} of {} experiments", done_, total_), share,
                   passed.count() * (1 - share) / share);
  }

 private:
  core::Progress& progress_;
  const std::size_t total_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::size_t done_ = 0;
  bool has_noted_ = false;
};

}  // namespace

std::vector<SurveyedExperiment> KnownFindings(std::vector<store::CatalogueEntry> experiments,
                                              const FindingsCache& cache) {
  std::vector<SurveyedExperiment> surveyed;
  for (store::CatalogueEntry& entry : experiments) {
    SurveyedExperiment experiment{
        .stored = std::move(entry), .fingerprint = {}, .findings = {}, .unreadable = {}};
    if (const std::string& status = experiment.stored.status; status.starts_with(kUnreadable)) {
      experiment.unreadable = status.substr(kUnreadable.size());
    } else {
      experiment.fingerprint = store::FingerprintOf(experiment.stored.path);
      experiment.findings = cache.Find(experiment.fingerprint);
    }
    surveyed.push_back(std::move(experiment));
  }
  return surveyed;
}

void EvaluateMissing(std::vector<SurveyedExperiment>& experiments,
                     const std::vector<findings::Rule>& rules, const FindingsCache& cache,
                     core::Progress& progress, const std::function<bool()>& stop) {
  std::vector<SurveyedExperiment*> missing;
  for (SurveyedExperiment& experiment : experiments)
    if (experiment.is_missing()) missing.push_back(&experiment);
  EvaluationProgress done(progress, missing.size());
  const Status all = os::ForEach(missing.size(), [&](std::size_t i) -> Status {
    if (stop()) return Ok{};
    SurveyedExperiment& experiment = *missing[i];
    auto findings = Evaluate(experiment.stored.path, rules);
    if (!findings.ok()) {
      experiment.unreadable = findings.error().what;
      done.AddDone(Ok{});
      return Ok{};
    }
    done.AddDone(cache.Keep(experiment.fingerprint, findings.value()));
    experiment.findings = std::move(findings).value();
    return Ok{};
  });
  static_cast<void>(all);  // No call fails: each failure belongs to its experiment.
}

}  // namespace xsp::store_findings
