#ifndef XSP_CAPTURE_MONITOR_RATE_H_
#define XSP_CAPTURE_MONITOR_RATE_H_

#include <cstdint>
#include <optional>

#include "capture/monitor/sampler.h"

namespace xsp::monitor {

/// Turns a counter that only grows into a rate, sample by sample.
class Rate {
 public:
  /// `wraps_at`: the counter starts again at 0 after this value; 0: it does not wrap, and one that
  /// falls was set back (kUnknown for that sample).
  explicit Rate(std::uint64_t wraps_at) : wraps_at_(wraps_at) {}
  Rate() = default;

  /// Units of the counter per second since the call before; kUnknown at the first, after a gap and
  /// where no time has passed. Nothing: the counter could not be read.
  double Advance(std::optional<std::uint64_t> value, std::int64_t now_ns) {
    const std::optional<std::uint64_t> before = before_;
    const std::int64_t elapsed_ns = now_ns - before_ns_;
    before_ = value;
    before_ns_ = now_ns;
    if (!value || !before || elapsed_ns <= 0) return kUnknown;
    if (*value < *before && (wraps_at_ == 0 || *before > wraps_at_)) return kUnknown;
    const std::uint64_t grown = *value >= *before ? *value - *before : wraps_at_ - *before + *value;
    return static_cast<double>(grown) * 1e9 / static_cast<double>(elapsed_ns);
  }

 private:
  std::uint64_t wraps_at_ = 0;
  std::optional<std::uint64_t> before_;
  std::int64_t before_ns_ = 0;
};

/// `value` times `factor`, where there is one; for counters in other units.
inline double Scaled(std::optional<std::uint64_t> value, double factor) {
  return value ? static_cast<double>(*value) * factor : kUnknown;
}

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_RATE_H_
