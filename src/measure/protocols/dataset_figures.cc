#include "measure/protocols/dataset_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/json_text.h"
#include "core/statistics.h"
#include "store/nullable.h"

namespace xsp::protocols {

using store::NumberOrNull;
using store::TextOrNull;

namespace {

constexpr std::string_view kBatch = "batch";
constexpr std::string_view kPreprocess = "preprocess";
constexpr std::string_view kPostprocess = "postprocess";
constexpr std::string_view kSamples = "samples";

/// Spans of a batch, by span id.
class Pipeline {
 public:
  explicit Pipeline(const trace::Trace& trace) : trace_(trace) {
    for (std::size_t i = 0; i < trace.metrics.size(); ++i)
      if (trace.Text(trace.metrics.name[i]) == kSamples)
        samples_[trace.metrics.span[i]] = trace.metrics.value[i];
  }

  PipelineTimes Time() {
    for (trace::SpanId span = 1; span <= trace_.spans.size(); ++span) {
      if (!Ended(span)) continue;
      if (SamplesOf(span)) {
        AddBatch(span);
      } else {
        AddStep(span);
      }
    }
    if (times_.batches > 0) times_.total_ns = static_cast<double>(end_ns_ - start_ns_);
    return std::move(times_);
  }

 private:
  std::string_view Name(trace::SpanId span) const {
    return trace_.Text(trace_.spans.name[span - 1]);
  }
  trace::SpanId Parent(trace::SpanId span) const { return trace_.spans.parent[span - 1]; }
  bool Ended(trace::SpanId span) const {
    return trace_.spans.duration_ns[span - 1] != trace::kNeverEnded;
  }
  bool IsRange(trace::SpanId span) const {
    return trace_.spans.level[span - 1] == trace::Level::kApplication;
  }
  bool IsCall(trace::SpanId span) const {
    return trace_.spans.level[span - 1] == trace::Level::kModel;
  }

  /// Of a batch with any sample; nothing: it is none.
  std::optional<double> SamplesOf(trace::SpanId span) const {
    const auto it = samples_.find(span);
    if (it == samples_.end() || it->second <= 0 || !IsRange(span) || Name(span) != kBatch)
      return std::nullopt;
    return it->second;
  }

  void AddBatch(trace::SpanId span) {
    const double samples = *SamplesOf(span);
    const std::int64_t start_ns = trace_.spans.start_ns[span - 1];
    const std::int64_t duration_ns = trace_.spans.duration_ns[span - 1];
    start_ns_ = times_.batches == 0 ? start_ns : std::min(start_ns_, start_ns);
    end_ns_ = std::max(end_ns_, start_ns + duration_ns);
    ++times_.batches;
    times_.samples += static_cast<std::int64_t>(samples);
    times_.sample_ns.push_back(static_cast<double>(duration_ns) / samples);
  }

  /// What lies in a batch, or in one of its two pipelines.
  void AddStep(trace::SpanId span) {
    const trace::SpanId parent = Parent(span);
    if (parent == 0) return;
    if (const auto samples = SamplesOf(parent)) {
      if (IsCall(span)) return Add("predict", "predict", span, *samples);
      if (IsRange(span) && Name(span) != kPreprocess && Name(span) != kPostprocess)
        return Add(Name(span), Name(span), span, *samples);
      return;
    }
    const std::optional<double> samples =
        Parent(parent) == 0 ? std::nullopt : SamplesOf(Parent(parent));
    if (!samples || !IsRange(span) || !IsRange(parent)) return;
    // Steps before the model run once a sample, the last of them and those after it once a batch.
    const bool once_a_sample = Name(parent) == kPreprocess && Name(span) != "stack";
    Add(Name(parent), Name(span), span, once_a_sample ? 1 : *samples);
  }

  void Add(std::string_view stage, std::string_view step, trace::SpanId span, double samples) {
    auto it = std::find_if(times_.steps.begin(), times_.steps.end(), [&](const StepTimes& times) {
      return times.stage == stage && times.step == step;
    });
    if (it == times_.steps.end())
      it = times_.steps.insert(times_.steps.end(), {std::string(stage), std::string(step), {}});
    it->sample_ns.push_back(static_cast<double>(trace_.spans.duration_ns[span - 1]) / samples);
  }

