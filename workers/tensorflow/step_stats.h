#ifndef XSP_WORKERS_TENSORFLOW_STEP_STATS_H_
#define XSP_WORKERS_TENSORFLOW_STEP_STATS_H_

#include <tensorflow/c/tf_datatype.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::worker_tensorflow {

struct NodeOutput {
  std::int64_t slot = 0;
  TF_DataType type = TF_FLOAT;
  std::vector<std::int64_t> shape;
};

/// One execution of a graph node, as RunMetadata.step_stats tells it. Texts point into the message.
struct NodeStats {
  std::string_view name;
  std::string_view type;    ///< The operator that ran: "_MklNativeConv2D".
  std::string_view inputs;  ///< "x, w:1, ^control": names of nodes with slot, as in the graph.
  std::int64_t start_ns = 0, end_ns = 0;  ///< The kernel's Compute, CLOCK_REALTIME.
  std::int64_t allocated_bytes = 0;       ///< Allocated during it, frees not subtracted.
  std::int64_t peak_bytes = 0;            ///< Of the sum of allocators, each at its own peak.
  std::vector<NodeOutput> outputs;
};

/// The nodes that ran on devices, by start. Derived lines ("/stream:all", "/memcpy": the same work
/// told again by a device tracer) are left out. What is damaged is left out.
std::vector<NodeStats> ReadStepStats(std::string_view run_metadata);

/// Of each node of RunMetadata.partition_graphs (the graphs as they run, after rewriting) that is a
/// fusion: the operators that were joined to its first one: "BiasAdd,Relu".
std::map<std::string, std::string> ReadFusedOperators(std::string_view run_metadata);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_STEP_STATS_H_
