#include "onnxruntime/layers.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/fact.h"

namespace xsp::worker_onnxruntime {

using worker::Intern;

namespace {

namespace fs = std::filesystem;

/// Profiles that wait to be read, at most: what is lost when the process is killed.
constexpr std::size_t kMostKept = 64;

void Attribute(xsp_span span, std::string_view key, std::string_view value) {
  if (!value.empty()) xsp_attribute(span, Intern(key), value.data(), value.size());
}

void Bytes(xsp_span span, std::string_view name, double value) {
  xsp_metric(span, Intern(name), value, Intern("byte"), Intern("measured:onnxruntime"));
}

std::string_view Find(const std::unordered_map<std::string, std::string>& texts,
                      const std::string& name) {
  const auto it = texts.find(name);
  return it == texts.end() ? std::string_view() : it->second;
}

}  // namespace

LayerProfile::LayerProfile(bool details, const Explanation& explanation)
    : details_(details), explanation_(explanation), folder_("profile") {
  fs::create_directory(folder_.path() / "kept");
  OrtRunOptions* made = nullptr;
  Check(Api().CreateRunOptions(&made), "cannot make run options", "");
  options_.reset(made);
  Check(Library().enable_run_profiling(made, (folder_.path() / "run").c_str()),
        "cannot switch profiling on", "");
}

LayerProfile::~LayerProfile() {
  if (unreadable_ > 0) Attribute(0, "onnxruntime.unreadable_nodes", std::to_string(unreadable_));
}

const OrtRunOptions* LayerProfile::BeginRun() {
  // The run's profile begins after this, and its end is in the run: nodes that are placed from here
  // lie inside the call, too early by what the library does before its profile begins.
  origin_ns_ = xsp_now_ns();
  return options_.get();
}

void LayerProfile::Keep(xsp_span call) {
  fs::path file;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    if (entry.path().extension() == ".json") file = entry.path();
  }
  if (file.empty()) {
    throw WorkerError(
        ErrorKind::kEnvironment, "ONNX Runtime wrote no profile into " + folder_.path().string(),
        "check the free space of the disk; profiling of the whole session must be off");
  }
  // Its name holds the time in milliseconds: a short run's would be the next one's, too.
  const fs::path kept = folder_.path() / "kept" / std::to_string(kept_.size());
  fs::rename(file, kept);
  kept_.push_back({kept, call, origin_ns_});
  if (kept_.size() == kMostKept) Flush();
}

void LayerProfile::Flush() {
  for (const Run& run : kept_) Record(run);
  kept_.clear();
}

void LayerProfile::Record(const Run& run) {
  const xsp_span call = run.call;
  const Profile profile = ReadProfile(run.file);
  unreadable_ += profile.unreadable;
  std::vector<xsp_span> spans;
  spans.reserve(profile.nodes.size());
  for (const Node& node : profile.nodes) {
    const auto start_ns = run.origin_ns + static_cast<std::uint64_t>(node.start_us) * 1000;
    const auto duration_ns = static_cast<std::uint64_t>(node.duration_us) * 1000;
    spans.push_back(xsp_complete_in(node.parent ? spans[*node.parent] : call, XSP_LEVEL_LAYER,
                                    Intern(node.type), Intern(node.name), start_ns, duration_ns));
    if (details_ && spans.back()) RecordDetails(node, spans.back());
  }
  if (details_) RecordMemory(profile.nodes, call);
}

void LayerProfile::RecordDetails(const Node& node, xsp_span layer) const {
  static const UnpaddedNode kNotPadded;
  const auto found = explanation_.unpadded.find(node.name);
  const bool padded = !node.parent && found != explanation_.unpadded.end();
  const UnpaddedNode& sizes = padded ? found->second : kNotPadded;
  const std::string outputs = WithoutPadding(node.output_shapes, sizes.outputs);
  Attribute(layer, "input_shapes", WithoutPadding(node.input_shapes, sizes.inputs));
  Attribute(layer, "input_types", node.input_types);
  Attribute(layer, "output_shapes", outputs);
  if (outputs != node.output_shapes) Attribute(layer, "padded_output_shapes", node.output_shapes);
  Attribute(layer, "implementation", node.provider);
  if (!node.parent) {
    Attribute(layer, "fused_from", Find(explanation_.fused_from, node.name));
    Attribute(layer, "path", Find(explanation_.paths, node.name));
  }
  if (node.allocated_bytes) Bytes(layer, "allocated_bytes", std::max(0.0, *node.allocated_bytes));
}

void LayerProfile::RecordMemory(const std::vector<Node>& nodes, xsp_span call) const {
  double allocated = 0, base = 0, most = 0;
  for (const Node& node : nodes) {
    if (!node.allocated_bytes || !node.bytes_in_use) return;
    if (&node == &nodes.front()) base = *node.bytes_in_use - *node.allocated_bytes;
    if (!node.parent) allocated += std::max(0.0, *node.allocated_bytes);
    most = std::max(most, *node.bytes_in_use - base);
  }
  if (nodes.empty()) return;
  Bytes(call, "allocated_bytes", allocated);
  Bytes(call, "peak_bytes", most);
}

}  // namespace xsp::worker_onnxruntime
