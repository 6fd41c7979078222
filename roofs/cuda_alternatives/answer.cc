#include "answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "shared_library.h"

namespace xsp::cuda_alternatives {

Answer::Answer(double limit_s)
    : end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_s)) {}

bool Answer::IsLate() {
  if (std::chrono::steady_clock::now() < end_) return false;
  complete_ = false;
  return true;
}

void Answer::Time(const Gpu& gpu, const Variant& variant, const Implementation& implementation,
                  const std::function<void(std::int64_t)>& launch) {
  constexpr double kHopeless = 4;
  const std::string key = fmt::format("{}|{}|{}|{}", variant.dtype, implementation.name,
                                      implementation.source_layout, implementation.weights_layout);
  if (!seen_.insert(key).second) return;
  Budget budget;
  const auto best = best_ns_.find(variant.dtype);
  if (best != best_ns_.end()) budget.hopeless_ns = kHopeless * best->second;
  constexpr Budget kWakeUp = {.min_ns = 1e8, .max = 1 << 20};
  if (seen_.size() == 1) TimeLaunches(gpu, launch, kWakeUp);
  const LaunchTimes times = TimeLaunches(gpu, launch, budget);
  double& best_ns = best_ns_.try_emplace(variant.dtype, times.median_ns).first->second;
  best_ns = std::min(best_ns, times.median_ns);
  alternatives_.push_back({{"dtype", variant.dtype},
                           {"format", variant.format},
                           {"algorithm", variant.algorithm},
                           {"implementation", implementation.name},
                           {"source_layout", implementation.source_layout},
                           {"weights_layout", implementation.weights_layout},
                           {"result_layout", implementation.result_layout},
                           {"best_ns", times.best_ns},
                           {"median_ns", times.median_ns},
                           {"repeats", times.repeats}});
}

void Answer::Reject(const Variant& variant, const std::string& reason) {
  not_available_.push_back({{"dtype", variant.dtype},
                            {"format", variant.format},
                            {"algorithm", variant.algorithm},
                            {"reason", reason}});
}

nlohmann::json Answer::ToJson() const {
  return {
      {"alternatives", alternatives_}, {"not_available", not_available_}, {"complete", complete_}};
}

void MeasureTypes(const Gpu& gpu, const Primitive& primitive, Answer& answer,
                  const std::function<void(const Type&)>& measure) {
  for (const Type* type : TypesFrom(primitive.dtype)) {
    if (answer.IsLate()) return;
    try {
      if (gpu.capability() < type->min_capability)
        throw NotPossible(fmt::format("needs compute capability {}.{}", type->min_capability / 10,
                                      type->min_capability % 10));
      measure(*type);
    } catch (const NotPossible& error) {
      if (type->name == primitive.dtype) throw;
      answer.Reject({type->name, "any", "any"}, error.what());
    }
  }
}

}  // namespace xsp::cuda_alternatives
