#include "derive/compare/best_known.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "derive/compare/layer_alignment.h"
#include "derive/compare/tree_alignment.h"

namespace xsp::compare {
namespace {

/// FLOP that are fused with a product, for each output: a normalisation, a sum and an activation
/// (docs/primitives.md).
constexpr double kFusedFlops = 8;
/// Operands of the output's size that are fused with it.
constexpr double kFusedOperands = 2;

std::string KindOf(const LayerWork& work) {
  const std::string common = CommonType(work.type);
  const std::string_view anchor = AnchorKind(work.type);
  if (anchor.empty()) return common;
  std::string kind(anchor);
  for (const std::string_view other : {"backward", "transpose", "deconv"})
    if (common.find(other) != std::string::npos) kind += other;
  return kind;
}

bool IsKnown(const LayerWork& work) {
  return !work.shape.empty() && !work.dtype.empty() && work.flops && work.read_bytes &&
         work.write_bytes;
}

/// Layers that differ in it do different work.
std::string KeyOf(const LayerWork& work) {
  return fmt::format("{}|{}|{}", KindOf(work), fmt::join(SortedDimensions(work.shape), ","),
                     work.dtype);
}

bool IsNear(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

/// DoesWorkOf() where both are known and have the same key.
bool HasCostOf(const LayerWork& candidate, const LayerWork& wanted) {
  if (AnchorKind(wanted.type).empty())
    return IsNear(*candidate.flops, *wanted.flops) &&
           IsNear(*candidate.read_bytes, *wanted.read_bytes) &&
           IsNear(*candidate.write_bytes, *wanted.write_bytes);
  double outputs = 1;
  for (const std::int64_t size : SortedDimensions(wanted.shape))
    outputs *= static_cast<double>(size);
  const double operand = *wanted.write_bytes;
  return *candidate.flops >= *wanted.flops &&
         *candidate.flops <= *wanted.flops + kFusedFlops * outputs &&
         *candidate.read_bytes > *wanted.read_bytes - operand &&
         *candidate.read_bytes <= *wanted.read_bytes + kFusedOperands * operand;
}

}  // namespace

bool DoesWorkOf(const LayerWork& candidate, const LayerWork& wanted) {
  return IsKnown(candidate) && IsKnown(wanted) && KeyOf(candidate) == KeyOf(wanted) &&
         HasCostOf(candidate, wanted);
}

BestKnown::BestKnown(std::vector<WorkTime> times) : times_(std::move(times)) {
  for (std::size_t i = 0; i < times_.size(); ++i)
    if (IsKnown(times_[i].work)) by_kind_[KeyOf(times_[i].work)].push_back(i);
  for (auto& [key, indices] : by_kind_)
    std::ranges::stable_sort(indices, {}, [&](std::size_t i) { return times_[i].time_ns; });
}

std::optional<std::size_t> BestKnown::Find(const LayerWork& work, std::int64_t threads) const {
  if (!IsKnown(work)) return std::nullopt;
  const auto found = by_kind_.find(KeyOf(work));
  if (found == by_kind_.end()) return std::nullopt;
  for (const std::size_t i : found->second)
    if (times_[i].threads <= threads && HasCostOf(times_[i].work, work)) return i;
  return std::nullopt;
}

}  // namespace xsp::compare
