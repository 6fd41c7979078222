#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_PRIMITIVE_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_PRIMITIVE_H_

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::cuda_alternatives {

/// A primitive of the forward pass, as the table `kernel` has it for kernels of a device.
struct Primitive {
  std::string kind;     ///< convolution or matmul.
  std::string problem;  ///< "mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224...", "4x256:256x128"
  std::string dtype;    ///< Of the run: one that TypesFrom() has.
  std::vector<std::string> post_ops;  ///< Of products: sum, bias, relu, gelu; in this order.

  bool Has(std::string_view post_op) const;
};

/// {"kind", "problem", "dtype", "post_ops"?}; nothing where it is none.
std::optional<Primitive> PrimitiveFrom(const nlohmann::json& object);

/// An arithmetic that both libraries have. Values of library_types.h (cudaDataType),
/// cublas_api.h (cublasComputeType_t) and cudnn_graph.h (cudnnDataType_t), the same since CUDA 11
/// and cuDNN 8. Declared here so that no header of NVIDIA is needed to build.
struct Type {
  const char* name;  ///< As kernel.dtype; tfloat32: float32 in memory, multiplied as TF32.
  int element_bytes, result_bytes;
  int min_capability;
  int cublas_type, cublas_result, cublas_compute, cublas_scale;
  int cudnn_type;  ///< -1: not measured.
};

/// That of the run first: other types give other results.
std::vector<const Type*> TypesFrom(std::string_view dtype);

/// result [batch, m, n] = source [batch, m, k] times weights [batch, k, n].
struct Product {
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
  bool has_one_source = false, has_one_weights = true;  ///< For the whole batch.
};

/// Throws std::invalid_argument for a problem that is none, and NotPossible for broadcasting that
/// no one call computes.
Product ProductOf(const Primitive& primitive);

/// A convolution of 1 to 3 dimensions, height first; a 1 is added before a single one.
struct Convolution {
  std::int64_t batch = 0, groups = 1, in_channels = 0, out_channels = 0;
  std::vector<int> in, out, kernel, stride, padding, dilation;  ///< dilation: 1 is dense.

  std::vector<int> SourceSizes() const, WeightsSizes() const, ResultSizes() const;
};

/// Throws as ProductOf(): NotPossible where the padding differs between the two ends.
Convolution ConvolutionOf(const Primitive& primitive);

/// Random numbers of a type, which neither vanish nor grow: 1 MiB.
std::vector<char> RandomNumbers(const Type& type);

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_PRIMITIVE_H_
