#include "tensorflow/signature.h"

#include <charconv>
#include <map>

#include "protobuf/message.h"
#include "tensorflow/handles.h"

namespace xsp::worker_tensorflow {
namespace {

using protobuf::Field;
using protobuf::MessageReader;

Port PortAt(TF_Graph* graph, std::string name, TF_Output at) {
  Port port = {std::move(name), at, TF_OperationOutputType(at), -1, {}};
  const Status status = NewStatus();
  port.rank = TF_GraphGetTensorNumDims(graph, at, status.get());
  if (TF_GetCode(status.get()) != TF_OK || port.rank < 0) {
    port.rank = -1;
    return port;
  }
  port.shape.resize(static_cast<std::size_t>(port.rank));
  TF_GraphGetTensorShape(graph, at, port.shape.data(), port.rank, status.get());
  return port;
}

/// The tensor that "node" or "node:1" names.
Port PortNamed(TF_Graph* graph, std::string name, std::string_view tensor) {
  const std::size_t colon = tensor.rfind(':');
  int index = 0;
  std::string node(tensor);
  if (colon != std::string_view::npos) {
    node = tensor.substr(0, colon);
    std::from_chars(tensor.data() + colon + 1, tensor.data() + tensor.size(), index);
  }
  TF_Operation* operation = TF_GraphOperationByName(graph, node.c_str());
  if (!operation || index < 0 || index >= TF_OperationNumOutputs(operation)) {
    throw WorkerError(ErrorKind::kBadInput, "the graph has no such tensor: " + std::string(tensor),
                      "name a node of the graph, or NODE:INDEX");
  }
  return PortAt(graph, std::move(name), {operation, index});
}

struct Signature {
  std::map<std::string, std::string> inputs, outputs;  ///< Tensor by key.
};

/// Adds one entry of a map from key to TensorInfo.
void AddTensor(std::string_view entry, std::map<std::string, std::string>& tensors) {
  std::string key, tensor;
  MessageReader reader(entry);
  for (Field field; reader.Next(field);) {
    if (field.number == 1) key = field.bytes;
    if (field.number != 2) continue;
    MessageReader info(field.bytes);
    for (Field part; info.Next(part);)
      if (part.number == 1) tensor = part.bytes;
  }
  tensors[key] = tensor;
}

std::map<std::string, Signature> ReadSignatures(std::string_view meta_graph) {
  std::map<std::string, Signature> signatures;
  MessageReader reader(meta_graph);
  for (Field field; reader.Next(field);) {
    if (field.number != 5) continue;  // signature_def: key 1, SignatureDef 2.
    std::string name;
    Signature signature;
    MessageReader entry(field.bytes);
    for (Field part; entry.Next(part);) {
      if (part.number == 1) name = part.bytes;
      if (part.number != 2) continue;
      MessageReader definition(part.bytes);
      for (Field ports; definition.Next(ports);) {
        if (ports.number == 1) AddTensor(ports.bytes, signature.inputs);
        if (ports.number == 2) AddTensor(ports.bytes, signature.outputs);
      }
    }
    // Initialisers are kept as signatures, too: they give nothing.
    if (!signature.outputs.empty() && !name.starts_with("__")) signatures[name] = signature;
  }
  return signatures;
}

std::string Names(const std::map<std::string, Signature>& signatures) {
  std::string names;
  for (const auto& [name, signature] : signatures) names += (names.empty() ? "" : ", ") + name;
  return names;
}

bool IsRead(TF_Operation* operation) {
  for (int i = 0; i < TF_OperationNumOutputs(operation); ++i)
    if (TF_OperationOutputNumConsumers({operation, i}) > 0) return true;
  return false;
}

bool MayBeResult(TF_Operation* operation) {
  const std::string_view type = TF_OperationOpType(operation);
  return TF_OperationNumOutputs(operation) > 0 && type != "Const" && type != "Placeholder" &&
         type != "VarHandleOp" && !IsRead(operation);
}

}  // namespace

Ports PortsOfSignature(TF_Graph* graph, std::string_view meta_graph, const std::string& name) {
  const auto signatures = ReadSignatures(meta_graph);
  auto found = signatures.find(name);
  if (found == signatures.end() && signatures.size() == 1) found = signatures.begin();
  if (found == signatures.end()) {
    throw WorkerError(ErrorKind::kBadInput, "the SavedModel has no signature of this name: " + name,
                      signatures.empty()
                          ? "it has none: save it with signatures=, or with model.export in Keras"
                          : "it has: " + Names(signatures) + " (option signature)");
  }
  Ports ports;
  for (const auto& [key, tensor] : found->second.inputs)
    ports.inputs.push_back(PortNamed(graph, key, tensor));
  for (const auto& [key, tensor] : found->second.outputs)
    ports.outputs.push_back(PortNamed(graph, key, tensor));
  return ports;
}

Ports PortsOfGraph(TF_Graph* graph, const std::vector<std::string>& outputs) {
  Ports ports;
  for (const std::string& output : outputs)
    ports.outputs.push_back(PortNamed(graph, output, output));
  std::size_t position = 0;
  while (TF_Operation* operation = TF_GraphNextOperation(graph, &position)) {
    const char* name = TF_OperationName(operation);
    if (std::string_view(TF_OperationOpType(operation)) == "Placeholder")
      ports.inputs.push_back(PortAt(graph, name, {operation, 0}));
    if (!outputs.empty() || !MayBeResult(operation)) continue;
    for (int i = 0; i < TF_OperationNumOutputs(operation); ++i)
      ports.outputs.push_back(
          PortAt(graph, i == 0 ? name : name + (":" + std::to_string(i)), {operation, i}));
  }
  if (ports.outputs.empty()) {
    throw WorkerError(ErrorKind::kBadInput, "the graph has no operator whose result nobody reads",
                      "name the results with the option outputs=NODE,NODE:1");
  }
  return ports;
}

}  // namespace xsp::worker_tensorflow
