#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_PRODUCTS_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_PRODUCTS_H_

#include <optional>
#include <string>

#include "answer.h"
#include "gpu.h"
#include "primitive.h"

namespace xsp::cuda_alternatives {

/// "cuBLASLt 13.1.0"; nothing: it is not there. Needs no GPU.
std::optional<std::string> ProductLibraryName();

/// Measures a matrix product with cublasLtMatmul: of each type, with weights as rows ("plain": [k,
/// n]) and "transposed" ([n, k], as torch.nn.Linear has them), up to 8 algorithms that the
/// library's heuristic names, the one that it takes for the fastest first ("heuristic 1").
/// Post-operations are its epilogues; a sum is beta 1. Each launch of a product
/// that is no batch uses different weights. Throws NotPossible without the library or memory,
/// DeviceError.
void MeasureProducts(const Gpu& gpu, const Primitive& primitive, Answer& answer);

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_PRODUCTS_H_
