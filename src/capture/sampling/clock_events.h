#ifndef XSP_CAPTURE_SAMPLING_CLOCK_EVENTS_H_
#define XSP_CAPTURE_SAMPLING_CLOCK_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

struct perf_event_attr;

namespace xsp::sampling {

/// What ClockEvents are opened with.
struct ClockEventOptions {
  double rate_hz = 99;
  bool wait_for_exec = true;
  std::size_t stack_bytes = 0;
  std::size_t ring_bytes = 0;
};

/// The kernel's clock events of a process and all that it starts, and the buffers that they write
/// to: one for each CPU, for only such a buffer may be shared with children.
///
/// Threading: one thread at a time.
class ClockEvents {
 public:
  /// Errors: as StackSampler::Start.
  static Result<std::unique_ptr<ClockEvents>> Open(int pid, const ClockEventOptions& options);
  ClockEvents(const ClockEvents&) = delete;
  ClockEvents& operator=(const ClockEvents&) = delete;
  ~ClockEvents();

  /// Hands over each record that has been written, CPU by CPU, and frees its space. The bytes live
  /// for the call. A buffer that contradicts itself is emptied, and counted in damaged().
  void Drain(const std::function<void(std::span<const char> record)>& take);

  /// No more samples.
  void Disable();

  std::size_t ring_bytes() const { return ring_bytes_; }
  std::int64_t damaged() const { return damaged_; }
  /// Why time in the kernel is not sampled; empty: it is.
  const std::string& kernel_hidden_why() const { return kernel_hidden_why_; }

 private:
  struct Ring {
    char* pages = nullptr;  ///< The kernel's page of positions, then the data.
  };

  ClockEvents() = default;
  Status OpenAll(int pid, const ClockEventOptions& options);
  Status OpenThread(int thread, perf_event_attr& attributes);
  Status MapRing(int fd);
  void UnmapRings();

  std::vector<int> cpus_;
  std::vector<int> descriptors_;
  std::vector<Ring> rings_;  ///< By CPU.
  std::vector<int> owners_;  ///< Of the rings; the other threads' events write there too.
  std::size_t ring_bytes_ = 0;
  std::int64_t damaged_ = 0;
  std::string kernel_hidden_why_;
  std::vector<char> joined_;  ///< A record that goes over the end of a ring.
};

/// What forbids perf_event_open here, for `error` (an errno), and what to do. For messages.
Error WhyNotPossible(int error);

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_CLOCK_EVENTS_H_
