#ifndef XSP_WORKERS_TENSORFLOW_SIGNATURE_H_
#define XSP_WORKERS_TENSORFLOW_SIGNATURE_H_

#include <tensorflow/c/c_api.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::worker_tensorflow {

/// A tensor that goes into the model or comes out.
struct Port {
  std::string name;  ///< Key of the signature, or name of the graph's node.
  TF_Output at = {nullptr, 0};
  TF_DataType type = TF_FLOAT;
  int rank = -1;                    ///< -1: the graph does not say.
  std::vector<std::int64_t> shape;  ///< -1: any size.
};

struct Ports {
  std::vector<Port> inputs, outputs;
};

/// The inputs and outputs, in order of their keys, of the signature of that name in a serialised
/// MetaGraphDef; of the only one there is when there is none of that name. Throws WorkerError (bad
/// input).
Ports PortsOfSignature(TF_Graph* graph, std::string_view meta_graph, const std::string& name);

/// Of a graph without signature: inputs are its placeholders, outputs the operators that nobody
/// reads, or those that `outputs` names ("node" or "node:1"). In the graph's order. Throws
/// WorkerError (bad input).
Ports PortsOfGraph(TF_Graph* graph, const std::vector<std::string>& outputs);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_SIGNATURE_H_
