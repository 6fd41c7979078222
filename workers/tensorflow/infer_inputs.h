#ifndef XSP_WORKERS_TENSORFLOW_INFER_INPUTS_H_
#define XSP_WORKERS_TENSORFLOW_INFER_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/worker.h"
#include "tensorflow/signature.h"

namespace xsp::worker_tensorflow {

/// Makes inputs of what the graph says of its ports: a free first size is the batch; a free height
/// or width of images (four sizes, one of them 1 or 3 channels) is taken as 224. Returns how many
/// there are. Throws WorkerError: bad_input where more is free or a type is not known,
/// not_possible where the model has a batch size of its own.
std::size_t InferInputs(const std::vector<Port>& ports, std::int64_t batch,
                        xsp_worker_tensor* inputs, std::size_t capacity);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_INFER_INPUTS_H_
