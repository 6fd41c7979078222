#ifndef XSP_INGEST_PRIMITIVES_OPERATOR_PROBLEM_H_
#define XSP_INGEST_PRIMITIVES_OPERATOR_PROBLEM_H_

#include <string>
#include <string_view>

namespace xsp::primitives {

/// The problem that the kernels of a matrix product or convolution solve, as oneDNN writes it:
/// "4x256:256x128", with batches "12x64x32:12x32x64", or
/// "mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw..."; dilation 0 is dense. The arguments are those of
/// EstimateOperator().
///
/// ATen's products of two matrices and its forward convolutions that are not transposed; nodes
/// MatMul, and Conv with channels second. A convolution without values of its arguments has a
/// problem where only one geometry makes its result (OnlyGeometry()). Rows of all batches are one
/// matrix where the second operand has none. Empty for everything else: vectors, attention,
/// gradients, shapes that do not fit. Pure; any thread; any text is safe.
std::string ProblemOfOperator(std::string_view type, std::string_view input_shapes,
                              std::string_view input_types, std::string_view output_shapes,
                              std::string_view input_values);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_OPERATOR_PROBLEM_H_
