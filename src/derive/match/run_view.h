#ifndef XSP_DERIVE_MATCH_RUN_VIEW_H_
#define XSP_DERIVE_MATCH_RUN_VIEW_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/alignment.h"
#include "core/statistics.h"
#include "derive/match/calls.h"
#include "derive/match/match.h"
#include "derive/match/metrics.h"
#include "trace/trace.h"

namespace xsp::match {

using core::Align;
using core::Alignment;
using core::FindReference;
using core::Reference;
using core::Token;

/// Numbers for texts, the same in every run of a point.
class Names {
 public:
  std::uint32_t Number(std::string_view text) {
    if (const auto it = numbers_.find(text); it != numbers_.end()) return it->second;
    const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
    return numbers_.emplace(std::string(text), next).first->second;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

/// One run of a point while it is matched. Borrows its trace.
struct RunView {
  RunView(const RunInput& run, const trace::Trace& run_trace, Names& names);
  RunView(const RunView&) = delete;
  RunView& operator=(const RunView&) = delete;

  std::string_view TypeOf(trace::SpanId span) const {
    return trace.Text(trace.spans.type[span - 1]);
  }
  std::string_view NameOf(trace::SpanId span) const {
    return trace.Text(trace.spans.name[span - 1]);
  }
  std::int64_t StartOf(trace::SpanId span) const { return trace.spans.start_ns[span - 1]; }
  std::int64_t DurationOf(trace::SpanId span) const { return trace.spans.duration_ns[span - 1]; }
  /// Shapes of an operator, outputs before inputs; empty: not recorded.
  std::string_view ShapesOf(trace::SpanId span) const;

  /// Index in the reference sequence of layer `index` of call `call`; -1: not in it.
  std::int32_t ReferenceLayer(std::size_t call, std::int32_t index) const {
    return index < 0 ? -1 : layers->calls[call]->b_to_a[static_cast<std::size_t>(index)];
  }

  RunInput input;
  const trace::Trace& trace;
  SpanValues values;
  RunCalls calls;
  /// Calls that the run's statistics are of: not those that answered requests at some rate, unless
  /// there are no others. How long a call takes after a pause is another matter.
  std::vector<bool> counted;
  /// Of these, those whose values count: the undisturbed ones, or all where too few of these are
  /// left.
  std::vector<bool> used;
  bool uses_disturbed = false;

  std::optional<Reference> layers;      ///< Nothing: no call shows a layer.
  bool has_shapes = false;              ///< Layers carry shapes, and are matched by them too.
  std::vector<std::int32_t> to_base;    ///< Reference layer -> layer of the point; -1: none.
  std::vector<std::int32_t> from_base;  ///< Layer of the point -> reference layer; -1: none.

  // Names in this run's pool; 0: it has none of these.
  trace::StringId input_shapes, input_types, output_shapes, input_values;
  trace::StringId dtype, implementation, problem, replay_reference;
  trace::StringId allocated_bytes, peak_bytes;
};

/// The token of a layer: its type and name, with `shapes` these too.
Token LayerToken(const RunView& run, trace::SpanId layer, bool shapes, Names& names);

/// Mixes numbers into one token.
Token MixTokens(Token a, Token b);

/// The trimmed mean of `value(call, index of the event in that call)` over the used calls that hold
/// event `reference_index`; NaN: none does.
template <typename Value>
double MeanOverCalls(const RunView& run, const Reference& reference, std::size_t reference_index,
                     Value value) {
  std::vector<double> samples;
  // An event that only disturbed calls show is measured by these.
  for (const bool only_used : {true, false}) {
    for (std::size_t call = 0; call < reference.calls.size(); ++call) {
      const std::int32_t index = reference.calls[call]->a_to_b[reference_index];
      if (index < 0 || (only_used && !run.used[call])) continue;
      const std::optional<double> sample = value(call, static_cast<std::size_t>(index));
      if (sample) samples.push_back(*sample);
    }
    if (!samples.empty()) break;
  }
  return core::TrimmedMean(samples);
}

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_RUN_VIEW_H_
