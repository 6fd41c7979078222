#include "derive/match/run_view.h"

#include <algorithm>

namespace xsp::match {
namespace {

void ChooseCalls(RunView& run) {
  const auto& calls = run.calls.calls;
  const bool only_served = std::all_of(calls.begin(), calls.end(),
                                       [](const Call& call) { return call.queue_ns.has_value(); });
  std::size_t undisturbed = 0, all = 0;
  for (const Call& call : calls) {
    const bool counted = only_served || !call.queue_ns;
    run.counted.push_back(counted);
    run.used.push_back(counted && call.disturbed_by.empty());
    all += counted ? 1 : 0;
    undisturbed += run.used.back() ? 1 : 0;
  }
  run.uses_disturbed = TooFewUndisturbed(undisturbed, all);
  if (run.uses_disturbed) run.used = run.counted;
}

void FindLayers(RunView& run, Names& names) {
  const auto& calls = run.calls.calls;
  const bool any = std::any_of(calls.begin(), calls.end(),
                               [](const Call& call) { return !call.layers.empty(); });
  if (!any) return;
  run.has_shapes = std::any_of(calls.begin(), calls.end(), [&](const Call& call) {
    return std::any_of(call.layers.begin(), call.layers.end(),
                       [&](const LayerEvent& layer) { return !run.ShapesOf(layer.span).empty(); });
  });
  std::vector<std::vector<Token>> sequences;
  for (const Call& call : calls) {
    auto& tokens = sequences.emplace_back();
    tokens.reserve(call.layers.size());
    for (const LayerEvent& layer : call.layers) {
      tokens.push_back(LayerToken(run, layer.span, run.has_shapes, names));
    }
  }
  run.layers = FindReference(sequences, run.used);
}

}  // namespace

RunView::RunView(const RunInput& run, const trace::Trace& run_trace, Names& names)
    : input(run),
      trace(run_trace),
      values(trace),
      calls(FindCalls(values)),
      input_shapes(values.Find(trace::attribute::kInputShapes)),
      input_types(values.Find(trace::attribute::kInputTypes)),
      output_shapes(values.Find(trace::attribute::kOutputShapes)),
      input_values(values.Find(trace::attribute::kInputValues)),
      dtype(values.Find(trace::attribute::kDtype)),
      implementation(values.Find(trace::attribute::kImplementation)),
      problem(values.Find(trace::attribute::kProblem)),
      replay_reference(values.Find(trace::attribute::kReplayReference)),
      allocated_bytes(values.Find(trace::metric::kAllocatedBytes)),
      peak_bytes(values.Find(trace::metric::kPeakBytes)) {
  ChooseCalls(*this);
  FindLayers(*this, names);
}

std::string_view RunView::ShapesOf(trace::SpanId span) const {
  const std::string_view outputs = values.Attribute(span, output_shapes);
  return outputs.empty() ? values.Attribute(span, input_shapes) : outputs;
}

Token MixTokens(Token a, Token b) {
  // SplitMix64 (Steele, Lea and Flood 2014): its finaliser spreads neighbouring numbers apart.
  Token x = a * 0x9E3779B97F4A7C15 + b + 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

Token LayerToken(const RunView& run, trace::SpanId layer, bool shapes, Names& names) {
  Token token = MixTokens(names.Number(run.TypeOf(layer)), names.Number(run.NameOf(layer)));
  if (shapes) token = MixTokens(token, names.Number(run.ShapesOf(layer)));
  return token;
}

}  // namespace xsp::match
