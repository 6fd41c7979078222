#ifndef XSP_API_OPERATIONS_IDEAL_ALTERNATIVES_H_
#define XSP_API_OPERATIONS_IDEAL_ALTERNATIVES_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "derive/compare/layer_kernels.h"
#include "measure/alternatives/alternatives_cache.h"
#include "measure/alternatives/primitive_work.h"
#include "measure/alternatives/processor.h"
#include "os/interrupt.h"

namespace xsp::api {

/// How alternatives of primitives are measured.
struct AlternativesOptions {
  double time_limit_s = 300;                   ///< For all of one point.
  bool again = false;                          ///< Also those that were measured before.
  const os::Interrupts* interrupts = nullptr;  ///< A request stops it; null: none can.
};

/// A layer whose primitives ran as their fastest alternatives.
struct LayerAlternative {
  double time_ns = 0;
  std::string library;
  const alternatives::Alternative* main = nullptr;  ///< Of its longest primitive.
};

/// The primitives of one point, and what is known of their alternatives: on a CPU the kernels of
/// oneDNN and MKL, on a GPU the products and convolutions that its kernels compute, each with the
/// kernels that prepare and complete it.
class PointAlternatives {
 public:
  /// Nothing is known.
  PointAlternatives() = default;

  /// `kernels` of one point, which ran on `processor`; what was measured on such processors before
  /// is found.
  PointAlternatives(const std::vector<compare::LayerKernel>& kernels,
                    const alternatives::Processor& processor);

  bool has_work() const;  ///< Whether alternatives of any primitive can be measured.

  /// Measures those that are not known, are incomplete or are of another version of the library,
  /// the primitive that takes most of the model's time first. On this machine, whose CPU must be
  /// the point's; its GPU is looked for. Primitives that the library refuses are counted. Errors:
  /// as alternatives::AlternativesProgram::Find, UnitOf and Measure; what was measured before is
  /// kept.
  Status Measure(const AlternativesOptions& options, core::Progress& progress);

  /// The time of a layer that took `layer_ns`: its primitives replaced by their fastest
  /// alternatives of the same data type, without reorders, and the rest as it was. Nothing: no
  /// alternative of its primitives is known.
  std::optional<LayerAlternative> TimeOfLayer(std::int64_t layer_index, double layer_ns) const;

  /// Each distinct primitive of a kind that has alternatives, that with the most time first.
  nlohmann::json PrimitivesJson() const;

  /// {"known", "measured_now", "left"}: numbers of distinct primitives.
  nlohmann::json SummaryJson() const;

 private:
  /// Primitives that compute the same, or one kind of kernel of which no alternatives can be
  /// measured.
  struct Distinct {
    std::optional<alternatives::PrimitiveWork> work;
    std::string reason, kind, problem, dtype;
    std::string layer, implementation;  ///< Of the longest kernel.
    std::int64_t kernels = 0;
    double total_ns = 0, longest_ns = 0;
  };

  const alternatives::Measured* Known(const Distinct& distinct) const;
  void AddKernel(const compare::LayerKernel& kernel);
  /// The index of a primitive among all_, where it counts once more.
  std::size_t AddCall(const compare::LayerKernel& kernel, const std::string& kind,
                      const alternatives::WorkOrReason& found);
  /// The kernels that work for a primitive of their layer: their time is part of it.
  void AddHelpers(const std::vector<const compare::LayerKernel*>& helpers);
  static nlohmann::json DistinctJson(const Distinct& distinct,
                                     const alternatives::Measured* measured);

  /// What the kernels of a layer are.
  struct LayerParts {
    struct Calls {
      double total_ns = 0;
      std::int64_t count = 0;
    };
    std::map<std::size_t, Calls> primitives;  ///< By index in all_.
    double reorders_ns = 0, others_ns = 0;
  };

  alternatives::Processor processor_;
  std::vector<Distinct> all_;
  std::map<std::string, std::size_t> index_;
  std::map<std::int64_t, LayerParts> layers_;
  alternatives::AlternativesCache cache_;
  std::int64_t measured_now_ = 0, refused_ = 0;
};

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_IDEAL_ALTERNATIVES_H_