  const trace::Trace& trace_;
  std::map<trace::SpanId, double> samples_;
  PipelineTimes times_;
  std::int64_t start_ns_ = 0, end_ns_ = 0;
};

/// Names of samples that failed, and the first reason.
std::pair<std::int64_t, std::string> Failures(const std::vector<SampleResult>& results) {
  std::int64_t failed = 0;
  std::string first;
  for (const SampleResult& result : results) {
    if (result.error.empty()) continue;
    if (failed++ == 0) first = result.name + ": " + result.error;
  }
  return {failed, first};
}

}  // namespace

PipelineTimes TimePipeline(const trace::Trace& trace) { return Pipeline(trace).Time(); }

Evaluation::Evaluation(std::string name, std::int64_t left_out,
                       std::vector<pipeline::GroundTruth> truths)
    : name_(std::move(name)), left_out_(left_out), truths_(std::move(truths)) {}

void Evaluation::Add(const Place& place, const trace::Trace& trace,
                     std::vector<SampleResult> results) {
  std::erase_if(results,
                [&](const SampleResult& result) { return result.position >= truths_.size(); });
  const PipelineTimes times = TimePipeline(trace);
  const auto [failed, why] = Failures(results);
  const auto samples = static_cast<double>(times.samples);
  evaluation_.push_back({.point_id = place.point_id,
                         .run_id = place.run_id,
                         .dataset = name_,
                         .samples = static_cast<std::int64_t>(truths_.size()),
                         .predicted = times.samples,
                         .failed = failed,
                         .left_out = left_out_,
                         .sample_p50_ns = NumberOrNull(core::Percentile(times.sample_ns, 50)),
                         .sample_p99_ns = NumberOrNull(core::Percentile(times.sample_ns, 99)),
                         .throughput_per_s = times.total_ns > 0
                                                 ? std::optional(samples * 1e9 / times.total_ns)
                                                 : std::nullopt,
                         .first_failure = TextOrNull(why)});
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    const StepTimes& step = times.steps[i];
    pipeline_step_.push_back({.point_id = place.point_id,
                              .run_id = place.run_id,
                              .step_index = static_cast<std::int64_t>(i),
                              .stage = step.stage,
                              .step = step.step,
                              .count = static_cast<std::int64_t>(step.sample_ns.size()),
                              .mean_ns = NumberOrNull(core::Mean(step.sample_ns)),
                              .p50_ns = NumberOrNull(core::Percentile(step.sample_ns, 50)),
                              .p99_ns = NumberOrNull(core::Percentile(step.sample_ns, 99))});
  }
  try {
    AddAllScores(place, results);
    AddPredictions(place, results);
  } catch (const nlohmann::json::exception& error) {
    AddScores(place,
              {{"predictions", std::nullopt, 0,
                fmt::format("not as in docs/worker-protocol.md: {}", error.what())}},
              "");
    return;
  }
  if (times.samples > 0 && ReferenceFor(place) == nullptr)
    references_.push_back({place.batch, place.backend, std::move(results)});
}

const Evaluation::Reference* Evaluation::ReferenceFor(const Place& place) const {
  const auto it = std::find_if(references_.begin(), references_.end(),
                               [&](const Reference& one) { return one.batch == place.batch; });
  return it == references_.end() ? nullptr : &*it;
}

void Evaluation::AddPredictions(const Place& place, const std::vector<SampleResult>& results) {
  for (const SampleResult& result : results) {
    prediction_.push_back({.point_id = place.point_id,
                           .run_id = place.run_id,
                           .position = static_cast<std::int64_t>(result.position),
                           .sample = result.name,
                           .class_ = BestClass(result),
                           .label = truths_[result.position].label,
                           .result = result.prediction.is_null()
                                         ? std::nullopt
                                         : std::optional(core::JsonText(result.prediction)),
                           .error = TextOrNull(result.error)});
  }
}

void Evaluation::AddAllScores(const Place& place, const std::vector<SampleResult>& results) {
  AddScores(place, ScorePredictions(results, truths_), "");
  if (const Reference* reference = ReferenceFor(place))
    AddScores(place, ScoreAgreement(results, reference->results), reference->backend);
}

void Evaluation::AddScores(const Place& place, const std::vector<Score>& scores,
                           std::string_view reference) {
  for (const Score& score : scores) {
    accuracy_.push_back({.point_id = place.point_id,
                         .run_id = place.run_id,
                         .metric = score.metric,
                         .reference = TextOrNull(reference),
                         .value = NumberOrNull(score.value),
                         .samples = score.samples,
                         .message = TextOrNull(score.message)});
  }
}

Status Evaluation::Write(store::ExperimentWriter& writer) const {
  XSP_RETURN_IF_ERROR(writer.AddRows(evaluation_));
  XSP_RETURN_IF_ERROR(writer.AddRows(accuracy_));
  XSP_RETURN_IF_ERROR(writer.AddRows(prediction_));
  return writer.AddRows(pipeline_step_);
}

}  // namespace xsp::protocols
