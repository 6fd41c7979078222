#include "ingest/correlate/operator_work.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/correlate/layers.h"
#include "ingest/primitives/operators.h"

namespace xsp::correlate {
namespace {

using trace::SpanId;

bool HasCpuKernels(const trace::Trace& trace) {
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    if (trace.spans.level[i] != trace::Level::kKernel) continue;
    const std::string_view type = trace.Text(trace.spans.type[i]);
    if (type == trace::type::kNative || type == trace::type::kPrimitive) return true;
  }
  return false;
}

struct Shapes {
  trace::StringId inputs = 0, types = 0, outputs = 0, values = 0;
};

std::unordered_map<SpanId, Shapes> FindShapes(const trace::Trace& trace) {
  std::unordered_map<SpanId, Shapes> found;
  const trace::AttributeTable& attributes = trace.attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const std::string_view key = trace.Text(attributes.key[i]);
    trace::StringId Shapes::*field = nullptr;
    if (key == trace::attribute::kInputShapes) field = &Shapes::inputs;
    if (key == trace::attribute::kInputTypes) field = &Shapes::types;
    if (key == trace::attribute::kOutputShapes) field = &Shapes::outputs;
    if (key == trace::attribute::kInputValues) field = &Shapes::values;
    if (field != nullptr && IsOperator(trace, attributes.span[i]))
      found[attributes.span[i]].*field = attributes.value[i];
  }
  return found;
}

struct Done {
  double flops = 0, read_bytes = 0, write_bytes = 0;
};

// What metrics say of kernels, by span: those that lack FLOPs are not in it.
std::unordered_map<SpanId, Done> FindDone(const trace::Trace& trace) {
  namespace metric = trace::metric;
  std::unordered_map<SpanId, Done> done;
  const trace::MetricTable& metrics = trace.metrics;
  const auto add = [&](std::string_view prefix, double Done::*field, bool makes) {
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      if (!trace.Text(metrics.name[i]).starts_with(prefix)) continue;
      const auto it = makes ? done.try_emplace(metrics.span[i]).first : done.find(metrics.span[i]);
      if (it != done.end()) it->second.*field += metrics.value[i];
    }
  };
  add(metric::kFlopsPrefix, &Done::flops, true);
  add(metric::kAlgorithmicReadBytes, &Done::read_bytes, false);
  add(metric::kAlgorithmicWriteBytes, &Done::write_bytes, false);
  return done;
}

// What is in one operator: the FLOPs of all kernels at any depth but native ones of its own, the
// traffic of its own primitives, and the kernels that nothing is known of.
struct Inside {
  Done done;
  SpanId native = 0, primitive = 0;
  int primitives = 0;

  SpanId Lacking() const { return native != 0 || primitives != 1 ? native : primitive; }
};

class WorkAdder {
 public:
  explicit WorkAdder(trace::Trace& trace)
      : trace_(trace), shapes_(FindShapes(trace)), writer_(trace) {
    if (!shapes_.empty()) done_ = FindDone(trace);
  }

  void Add() {
    if (shapes_.empty()) return;
    const std::vector<SpanId> order = ParentsFirst(trace_);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {  // Children before their parents.
      const SpanId parent = trace_.spans.parent[*it - 1];
      if (trace_.spans.level[*it - 1] == trace::Level::kKernel) {
        if (parent != 0) AddKernel(*it, inside_[parent]);
        continue;
      }
      const auto found = inside_.extract(*it);
      if (found.empty()) continue;
      const double flops = found.mapped().done.flops + Fill(*it, found.mapped());
      if (parent != 0) inside_[parent].done.flops += flops;
    }
  }

 private:
  void AddKernel(SpanId kernel, Inside& inside) const {
    const auto known = done_.find(kernel);
    if (known != done_.end()) {
      inside.done.flops += known->second.flops;
      inside.done.read_bytes += known->second.read_bytes;
      inside.done.write_bytes += known->second.write_bytes;
      return;
    }
    const std::string_view type = trace_.Text(trace_.spans.type[kernel - 1]);
    if (type == trace::type::kNative) inside.native = kernel;
    if (type != trace::type::kPrimitive) return;
    inside.primitive = kernel;
    ++inside.primitives;
  }

  /// FLOPs that a kernel of the operator was given.
  double Fill(SpanId id, const Inside& inside) {
    const SpanId kernel = inside.Lacking();
    const auto shapes = shapes_.find(id);
    if (kernel == 0 || shapes == shapes_.end()) return 0;
    const primitives::Cost whole = primitives::EstimateOperator(
        trace_.Text(trace_.spans.type[id - 1]), trace_.Text(shapes->second.inputs),
        trace_.Text(shapes->second.types), trace_.Text(shapes->second.outputs),
        trace_.Text(shapes->second.values));
    if (whole.status == primitives::CostStatus::kUnreadable) return 0;
    const primitives::Cost cost = primitives::WithoutKnown(
        whole, inside.done.flops, inside.done.read_bytes, inside.done.write_bytes);
    Describe(kernel, cost);
    return cost.flops;
  }

  void Describe(SpanId kernel, const primitives::Cost& cost) {
    namespace metric = trace::metric;
    const auto add = [&](std::string_view name, double value, std::string_view unit) {
      writer_.AddMetric(kernel, name, value, unit, trace::provenance::kAnalytic);
    };
    const std::string dtype(cost.dtype);
    if (trace_.Text(trace_.spans.type[kernel - 1]) == trace::type::kNative)
      writer_.AddAttribute(kernel, trace::attribute::kDtype, dtype);
    if (cost.status == primitives::CostStatus::kKnown)
      add("flops." + dtype + "." + std::string(cost.unit), cost.flops, "flop");
    add(metric::kAlgorithmicReadBytes, cost.read_bytes, "byte");
    add(metric::kAlgorithmicWriteBytes, cost.write_bytes, "byte");
  }

  trace::Trace& trace_;
  std::unordered_map<SpanId, Shapes> shapes_;
  std::unordered_map<SpanId, Done> done_;
  std::unordered_map<SpanId, Inside> inside_;
  trace::TraceWriter writer_;
};

}  // namespace

void AddOperatorWork(trace::Trace& trace) {
  if (HasCpuKernels(trace)) WorkAdder(trace).Add();
}

}  // namespace xsp::correlate
