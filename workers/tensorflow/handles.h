#ifndef XSP_WORKERS_TENSORFLOW_HANDLES_H_
#define XSP_WORKERS_TENSORFLOW_HANDLES_H_

#include <tensorflow/c/c_api.h>

#include <memory>
#include <string>
#include <string_view>

#include "harness/worker_errors.h"

namespace xsp::worker_tensorflow {

using worker::WorkerError;

template <auto Delete>
struct Deleter {
  template <typename T>
  void operator()(T* object) const {
    Delete(object);
  }
};

using Status = std::unique_ptr<TF_Status, Deleter<TF_DeleteStatus>>;
using Graph = std::unique_ptr<TF_Graph, Deleter<TF_DeleteGraph>>;
using Buffer = std::unique_ptr<TF_Buffer, Deleter<TF_DeleteBuffer>>;
using Tensor = std::unique_ptr<TF_Tensor, Deleter<TF_DeleteTensor>>;
using SessionOptions = std::unique_ptr<TF_SessionOptions, Deleter<TF_DeleteSessionOptions>>;

inline Status NewStatus() { return Status(TF_NewStatus()); }

inline std::string_view TextOf(const TF_Buffer& buffer) {
  return {static_cast<const char*>(buffer.data), buffer.length};
}

/// Throws WorkerError unless `status` is good: not_possible for an operator that this TensorFlow
/// does not have, environment where memory ran out, else bad_input. Its text is `context` and the
/// sentence of TensorFlow's message that matters, without the trace of graph nodes.
void Check(const TF_Status& status, const std::string& context, const std::string& hint);

/// The sentence that matters in a message of TensorFlow.
std::string Essence(const std::string& message);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_HANDLES_H_
