#ifndef XSP_WORKERS_HARNESS_RANDOM_H_
#define XSP_WORKERS_HARNESS_RANDOM_H_

#include <cmath>
#include <cstdint>
#include <numbers>

namespace xsp::worker {

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same everywhere, unlike <random>'s
/// distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In (0, 1].
  double Uniform() { return (static_cast<double>(Bits() >> 11) + 1) * 0x1p-53; }

  /// With mean 1.
  double Exponential() { return -std::log(Uniform()); }

  /// Standard normal (Box and Muller 1958).
  double Normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    const double angle = 2 * std::numbers::pi * Uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_RANDOM_H_
