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

/// The primitives of one point that a CPU ran, and what is known of their alternatives.
class PointAlternatives {
 public:
  /// Nothing is known.
  PointAlternatives() = default;

  /// `kernels` of one point, which used `threads` threads of a CPU with so many cores; what was
  /// measured on such machines before is found.
  PointAlternatives(const std::vector<compare::LayerKernel>& kernels, int threads,
                    const std::string& cpu, std::int64_t cores);

  bool has_work() const;  ///< Whether alternatives of any primitive can be measured.

  /// Measures those that are not known, are incomplete or are of another version of the library,
  /// the primitive that takes most of the model's time first. On this machine, which must be the
  /// point's. Primitives that the library refuses are counted. Errors: as
  /// alternatives::AlternativesProgram::Find and Measure; what was measured before is kept.
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
  /// Kernels that compute the same, or one kind of kernel of which no alternatives can be measured.
  struct Distinct {
    std::optional<alternatives::PrimitiveWork> work;
    std::string reason, kind, problem, dtype;
    std::string layer, implementation;  ///< Of the longest kernel.
    std::int64_t kernels = 0;
    double total_ns = 0, longest_ns = 0;
  };

  const alternatives::Measured* Known(const Distinct& distinct) const;
  void AddKernel(const compare::LayerKernel& kernel);
  static nlohmann::json DistinctJson(const Distinct& distinct,
                                     const alternatives::Measured* measured);

  int threads_ = 0;
  std::string cpu_;
  std::vector<Distinct> all_;
  std::map<std::string, std::size_t> index_;
  /// Each kernel of a layer: its time, and which of all_ it is; reorders and others have none.
  struct Part {
    double duration_ns = 0;
    std::optional<std::size_t> distinct;
    bool is_reorder = false;
  };
  std::map<std::int64_t, std::vector<Part>> layers_;
  alternatives::AlternativesCache cache_;
  std::int64_t measured_now_ = 0, refused_ = 0;
};

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_IDEAL_ALTERNATIVES_H_
