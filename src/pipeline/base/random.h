#ifndef XSP_PIPELINE_BASE_RANDOM_H_
#define XSP_PIPELINE_BASE_RANDOM_H_

#include <cstdint>

namespace xsp::pipeline {

/// SplitMix64 (Steele, Lea and Flood 2014): the same on every machine, unlike <random>'s
/// distributions.
class Random {
 public:
  /// A stream of its own for each `index`, so that sample 7 is the same whatever came before.
  Random(std::uint64_t seed, std::uint64_t index)
      : state_(seed + 0x5851f42d4c957f2du * (index + 1)) {
    Bits();
  }

  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In [0, count), count at least 1 and small against 2^64.
  std::int64_t Below(std::int64_t count) {
    return static_cast<std::int64_t>(Bits() % static_cast<std::uint64_t>(count));
  }

 private:
  std::uint64_t state_;
};

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BASE_RANDOM_H_
