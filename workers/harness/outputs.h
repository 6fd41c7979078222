#ifndef XSP_WORKERS_HARNESS_OUTPUTS_H_
#define XSP_WORKERS_HARNESS_OUTPUTS_H_

#include <span>
#include <string>

#include "core/result.h"
#include "harness/worker.h"

namespace xsp::worker {

/// Writes tensors into `folder`, which is made: one NPY file (NumPy's format 1.0, little-endian,
/// C order) each, "0.npy", "1.npy", ..., and "outputs.json", a list of {"name", "dtype", "shape",
/// "file"} in order. bfloat16 has no NPY type and is written as float32, which holds it exactly;
/// `dtype` says bfloat16. Errors: environment (cannot write).
Status WriteOutputs(std::span<const xsp_worker_tensor> tensors, const std::string& folder);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_OUTPUTS_H_
