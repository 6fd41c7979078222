#include "ingest/correlate/control_flow.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ingest/correlate/layers.h"

namespace xsp::correlate {
namespace {

/// ONNX: If, Loop, Scan, SequenceMap (onnx/docs/Operators.md). OpenVINO: If, Loop, TensorIterator.
/// TensorFlow: the functional operators of tensorflow/core/ops/functional_ops.cc.
constexpr std::string_view kControlFlow[] = {"If",
                                             "Loop",
                                             "Scan",
                                             "SequenceMap",
                                             "TensorIterator",
                                             "While",
                                             "StatelessIf",
                                             "StatelessCase",
                                             "StatelessWhile",
                                             "Case",
                                             "For",
                                             "RemoteCall",
                                             "SymbolicGradient",
                                             "PartitionedCall",
                                             "StatefulPartitionedCall"};

/// Whether a span's type is one of them; each distinct type is compared once.
class ControlFlow {
 public:
  explicit ControlFlow(const trace::Trace& trace) : trace_(trace) {}

  bool operator()(trace::SpanId span) {
    if (trace_.spans.level[span - 1] != trace::Level::kLayer) return false;
    const auto [it, is_new] = known_.try_emplace(trace_.spans.type[span - 1], false);
    if (is_new)
      it->second = std::find(std::begin(kControlFlow), std::end(kControlFlow),
                             trace_.Text(it->first)) != std::end(kControlFlow);
    return it->second;
  }

 private:
  const trace::Trace& trace_;
  std::unordered_map<trace::StringId, bool> known_;
};

}  // namespace

void OpenControlFlow(trace::Trace& trace) {
  trace::SpanTable& spans = trace.spans;
  ControlFlow is_control_flow(trace);
  // Inner ones count as operators for the outer ones, so all are found before any changes.
  std::unordered_set<trace::SpanId> open;
  for (trace::SpanId span = 1; span <= spans.size(); ++span) {
    const trace::SpanId parent = spans.parent[span - 1];
    if (parent != 0 && IsOperator(trace, span) && is_control_flow(parent)) open.insert(parent);
  }
  if (open.empty()) return;
  const trace::StringId function = trace.strings.Intern(trace::type::kFunction);
  for (const trace::SpanId span : open) spans.type[span - 1] = function;
}

}  // namespace xsp::correlate
