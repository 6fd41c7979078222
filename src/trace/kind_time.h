#ifndef XSP_TRACE_KIND_TIME_H_
#define XSP_TRACE_KIND_TIME_H_

#include <algorithm>
#include <cstdint>

namespace xsp::trace {

/// How much time a kind of calls (a training step, a prediction) took, to find the kind that a
/// recording is about. The longest of several calls counts as the second longest: the first call of
/// a process allocates, compiles and loads code, and would outweigh many calls of another kind.
class KindTime {
 public:
  /// `duration_ns` of one call, not negative.
  void Add(std::int64_t duration_ns) {
    ++calls_;
    sum_ns_ += duration_ns;
    second_ns_ = std::max(second_ns_, std::min(longest_ns_, duration_ns));
    longest_ns_ = std::max(longest_ns_, duration_ns);
  }

  /// Of all calls, ns; 0 without a call.
  std::int64_t total_ns() const {
    return calls_ < 2 ? sum_ns_ : sum_ns_ - longest_ns_ + second_ns_;
  }

 private:
  std::int64_t calls_ = 0, sum_ns_ = 0, longest_ns_ = 0, second_ns_ = 0;
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_KIND_TIME_H_
