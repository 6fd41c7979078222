#ifndef XSP_MEASURE_ALTERNATIVES_PRIMITIVE_WORK_H_
#define XSP_MEASURE_ALTERNATIVES_PRIMITIVE_WORK_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measure/alternatives/processor.h"

namespace xsp::alternatives {

/// What a primitive of the forward pass computes, as the programs that measure take it
/// (alternatives_program.h).
struct PrimitiveWork {
  std::string kind;     ///< convolution, inner_product or matmul.
  std::string problem;  ///< As oneDNN announces it.
  std::string dtype;    ///< Of the arithmetic: float32, bfloat16, int8; on GPUs float16, tfloat32.
  std::vector<std::string>
      post_ops;          ///< sum, relu, clip, on GPUs bias: what follows on the result.
  int output_bytes = 0;  ///< Of an element of the result; 0: not known, or a GPU.

  auto operator<=>(const PrimitiveWork&) const = default;
};

/// A primitive that ran, as the tables have it.
struct RanPrimitive {
  bool on_gpu = false;  ///< A kernel of a device: its kind follows from the problem.
  std::string kind;     ///< First word of kernel.name; gemm: a product of MKL.
  std::string problem, dtype;
  std::string layer_type;  ///< Of its layer: the gradient of a primitive has the same problem.
  std::optional<double> flops, read_bytes, write_bytes;
  std::string precision = "";  ///< Of the point.
};

/// What it computes, or why no alternatives of it can be measured.
struct WorkOrReason {
  std::optional<PrimitiveWork> work;
  std::string reason;  ///< Where there is no work; empty: of a kind that has no alternatives.
};

/// The tables do not state post-operations, but their cost: FLOPs beyond those of the primitive
/// (docs/primitives.md), and a result that is read (sum). 1 FLOP an output is a sum or a ReLU, 2
/// are a sum and a ReLU or a clipping; more is not measured. On GPUs 1 FLOP an output is a sum, if
/// the result is read, or a bias, as products have them.
WorkOrReason WorkOf(const RanPrimitive& primitive);

nlohmann::json ToJson(const PrimitiveWork& work);

/// Words that tell it from other work on this kind of processor; the same in each version of XSP
/// that shares a cache.
std::string KeyOf(const PrimitiveWork& work, const Processor& processor);

}  // namespace xsp::alternatives

#endif  // XSP_MEASURE_ALTERNATIVES_PRIMITIVE_WORK_H_
