#include "tensorflow/infer_inputs.h"

#include <algorithm>
#include <cstdio>

#include "harness/guarded.h"
#include "tensorflow/element_type.h"

namespace xsp::worker_tensorflow {
namespace {

using worker::WorkerError;

constexpr std::int64_t kImageSize = 224;
constexpr const char* kHint = "list the inputs in the model's manifest (name, dtype, shape)";

bool IsImage(const std::vector<std::int64_t>& shape) {
  const auto channels = [](std::int64_t size) { return size == 1 || size == 3; };
  return shape.size() == 4 && (channels(shape[1]) || channels(shape[3]));
}

void Infer(const Port& port, std::int64_t batch, xsp_worker_tensor& input) {
  const auto dtype = ElementTypeOf(port.type);
  if (!dtype) {
    throw WorkerError(
        XSP_WORKER_NOT_POSSIBLE,
        "input " + port.name + " has an element type that XSP cannot make: " + TypeName(port.type),
        "export the model from where its inputs are numbers");
  }
  if (port.rank < 0 || port.rank > XSP_WORKER_MAX_RANK) {
    throw WorkerError(XSP_WORKER_BAD_INPUT,
                      "the graph does not say the shape of input " + port.name, kHint);
  }
  std::snprintf(input.name, sizeof input.name, "%s", port.name.c_str());
  input.dtype = *dtype;
  input.rank = port.rank;
  for (std::size_t i = 0; i < port.shape.size(); ++i) {
    std::int64_t size = port.shape[i];
    if (size < 0 && i == 0) size = batch;
    if (size < 0 && IsImage(port.shape)) size = kImageSize;
    if (size < 0) {
      throw WorkerError(
          XSP_WORKER_BAD_INPUT,
          "the graph leaves a size of input " + port.name + " open: dimension " + std::to_string(i),
          kHint);
    }
    input.shape[i] = size;
  }
  if (batch > 1 && port.rank > 0 && input.shape[0] != batch) {
    throw WorkerError(XSP_WORKER_NOT_POSSIBLE,
                      "the model has a batch size of its own, " + std::to_string(input.shape[0]) +
                          ", and cannot run with " + std::to_string(batch),
                      "export it with a free first dimension");
  }
}

}  // namespace

std::size_t InferInputs(const std::vector<Port>& ports, std::int64_t batch,
                        xsp_worker_tensor* inputs, std::size_t capacity) {
  const std::size_t count = std::min(capacity, ports.size());
  for (std::size_t i = 0; i < count; ++i) Infer(ports[i], batch, inputs[i]);
  return count;
}

}  // namespace xsp::worker_tensorflow
