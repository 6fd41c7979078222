#ifndef XSP_WORKERS_TENSORFLOW_LAYER_RECORDER_H_
#define XSP_WORKERS_TENSORFLOW_LAYER_RECORDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"
#include "harness/announced_kernels.h"
#include "tensorflow/step_stats.h"

namespace xsp::worker_tensorflow {

/// Whether a node only hands over values that are there already (constants, variables, feeds,
/// fetches, control): no layer of the model.
bool OnlyHandsOver(const NodeStats& node);

/// For each node the one that calls it: the innermost operator that runs a graph of its own (a
/// function, a loop) and contains its time; -1: none. `nodes` by start, as ReadStepStats() gives
/// them.
std::vector<int> FindCallers(const std::vector<NodeStats>& nodes);

/// Writes the nodes of calls into the open recording as layer spans of that call.
class LayerRecorder {
 public:
  struct Options {
    bool all_nodes = false;                    ///< Also those that only hand over values.
    bool details = false;                      ///< Shapes, types and memory.
    std::map<std::string, std::string> fused;  ///< Of ReadFusedOperators(): for details.
  };

  explicit LayerRecorder(Options options) : options_(std::move(options)) {}

  /// Records the nodes of one call, and on it the metrics handed_over_nodes and handed_over_ns:
  /// what was left out. `realtime_offset_ns`: CLOCK_REALTIME - CLOCK_MONOTONIC during the call.
  /// Returns the layers, for the kernels inside them.
  std::vector<worker::RecordedLayer> Record(xsp_span call, const std::vector<NodeStats>& nodes,
                                            std::int64_t realtime_offset_ns) const;

 private:
  Options options_;
};

/// CLOCK_REALTIME - CLOCK_MONOTONIC, now; good to about 100 ns.
std::int64_t RealtimeOffsetNs();

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_LAYER_RECORDER_H_
