#ifndef XSP_RECORD_CUDA_TESTING_FAKE_CUPTI_H_
#define XSP_RECORD_CUDA_TESTING_FAKE_CUPTI_H_

#include <stdint.h>

// What the tests' libcupti does beside CUPTI's own functions: it plays the driver. Times are
// CLOCK_MONOTONIC ns. FAKE_CUPTI in the environment: other_profiler, old, future, no_permission,
// no_clock, drops, late, old_driver, no_memory (of CUPTI), gpu_lost (kernels without times),
// beta_fails (sharing is granted and then takes no buffers).
struct FakeDriver {
  void (*call)(uint32_t runtime_id, uint32_t correlation, uint64_t start_ns, uint64_t end_ns);
  void (*kernel)(const char* name, uint32_t stream, uint32_t correlation, uint64_t graph_node,
                 uint64_t start_ns, uint64_t end_ns);
  void (*copy)(uint64_t bytes, uint32_t correlation, uint64_t start_ns, uint64_t end_ns);
  void (*node_created)(uint64_t node);
  void (*node_cloned)(uint64_t node, uint64_t original);
  void (*allocated)(uint64_t bytes, uint64_t time_ns);
};
extern "C" const FakeDriver* fake_driver();

#endif  // XSP_RECORD_CUDA_TESTING_FAKE_CUPTI_H_
