#ifndef XSP_WORKERS_MXNET_SYMBOL_GRAPH_H_
#define XSP_WORKERS_MXNET_SYMBOL_GRAPH_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace xsp::worker_mxnet {

/// An operator of a symbol, as its JSON tells.
struct Operator {
  std::string name;                     ///< "sg_mkldnn_conv_bn_act_0".
  std::string type;                     ///< "_sg_mkldnn_conv".
  std::vector<std::string> fused_from;  ///< Names of the operators that a fusion stands for.
};

/// The operators in the order in which an executor runs them one after another; variables are left
/// out.
std::vector<Operator> OperatorsOf(const std::string& symbol_json);

/// Shapes that the model's author gave its variables (attribute __shape__), 0 where free.
std::map<std::string, std::vector<std::int64_t>> ShapesOf(const std::string& symbol_json);

}  // namespace xsp::worker_mxnet

#endif  // XSP_WORKERS_MXNET_SYMBOL_GRAPH_H_
