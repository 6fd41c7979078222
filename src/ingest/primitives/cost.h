#ifndef XSP_INGEST_PRIMITIVES_COST_H_
#define XSP_INGEST_PRIMITIVES_COST_H_

#include <cstdint>
#include <string_view>

#include "ingest/primitives/announcement.h"

namespace xsp::primitives {

enum class CostStatus : std::uint8_t {
  kKnown,
  kUnknownKind,  ///< No formula for this kind of primitive, operator or attribute.
  kUnreadable,   ///< The kind is known, its problem description or data types are not (run-time
                 ///< shapes, MKL batches that announce addresses only, damage).
  kTrafficOnly,  ///< Operators only: the bytes are known from shapes, the FLOPs are not.
};

/// The work of one kernel, counted from its problem description: what the algorithm needs, not what
/// the hardware did. Traffic counts each operand once, without padding of blocked layouts.
struct Cost {
  CostStatus status = CostStatus::kUnreadable;
  double flops = 0;
  double read_bytes = 0;
  double write_bytes = 0;
  /// Of the arithmetic: "float32", "float64", "float16", "bfloat16", "int8", ...; points to static
  /// text. Of the operands where there is no arithmetic; empty when not known.
  std::string_view dtype;
  std::string_view unit = "vector";  ///< The unit whose roof it is compared with: vector or tensor.
};

/// FLOPs and traffic of one announced primitive. Conventions and the source of every formula:
/// docs/primitives.md. In short: a multiply-add is 2 FLOP and is counted over the whole kernel,
/// padding included (2 x MACs, as the ResNet paper and benchdnn count); the bias initialises the
/// accumulator and is free; a comparison, exp, tanh, erf, sqrt or division is 1 FLOP; copies,
/// conversions and scales are 0. Post-ops are counted per output element.
///
/// Never fails: the status says what is missing, and then every number is 0. Pure; any thread.
Cost Estimate(const Announcement& announcement);

/// oneDNN's data type name as XSP writes it ("bf16" -> "bfloat16", "u8" -> "int8"), and its size in
/// bytes (0.5 for 4-bit types). Empty and 0 for an unknown one.
std::string_view DtypeName(std::string_view onednn_dtype);
double DtypeBytes(std::string_view onednn_dtype);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_COST_H_
