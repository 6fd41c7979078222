#ifndef XSP_CAPTURE_RECORD_CUDA_ACTIVITY_GRAPH_CAPTURES_H_
#define XSP_CAPTURE_RECORD_CUDA_ACTIVITY_GRAPH_CAPTURES_H_

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "capture/wire/xsp.h"

namespace xsp::record::cuda {

/// Remembers which span was open when a graph node was made, over clones: the graph that is
/// launched is a clone of the one that was captured, and its nodes have numbers of their own. Any
/// thread; called where graphs are captured and instantiated, never where they are launched.
class GraphCaptures {
 public:
  /// A node was made on this thread. One that is known keeps its span, and one that is made while
  /// this thread instantiates a graph has its original's, by Cloned.
  void Created(std::uint64_t node);
  /// Before or after the clone's Created: the span is the original's either way.
  void Cloned(std::uint64_t node, std::uint64_t original);
  /// The node is gone; its clones are not.
  void Destroyed(std::uint64_t node);
  /// A call that instantiates a graph begins or ends on this thread, whether it succeeded or not.
  /// Such calls may lie in each other, as the driver's in the runtime's.
  static void Instantiating(bool begins);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, xsp_span> span_of_;
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_ACTIVITY_GRAPH_CAPTURES_H_
