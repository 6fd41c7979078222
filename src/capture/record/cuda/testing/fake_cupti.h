#ifndef XSP_CAPTURE_RECORD_CUDA_TESTING_FAKE_CUPTI_H_
#define XSP_CAPTURE_RECORD_CUDA_TESTING_FAKE_CUPTI_H_

#include <stdint.h>

// What the tests' libcupti does beside CUPTI's own functions: it plays the driver. Times are
// CLOCK_MONOTONIC ns. FAKE_CUPTI in the environment: other_profiler, old, future, no_permission,
// no_clock, drops, late, old_driver, no_memory (of CUPTI), gpu_lost (kernels without times),
// beta_fails (sharing is granted and then takes no buffers), cuda_13_2 (nothing is shared),
// driver_13_2 (the driver is of that version), unreadable (buffers end in a record of no kind),
// no_flush (nothing is handed out before it is full). As CUPTI does, it refuses calls that do not
// name their subscriber to who has used those that do, and the other way round, and tells only what
// cuptiEnableCallback has asked for.
struct FakeDriver {
  void (*call)(uint32_t runtime_id, uint32_t correlation, uint64_t start_ns, uint64_t end_ns);
  void (*kernel)(const char* name, uint32_t stream, uint32_t correlation, uint64_t graph_node,
                 uint64_t start_ns, uint64_t end_ns);
  void (*copy)(uint64_t bytes, uint32_t correlation, uint64_t start_ns, uint64_t end_ns);
  void (*node_created)(uint64_t node);
  void (*node_cloned)(uint64_t node, uint64_t original);
  void (*allocated)(uint64_t bytes, uint64_t time_ns);
  // A call that instantiates a graph begins or ends.
  void (*instantiating)(bool begins);
  // Context 1 lies on device 0.
  void (*context_known)();
  // Of a stream of context 1: a record unless it is not ready and these are left out.
  void (*stream_queried)(bool ready, uint64_t start_ns, uint64_t end_ns);
  // cuCtxDestroy: what was not handed out before is gone with the context.
  void (*context_ends)();
  // CUPTI meets an error and shuts itself down: it records nothing any more.
  void (*fatal_error)();
  // How often cuptiActivityFlushAll was called. Any thread.
  uint64_t (*flushes)();
  // Whether records of that runtime call were switched off.
  bool (*is_left_out)(uint32_t runtime_id);
};
extern "C" const FakeDriver* fake_driver();

#endif  // XSP_CAPTURE_RECORD_CUDA_TESTING_FAKE_CUPTI_H_
