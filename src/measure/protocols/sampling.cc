#include "measure/protocols/sampling.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/estimate.h"

namespace xsp::protocols {
namespace {

constexpr int kMaxBlockCalls = 100;  ///< Of a model of microseconds: more calls tell little more.
constexpr int kFewestBlocks = 5;     ///< Below these a t interval is very wide.
constexpr int kFewestBlocksInTime = 3;
constexpr int kFewestCalls = 10;
/// An interval that was narrow once may have been so by chance (Chow and Robbins 1965).
constexpr int kPreciseInARow = 2;

}  // namespace

void Sampling::AddBlock(std::vector<double> latencies_ns, int calls, double elapsed_s) {
  calls_ += calls;
  elapsed_s_ += elapsed_s;
  if (latencies_ns.empty()) return;
  blocks_.push_back(std::move(latencies_ns));
  std::vector<double> all;
  for (const auto& block : blocks_) all.insert(all.end(), block.begin(), block.end());
  latency_ns_ = core::TrimmedMean(all);
  const core::Interval interval = core::BlockedInterval(latency_ns_, blocks_);
  relative_half_width_ = (interval.high - interval.low) / 2 / latency_ns_;
  precise_in_a_row_ = relative_half_width_ <= rule_.precision_target ? precise_in_a_row_ + 1 : 0;
}

bool Sampling::IsPrecise() const {
  return static_cast<int>(blocks_.size()) >= kFewestBlocks && calls_ >= kFewestCalls &&
         precise_in_a_row_ >= kPreciseInARow && (rule_.loads == 1 || calls_ >= rule_.iterations);
}

bool Sampling::LoadsNext() const {
  return rule_.loads > 1 && calls_ > 0 && calls_ % CallsOfLoad() == 0;
}

bool Sampling::ended_by_time() const {
  return HasTarget() && !IsPrecise() && elapsed_s_ >= rule_.time_limit_s &&
         static_cast<int>(blocks_.size()) >= kFewestBlocksInTime;
}

int Sampling::NextBlock(double call_s) const {
  int fills =
      call_s > 0
          ? static_cast<int>(std::min<double>(kMaxBlockCalls, std::ceil(kMinBlockS / call_s)))
          : kMaxBlockCalls;
  // A block ends where the model is loaded anew.
  if (rule_.loads > 1) fills = std::min(fills, CallsOfLoad() - calls_ % CallsOfLoad());
  const bool adaptive = rule_.precision_target > 0 && (calls_ == 0 || !blocks_.empty());
  if (adaptive) return IsPrecise() || ended_by_time() ? 0 : std::max(1, fills);
  // So that even few calls are spread over several blocks.
  const int third = std::max(3, (rule_.iterations + 2) / 3);
  return std::clamp(std::min(fills, third), 0, std::max(0, rule_.iterations - calls_));
}

std::vector<std::size_t> Shuffled(std::vector<std::size_t> members, std::mt19937_64& random) {
  // The engine's output is fixed by the standard; std::shuffle's use of it is not.
  for (std::size_t i = members.size(); i > 1; --i) std::swap(members[i - 1], members[random() % i]);
  return members;
}

}  // namespace xsp::protocols
