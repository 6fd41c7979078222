#include "tensorflow/input_inference.h"

#include <algorithm>
#include <cstdio>

#include "harness/worker_errors.h"
#include "tensorflow/element_type.h"

namespace xsp::worker_tensorflow {
namespace {

using worker::WorkerError;

void Infer(const Port& port, std::int64_t batch, xsp_worker_input& input) {
  const auto dtype = ElementTypeOf(port.type);
  if (!dtype) {
    throw WorkerError(
        ErrorKind::kNotPossible,
        "input " + port.name + " has an element type that XSP cannot make: " + TypeName(port.type),
        "export the model from where its inputs are numbers");
  }
  if (port.rank > XSP_WORKER_MAX_RANK) {
    throw WorkerError(
        ErrorKind::kNotPossible,
        "input " + port.name + " has more than 8 dimensions: " + std::to_string(port.rank), "");
  }
  std::snprintf(input.name, sizeof input.name, "%s", port.name.c_str());
  input.dtype = *dtype;
  input.rank = port.rank < 0 ? XSP_WORKER_UNKNOWN : port.rank;
  for (std::size_t i = 0; i < port.shape.size(); ++i)
    input.shape[i] = port.shape[i] < 0 ? XSP_WORKER_UNKNOWN : port.shape[i];
  if (batch > 1 && port.rank > 0 && port.shape[0] >= 0 && port.shape[0] != batch) {
    throw WorkerError(ErrorKind::kNotPossible,
                      "the model has a batch size of its own, " + std::to_string(input.shape[0]) +
                          ", and cannot run with " + std::to_string(batch),
                      "export it with a free first dimension");
  }
}

}  // namespace

std::size_t InferInputs(const std::vector<Port>& ports, std::int64_t batch,
                        xsp_worker_input* inputs, std::size_t capacity) {
  const std::size_t count = std::min(capacity, ports.size());
  for (std::size_t i = 0; i < count; ++i) Infer(ports[i], batch, inputs[i]);
  return count;
}

}  // namespace xsp::worker_tensorflow
