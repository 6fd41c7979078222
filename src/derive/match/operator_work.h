#ifndef XSP_DERIVE_MATCH_OPERATOR_WORK_H_
#define XSP_DERIVE_MATCH_OPERATOR_WORK_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "derive/match/convolution_shapes.h"
#include "derive/match/point_layers.h"
#include "ingest/primitives/cost.h"

namespace xsp::match {

/// A kernel whose work OperatorWork completes. Borrows the work.
struct KernelOfOperator {
  trace::SpanId span = 0;           ///< In the kernel run.
  trace::SpanId operator_span = 0;  ///< The innermost operator around it; 0: none.
  std::int32_t layer = -1;          ///< Of the point; -1: none.
  KernelWork* work = nullptr;
};

/// The work of one operator that several device kernels did together, so that none of them is given
/// a part of it.
struct SharedWork {
  std::int32_t layer = -1;           ///< Of the point; -1: none.
  primitives::Cost cost;             ///< Of the operator, without what is known of other kernels.
  std::vector<KernelWork*> kernels;  ///< Borrowed: those that did it, without helpers.
};

/// What the shapes of an operator say.
struct ShapedWork {
  primitives::Cost cost;
  std::string problem;  ///< primitives::ProblemOfOperator().
};

/// Takes what is known of an estimated cost as analytic values, where `work` has no better ones
/// (TakeBetter()).
void TakeEstimate(const primitives::Cost& cost, KernelWork& work);

/// FLOPs and traffic of CPU kernels that tell nothing of it themselves: native kernels, and
/// primitives announced without sizes. From the shapes of their operator, which another run (the
/// details pass) may have recorded. An operator inside a layer is found there by its type and its
/// number among the operators of that type in the layer; where the layer is not matched, as the
/// order of a loop's nodes may differ from run to run, by the name of its node, if all of that name
/// there have the same shapes.
class OperatorWork {
 public:
  /// Borrows both.
  OperatorWork(const PointLayers& layers, const RunView& kernel_run);

  /// Completes the kernels of one call of the kernel run, by the rules of
  /// ingest/correlate/operator_work.h: what other kernels inside an operator do is taken off its
  /// cost, and only one kernel of an operator is given the rest.
  void Complete(const std::vector<KernelOfOperator>& kernels) const;

  /// Completes the device kernels among all kernels of one call of the kernel run, and returns what
  /// several of them did together. The operator of a kernel is the innermost one above its launch
  /// whose cost is known; its work is that of the one kernel that did it (primitives::OwnerOf).
  /// What operators and kernels inside it did is taken off first, so nothing is counted twice.
  /// Kernels that did the work together are given its data type and unit. The problem of a product
  /// or convolution goes to those that did it and to their helpers (primitives::KernelPart).
  std::vector<SharedWork> CompleteOnDevice(const std::vector<KernelOfOperator>& kernels) const;

 private:
  /// Layer of the point, operator type, number.
  using Key = std::tuple<std::int32_t, std::string, int>;
  struct Shaped {
    const RunView* run;
    ConvolutionShapes convolutions;
    std::map<Key, trace::SpanId> operators;
    std::map<std::string, trace::SpanId, std::less<>> nodes;  ///< By name; 0: of several shapes.
  };

  std::optional<ShapedWork> WorkOf(trace::SpanId operator_span, std::int32_t layer) const;
  bool IsOnDevice(trace::SpanId kernel) const;
  /// Gives an operator's work to the one of its kernels that did it, or adds it to `shared`.
  /// Returns what of it is counted now. `is_rest`: products inside did a part, so that only a
  /// kernel whose name says so multiplies, too.
  primitives::Cost Share(bool is_product, bool is_rest, primitives::Cost cost,
                         const std::vector<const KernelOfOperator*>& kernels,
                         std::vector<SharedWork>& shared) const;
  /// Gives the problem of an operator to those of its kernels that work on it.
  void SetProblem(const std::string& problem,
                  const std::vector<const KernelOfOperator*>& kernels) const;
  /// The operators around a kernel, innermost first.
  std::vector<trace::SpanId> OperatorsAround(trace::SpanId operator_span) const;

  const RunView& kernel_run_;
  ConvolutionShapes convolutions_;
  std::vector<int> numbers_;  ///< By span of the kernel run; empty: no other run has shapes.
  std::vector<Shaped> shaped_;
};

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_OPERATOR_WORK_H_
