#ifndef XSP_WORKERS_TENSORFLOW_INPUT_INFERENCE_H_
#define XSP_WORKERS_TENSORFLOW_INPUT_INFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/worker.h"
#include "tensorflow/signature.h"

namespace xsp::worker_tensorflow {

/// What the graph says of its ports. Returns how many there are. Throws WorkerError: not_possible
/// where elements are of a type that XSP cannot make, or the model has a batch size of its own.
std::size_t InferInputs(const std::vector<Port>& ports, std::int64_t batch,
                        xsp_worker_input* inputs, std::size_t capacity);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_INPUT_INFERENCE_H_
