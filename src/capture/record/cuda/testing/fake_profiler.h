#ifndef XSP_CAPTURE_RECORD_CUDA_TESTING_FAKE_PROFILER_H_
#define XSP_CAPTURE_RECORD_CUDA_TESTING_FAKE_PROFILER_H_

#include <stdint.h>

// The range profiler and its host API in the tests' libcupti. A program launches kernels through
// it; what is between start and stop becomes ranges, whose counters are FakeCounter of the kernel.
// FAKE_CUPTI in the environment: metrics_no_permission, metrics_mig, metrics_old_chip,
// metrics_busy, metrics_push (ranges only inside a pushed one), metrics_nothing (never any),
// metrics_hidden (a library launches one more kernel inside each launch of "hidden"),
// metrics_no_half (the chip lacks what counts half precision), metrics_reversed (ranges lie in
// the image in reverse), metrics_other_profiler, metrics_short (only sizes of older structures),
// metrics_stop_fails (what was measured cannot be read), metrics_no_push (the driver has shut down:
// a context can only be used where it is current), metrics_refuses:TEXT (names with this text are
// known, and cannot be measured), metrics_nvperf (its host API needs a libnvperf_host.so that has
// been loaded). Where there is a driver, its context must be current for all that the profiler
// does, as CUPTI asks. Asked in a callback of a resource, or for what waits for a context while a
// stream of it is captured, it ends the process with kFakeMisuse.
inline constexpr int kFakeMisuse = 13;
struct FakeProfiler {
  // cuLaunchKernel of `kernel` on a stream; an odd one is being captured, after begin_capture.
  // `fails`: the driver refuses the launch. A kernel of the name "waits" does not end before
  // release().
  void (*launch)(const char* kernel, uintptr_t context, uintptr_t stream, bool fails);
  void (*launch_graph)(uintptr_t context, uintptr_t stream, int kernels);
  void (*begin_capture)(uintptr_t context, uintptr_t stream, bool fails);
  void (*end_capture)(uintptr_t context, uintptr_t stream);
  void (*destroy_context)(uintptr_t context);  // cuCtxDestroy
  void (*reset_device)(uintptr_t context);     // cudaDeviceReset, whose primary context it is.
  // One that others hold as well: it lives on.
  void (*release_context)();
  void (*lose_context)(uintptr_t context);  // By a call without a callback.
  uint64_t (*runs)();                       // Of kernels, replays included.
  void (*await_waiting)();                  // Until a kernel "waits".
  void (*release)();
};
extern "C" const FakeProfiler* fake_profiler();

/// What the n-th kernel of a program counts of a raw metric.
inline double FakeCounter(const char* raw, uint64_t kernel) {
  uint64_t sum = 0;
  for (const char* c = raw; *c != '\0'; ++c) sum = sum * 31 + static_cast<unsigned char>(*c);
  return static_cast<double>(sum % 1000) + 1000.0 * static_cast<double>(kernel);
}

#endif  // XSP_CAPTURE_RECORD_CUDA_TESTING_FAKE_PROFILER_H_
