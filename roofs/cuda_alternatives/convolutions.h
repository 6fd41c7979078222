#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_CONVOLUTIONS_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_CONVOLUTIONS_H_

#include <optional>
#include <string>

#include "answer.h"
#include "gpu.h"
#include "primitive.h"

namespace xsp::cuda_alternatives {

/// "cuDNN 9.26.0"; nothing: it is not there. Needs no GPU.
std::optional<std::string> ConvolutionLibraryName();

/// Measures a convolution with cudnnConvolutionForward: of each floating-point type, with NCHW
/// ("plain") and NHWC ("channels_last"), every algorithm that the library's heuristic names.
/// float32 allows FMA only, tfloat32 what the library takes for float32 by default on GPUs with
/// TF32. Each launch uses different weights. Throws NotPossible without the library or memory and
/// for post-operations, DeviceError.
void MeasureConvolutions(const Gpu& gpu, const Primitive& primitive, Answer& answer);

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_CONVOLUTIONS_H_
