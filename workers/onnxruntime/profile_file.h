#ifndef XSP_WORKERS_ONNXRUNTIME_PROFILE_FILE_H_
#define XSP_WORKERS_ONNXRUNTIME_PROFILE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace xsp::worker_onnxruntime {

/// One executed node of the graph, as ONNX Runtime's profiler tells it. It rounds both times down
/// to whole microseconds.
struct Node {
  std::string name;
  std::string type;           ///< The operator: "Conv", "FusedConv", "ReorderOutput".
  std::string provider;       ///< "CPUExecutionProvider".
  std::int64_t start_us = 0;  ///< Since the profile's beginning.
  std::int64_t duration_us = 0;
  std::string input_shapes, input_types, output_shapes;  ///< As docs/worker-protocol.md wants them.
  /// What the arena handed out in the node and has not got back at its end: its results. Newer
  /// libraries only.
  std::optional<double> allocated_bytes;
  std::optional<double> bytes_in_use;  ///< Of the arena, at the node's end.
  /// The node whose graph this one belongs to (If, Loop, Scan): its index in the list.
  std::optional<std::size_t> parent;
};

struct Profile {
  std::vector<Node> nodes;     ///< In order of their beginning.
  std::size_t unreadable = 0;  ///< Lines that are no JSON: the library escapes no names.
};

/// Reads the profile of one run; nodes of no operator (sessions, threads) are left out. An empty
/// list where there is no such file.
Profile ReadProfile(const std::filesystem::path& path);

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_PROFILE_FILE_H_
