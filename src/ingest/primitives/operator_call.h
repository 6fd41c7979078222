#ifndef XSP_INGEST_PRIMITIVES_OPERATOR_CALL_H_
#define XSP_INGEST_PRIMITIVES_OPERATOR_CALL_H_

#include <optional>
#include <string_view>
#include <vector>

#include "ingest/primitives/problem.h"

namespace xsp::primitives {

/// An element type as XSP writes it, and its size in bytes (0.5 for 4-bit types).
struct ElementType {
  std::string_view name;
  double bytes;
};

struct Tensor {
  Dims dims;
  std::optional<ElementType> type;

  double Elements() const { return primitives::Elements(dims); }
};

/// One call of a framework's operator, from what a trace says of it.
struct Call {
  std::vector<Tensor> inputs;  ///< At least one, each with a type; without what is no tensor.
  std::vector<Dims> outputs;   ///< At least one.
  bool in_place = false;
  bool guessed_outputs = false;  ///< The trace has no output shapes: the largest input's was taken.

  double OutputElements() const { return Elements(outputs[0]); }
  double InputElements(std::size_t i) const { return i < inputs.size() ? inputs[i].Elements() : 0; }
};

/// Reads shapes "[[1,3,224,224],[64,3,7,7],[]]" and types "[float32,float32,]" as
/// EstimateOperator() describes them. Nothing when they are damaged, when there is no tensor or a
/// type is not known.
std::optional<Call> ReadCall(std::string_view input_shapes, std::string_view input_types,
                             std::string_view output_shapes, bool in_place);

// Formulas that ATen's and graphs' operators share: FLOPs, or nothing where the call lacks what
// they need. docs/primitives.md has the conventions.
using FlopsFormula = std::optional<double> (*)(const Call&);

/// attention(query [.., l, e], key [.., s, e], value): two products and a softmax between them.
std::optional<double> Attention(const Call& call);
/// Each input element once and each output once: an average whose windows do not overlap.
std::optional<double> PerInput(const Call& call);
/// Each of the input's elements is compared at least once; the window is no tensor and not
/// recorded.
std::optional<double> OncePerInput(const Call& call);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_OPERATOR_CALL_H_
