#ifndef XSP_INGEST_PRIMITIVES_OPERATORS_H_
#define XSP_INGEST_PRIMITIVES_OPERATORS_H_

#include <cstdint>
#include <string_view>

#include "ingest/primitives/cost.h"

namespace xsp::primitives {

/// What a framework operator does with tensor data on a CPU.
enum class OperatorRole : std::uint8_t {
  kUnknown,        ///< Not in the table: computes if it calls no other operator that does.
  kComputes,       ///< Computes by itself, whatever it calls besides (addmm copies its bias).
  kFused,          ///< Computes by itself between the primitives that it announces (attention).
  kFills,          ///< Sets a tensor to one value: computes, but says nothing about its caller.
  kCopies,         ///< Moves tensor data: computes by itself, perhaps for a caller that does, too.
  kDelegates,      ///< Computes by itself unless it calls what computes, copies left out.
  kNeverComputes,  ///< Views, allocation, metadata, and operators that only call others.
};

/// The role of an operator type: "aten::relu_", "aten::empty", "prim::ListConstruct"; nodes of
/// graphs, "Conv", "_FusedMatMul" (graph_operators.h). Other names without a namespace are looked
/// up as ATen's. Pure; any thread.
OperatorRole RoleOf(std::string_view type);

/// FLOPs and traffic of an operator that runs without a primitive, from its shapes: inputs read
/// once, outputs written once, the formulas of docs/primitives.md.
///
/// Shapes as trace attributes hold them, "[[1,3,224,224],[64,3,7,7],[]]" ([]: no tensor; lists of
/// tensors may nest), types "[float32,float32,]". Without output shapes an in-place operator
/// (name ends in "_") writes its first input, and any other the largest input. Status kTrafficOnly
/// where no formula is known for its FLOPs, kUnreadable where there is no tensor or a type is not
/// known. `input_values` tells what convolutions need besides (attribute input_values); may be
/// empty. unit is always "vector". Pure; any thread; any text is safe.
Cost EstimateOperator(std::string_view type, std::string_view input_shapes,
                      std::string_view input_types, std::string_view output_shapes,
                      std::string_view input_values = {});

/// `cost` of an operator without what kernels inside it are known to do: what is left for the one
/// kernel whose work nothing else tells. Never below 0, as an implementation may do more than the
/// algorithm needs. Pure; any thread.
Cost WithoutKnown(Cost cost, double flops, double read_bytes, double write_bytes);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_OPERATORS_H_
