#ifndef XSP_WORKERS_ONNXRUNTIME_ONNX_GRAPH_H_
#define XSP_WORKERS_ONNXRUNTIME_ONNX_GRAPH_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace xsp::worker_onnxruntime {

/// A node of an ONNX file. Values have names; empty: an optional one that is left out.
struct GraphNode {
  std::string name;  ///< May be empty.
  std::vector<std::string> inputs, outputs;
  std::string type = "";    ///< The operator, without its domain: "Conv".
  std::string path = "";    ///< Of the module that PyTorch exported it from: "layer1.0.conv2".
  std::string domain = "";  ///< Empty: ONNX's own.
  std::int64_t groups = 1;  ///< The attribute `group` of a convolution.
};

/// A graph without its weights. The bodies of If, Loop and Scan are left out.
struct Graph {
  /// In the file's order, in which each comes after those whose results it takes.
  std::vector<GraphNode> nodes;
  std::unordered_set<std::string> constants;  ///< Values that are stored, not computed.
  std::unordered_map<std::string, std::vector<std::int64_t>> shapes = {};  ///< Of constants.
};

/// Reads a serialised ModelProto of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. Nothing
/// when it is damaged or has no graph.
std::optional<Graph> ReadGraph(std::string_view model);

/// The same of a file, which is mapped: weights are not read. Nothing also when it cannot be
/// opened.
std::optional<Graph> ReadGraphFile(const std::filesystem::path& path);

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_ONNX_GRAPH_H_
