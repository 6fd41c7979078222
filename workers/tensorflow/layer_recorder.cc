#include "tensorflow/layer_recorder.h"

#include <time.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "harness/fact.h"
#include "tensorflow/element_type.h"

namespace xsp::worker_tensorflow {

using worker::Intern;

namespace {

struct Names {
  xsp_string function = Intern("function");
  xsp_string input_shapes = Intern("input_shapes");
  xsp_string input_types = Intern("input_types");
  xsp_string output_shapes = Intern("output_shapes");
  xsp_string fused_ops = Intern("fused_ops");
  xsp_string implementation = Intern("implementation");
  xsp_string allocated_bytes = Intern("allocated_bytes");
  xsp_string peak_bytes = Intern("peak_bytes");
  xsp_string handed_over_nodes = Intern("handed_over_nodes");
  xsp_string handed_over_ns = Intern("handed_over_ns");
  xsp_string one = Intern("1");
  xsp_string ns = Intern("ns");
  xsp_string byte = Intern("byte");
  xsp_string allocator = Intern("measured:tensorflow_allocator");
  xsp_string step_stats = Intern("measured:tensorflow_step_stats");
};

const Names& CommonNames() {
  static const Names names;
  return names;
}

/// Operators that run a graph of their own.
bool RunsAGraph(std::string_view type) {
  static constexpr std::string_view kTypes[] = {"PartitionedCall",
                                                "StatefulPartitionedCall",
                                                "While",
                                                "StatelessWhile",
                                                "If",
                                                "StatelessIf",
                                                "Case",
                                                "StatelessCase",
                                                "SymbolicGradient",
                                                "RemoteCall",
                                                "For",
                                                "BatchFunction"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

void Attribute(xsp_span span, xsp_string key, std::string_view value) {
  xsp_attribute(span, key, value.data(), value.size());
}

/// Lists of shapes and types, as text: "[[1,224,224,3],[7,7,3,64]]" and "[float32,float32]".
class TensorTexts {
 public:
  void Add(const NodeOutput& tensor) {
    if (!IsTensorData(tensor.type)) return;
    const char* comma = types_.empty() ? "" : ",";
    shapes_ += std::string(comma) + "[";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
      shapes_ += (i > 0 ? "," : "") + std::to_string(tensor.shape[i]);
    shapes_ += "]";
    types_ += comma + TypeName(tensor.type);
  }

  std::string Shapes() const { return "[" + shapes_ + "]"; }
  std::string Types() const { return "[" + types_ + "]"; }

 private:
  std::string shapes_, types_;
};

/// What each node of a call gave, by "node:slot".
class Tensors {
 public:
  /// `nodes` must live as long.
  void Add(const std::vector<NodeStats>& nodes) {
    for (const NodeStats& node : nodes)
      for (const NodeOutput& output : node.outputs) by_name_[Key(node.name, output.slot)] = &output;
  }

  /// The tensors that `inputs` lists: "x, w:1, ^control".
  TensorTexts Inputs(std::string_view inputs) const {
    TensorTexts texts;
    while (!inputs.empty()) {
      const std::size_t comma = inputs.find(", ");
      const std::string_view input = inputs.substr(0, comma);
      inputs.remove_prefix(comma == std::string_view::npos ? inputs.size() : comma + 2);
      if (input.starts_with('^')) continue;
      const auto found = by_name_.find(
          input.find(':') == std::string_view::npos ? Key(input, 0) : std::string(input));
      if (found != by_name_.end()) texts.Add(*found->second);
    }
    return texts;
  }

 private:
  static std::string Key(std::string_view node, std::int64_t slot) {
    return std::string(node) + ":" + std::to_string(slot);
  }

  std::unordered_map<std::string, const NodeOutput*> by_name_;
};

void RecordDetails(xsp_span span, const NodeStats& node, const Tensors& tensors,
                   const std::map<std::string, std::string>& fused) {
  const Names& names = CommonNames();
  const TensorTexts inputs = tensors.Inputs(node.inputs);
  TensorTexts outputs;
  for (const NodeOutput& output : node.outputs) outputs.Add(output);
  Attribute(span, names.input_shapes, inputs.Shapes());
  Attribute(span, names.input_types, inputs.Types());
  Attribute(span, names.output_shapes, outputs.Shapes());
  if (node.type.starts_with("_Mkl")) Attribute(span, names.implementation, "oneDNN");
  if (const auto joined = fused.find(std::string(node.name)); joined != fused.end())
    Attribute(span, names.fused_ops, joined->second);
  xsp_metric(span, names.allocated_bytes, static_cast<double>(node.allocated_bytes), names.byte,
             names.allocator);
  xsp_metric(span, names.peak_bytes, static_cast<double>(node.peak_bytes), names.byte,
             names.allocator);
}

}  // namespace

bool OnlyHandsOver(const NodeStats& node) {
  static constexpr std::string_view kTypes[] = {
      "Const",         "_HostConst",     "Placeholder",
      "_Arg",          "_Retval",        "_DeviceArg",
      "_DeviceRetval", "ReadVariableOp", "_ReadVariablesOp",
      "VariableV2",    "NoOp",           "ControlTrigger"};
  if (std::find(std::begin(kTypes), std::end(kTypes), node.type) != std::end(kTypes)) return true;
  // Handles of variables, passed on.
  return !node.outputs.empty() &&
         std::none_of(node.outputs.begin(), node.outputs.end(),
                      [](const NodeOutput& output) { return IsTensorData(output.type); });
}

std::vector<int> FindCallers(const std::vector<NodeStats>& nodes) {
  std::vector<int> callers(nodes.size(), -1), open;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    while (!open.empty() &&
           nodes[static_cast<std::size_t>(open.back())].end_ns <= nodes[i].start_ns)
      open.pop_back();
    for (auto caller = open.rbegin(); caller != open.rend() && callers[i] < 0; ++caller)
      if (nodes[static_cast<std::size_t>(*caller)].end_ns >= nodes[i].end_ns) callers[i] = *caller;
    if (RunsAGraph(nodes[i].type)) open.push_back(static_cast<int>(i));
  }
  return callers;
}

std::vector<worker::RecordedLayer> LayerRecorder::Record(xsp_span call,
                                                         const std::vector<NodeStats>& nodes,
                                                         std::int64_t realtime_offset_ns) const {
  const Names& names = CommonNames();
  Tensors tensors;
  if (options_.details) tensors.Add(nodes);
  const std::vector<int> callers = FindCallers(nodes);
  std::vector<bool> calls(nodes.size(), false);
  for (const int caller : callers)
    if (caller >= 0) calls[static_cast<std::size_t>(caller)] = true;
  std::vector<xsp_span> spans(nodes.size(), 0);
  std::vector<worker::RecordedLayer> layers;
  double left_out = 0, left_out_ns = 0, allocated_bytes = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeStats& node = nodes[i];
    if (!calls[i]) allocated_bytes += static_cast<double>(node.allocated_bytes);
    if (!options_.all_nodes && OnlyHandsOver(node)) {
      left_out += 1;
      left_out_ns += static_cast<double>(node.end_ns - node.start_ns);
      continue;
    }
    const auto start_ns = static_cast<std::uint64_t>(node.start_ns - realtime_offset_ns);
    const auto duration_ns = static_cast<std::uint64_t>(node.end_ns - node.start_ns);
    const xsp_span parent = callers[i] < 0 ? call : spans[static_cast<std::size_t>(callers[i])];
    // An operator that runs others groups them.
    spans[i] =
        xsp_complete_in(parent, XSP_LEVEL_LAYER, calls[i] ? names.function : Intern(node.type),
                        Intern(node.name), start_ns, duration_ns);
    if (!spans[i]) continue;
    if (!calls[i]) layers.push_back({spans[i], start_ns, start_ns + duration_ns});
    if (options_.details) RecordDetails(spans[i], node, tensors, options_.fused);
  }
  xsp_metric(call, names.handed_over_nodes, left_out, names.one, names.step_stats);
  xsp_metric(call, names.handed_over_ns, left_out_ns, names.ns, names.step_stats);
  if (options_.details)
    xsp_metric(call, names.allocated_bytes, allocated_bytes, names.byte, names.allocator);
  return layers;
}

std::int64_t RealtimeOffsetNs() {
  timespec realtime = {};
  const auto before_ns = static_cast<std::int64_t>(xsp_now_ns());
  clock_gettime(CLOCK_REALTIME, &realtime);
  const auto after_ns = static_cast<std::int64_t>(xsp_now_ns());
  return realtime.tv_sec * 1'000'000'000 + realtime.tv_nsec - (before_ns + after_ns) / 2;
}

}  // namespace xsp::worker_tensorflow
