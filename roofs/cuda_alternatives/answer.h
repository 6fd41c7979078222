#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_ANSWER_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_ANSWER_H_

#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "primitive.h"
#include "stopwatch.h"

namespace xsp::cuda_alternatives {

/// What is tried.
struct Variant {
  std::string dtype, format, algorithm;
};

/// One that a library has. Layouts as format tags: "ab" rows, "ba" transposed, "abcd" NCHW.
struct Implementation {
  std::string name, source_layout, weights_layout, result_layout;
};

/// Collects what the program prints, within a limit of time.
class Answer {
 public:
  explicit Answer(double limit_s);

  /// Whether the time is over, after which the answer is incomplete.
  bool IsLate();
  void SetIncomplete() { complete_ = false; }

  /// Times an implementation, unless one of the same name, type and layouts was. One that is 4
  /// times slower than the fastest of its type is timed briefly; the first of all is timed twice,
  /// as an idle GPU raises its clock meanwhile. Throws as TimeLaunches().
  void Time(const Gpu& gpu, const Variant& variant, const Implementation& implementation,
            const std::function<void(std::int64_t)>& launch);
  void Reject(const Variant& variant, const std::string& reason);

  /// {"alternatives": [{"dtype", "format", "algorithm", "implementation", "source_layout",
  /// "weights_layout", "result_layout", "best_ns", "median_ns", "repeats"}], "not_available":
  /// [{"dtype", "format", "algorithm", "reason"}], "complete": whether the time sufficed}.
  nlohmann::json ToJson() const;

 private:
  const std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
  std::set<std::string> seen_;
  std::map<std::string, double> best_ns_;
  nlohmann::json alternatives_ = nlohmann::json::array(), not_available_ = nlohmann::json::array();
  bool complete_ = true;
};

/// Calls `measure` with each type, that of the run first, until the time is over. NotPossible,
/// which `measure` throws and types that the GPU lacks are, rejects a type; that of the run throws.
void MeasureTypes(const Gpu& gpu, const Primitive& primitive, Answer& answer,
                  const std::function<void(const Type&)>& measure);

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_ANSWER_H_
