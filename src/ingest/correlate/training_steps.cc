#include "ingest/correlate/training_steps.h"

#include <algorithm>
#include <map>
#include <vector>

namespace xsp::correlate {

using trace::SpanId;

namespace {

struct Step {
  std::int64_t start_ns, end_ns;
  SpanId span;
};
using StepsOfTracks = std::map<trace::TrackId, std::vector<Step>>;

StepsOfTracks FindSteps(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  StepsOfTracks steps;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool is_step = spans.level[i] == trace::Level::kModel && spans.parent[i] == 0 &&
                         spans.duration_ns[i] != trace::kNeverEnded &&
                         trace.Text(spans.type[i]) == trace::type::kTrain;
    if (!is_step) continue;
    steps[spans.track[i]].push_back(
        {spans.start_ns[i], spans.start_ns[i] + spans.duration_ns[i], static_cast<SpanId>(i + 1)});
  }
  for (auto it = steps.begin(); it != steps.end();) {
    std::vector<Step>& of = it->second;
    std::sort(of.begin(), of.end(),
              [](const Step& a, const Step& b) { return a.start_ns < b.start_ns; });
    const bool overlap = std::adjacent_find(of.begin(), of.end(), [](const Step& a, const Step& b) {
                           return b.start_ns < a.end_ns;
                         }) != of.end();
    it = overlap ? steps.erase(it) : std::next(it);
  }
  return steps;
}

/// The step that holds the whole of a span of its track; null: none does.
const Step* StepOf(const trace::SpanTable& spans, SpanId span, const std::vector<Step>& steps) {
  const std::int64_t start_ns = spans.start_ns[span - 1];
  const std::int64_t duration_ns = std::max<std::int64_t>(spans.duration_ns[span - 1], 0);
  const auto after = std::upper_bound(
      steps.begin(), steps.end(), start_ns,
      [](std::int64_t time_ns, const Step& step) { return time_ns < step.start_ns; });
  if (after == steps.begin()) return nullptr;
  const Step& step = *(after - 1);
  return start_ns + duration_ns <= step.end_ns ? &step : nullptr;
}

}  // namespace

void AdoptIntoSteps(trace::Trace& trace) {
  const StepsOfTracks steps = FindSteps(trace);
  if (steps.empty()) return;
  trace::SpanTable& spans = trace.spans;
  for (SpanId span = 1; span <= spans.size(); ++span) {
    const auto of = steps.find(spans.track[span - 1]);
    if (of == steps.end()) continue;
    const Step* step = StepOf(spans, span, of->second);
    if (step == nullptr || step->span == span) continue;
    const SpanId parent = spans.parent[span - 1];
    const bool is_inside = parent != 0 && spans.track[parent - 1] == of->first &&
                           StepOf(spans, parent, of->second) == step;
    if (is_inside) continue;
    spans.parent[span - 1] = step->span;
    spans.placed_by[span - 1] = trace::PlacedBy::kNesting;
  }
}

}  // namespace xsp::correlate
