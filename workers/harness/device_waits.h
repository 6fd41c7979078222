#ifndef XSP_WORKERS_HARNESS_DEVICE_WAITS_H_
#define XSP_WORKERS_HARNESS_DEVICE_WAITS_H_

#include <cstdint>

namespace xsp::worker {

/// Which operators of one thread wait at their end for the device that they launched work on: the
/// outermost, so that what it launched is in its time, and none while waiting is forbidden, as in
/// the capture of a CUDA graph, which to wait would make void.
///
/// Plain numbers, so that a thread_local one needs no guard. One thread.
struct DeviceWaits {
  std::uint32_t operators_open;
  std::uint32_t forbidden;  ///< How many forbid it.

  void BeginOperator() { ++operators_open; }
  /// Returns whether to wait now. One that began on another thread, or before Forget(), does not.
  bool EndOperator() { return operators_open > 0 && --operators_open == 0 && forbidden == 0; }

  void Forbid() { ++forbidden; }
  void Allow() { --forbidden; }

  /// No operator is open: those that never ended here will not.
  void Forget() { operators_open = 0; }
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_DEVICE_WAITS_H_
