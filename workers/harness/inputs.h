#ifndef XSP_WORKERS_HARNESS_INPUTS_H_
#define XSP_WORKERS_HARNESS_INPUTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "harness/job.h"
#include "harness/worker.h"

namespace xsp::worker {

/// Tensors filled with seeded random values, and the memory they lie in.
class Inputs {
 public:
  /// Makes one tensor per spec, filled as it says. The same seed gives the same bytes on every
  /// machine with the same floating-point library. Errors: environment when memory runs out.
  Status Make(const std::vector<InputSpec>& specs, std::uint64_t seed);

  const std::vector<xsp_worker_tensor>& tensors() const { return tensors_; }

  /// [{"name": "input", "dtype": "float32", "shape": [1, 3, 224, 224]}] as JSON text.
  std::string Describe() const;

 private:
  struct Free {
    void operator()(void* data) const;
  };
  std::vector<xsp_worker_tensor> tensors_;
  std::vector<std::unique_ptr<void, Free>> memory_;
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_INPUTS_H_
