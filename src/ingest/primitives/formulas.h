#ifndef XSP_INGEST_PRIMITIVES_FORMULAS_H_
#define XSP_INGEST_PRIMITIVES_FORMULAS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "ingest/primitives/announcement.h"
#include "ingest/primitives/problem.h"

namespace xsp::primitives {

/// What one oneDNN primitive computes, before data types turn elements into bytes.
struct Work {
  double flops = 0;              ///< Without post-ops.
  std::vector<double> elements;  ///< Of each descriptor, in the announcement's order.
  double extra_read_bytes = 0;   ///< Operands that the line does not list: statistics, scales.
  double extra_write_bytes = 0;
  Dims output;  ///< What post-ops are applied to.
};

/// The formula of one kind. Nothing when the problem cannot be read.
using Formula = std::optional<Work> (*)(const Announcement&);

/// The formula of `kind`, or null. Two files share the table: matrix-like kinds
/// (matrix_formulas.cc) and the others (element_formulas.cc).
Formula FindFormula(std::string_view kind);
Formula FindMatrixFormula(std::string_view kind);
Formula FindElementFormula(std::string_view kind);

/// Whether a matrix unit (AMX) can do this kind's arithmetic.
bool IsMatrixKind(std::string_view kind);

inline bool IsBackward(const Announcement& announcement) {
  return announcement.propagation.starts_with("backward");
}

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_FORMULAS_H_
