#ifndef XSP_DERIVE_TIMELINE_CRITICAL_PATH_WAITING_CALL_H_
#define XSP_DERIVE_TIMELINE_CRITICAL_PATH_WAITING_CALL_H_

#include <cstdint>
#include <string_view>

namespace xsp::timeline::critical_path {

/// What a library call waits for, or makes a stream wait for.
enum class Waiting : std::uint8_t {
  kNothing,
  kDevice,      ///< All work of the device: cudaDeviceSynchronize.
  kStream,      ///< All work of a stream: cudaStreamSynchronize.
  kEvent,       ///< What a stream did up to an event: cudaEventSynchronize.
  kOwnWork,     ///< The copy that it starts, where that ends first: cudaMemcpy of pageable memory.
  kNextLaunch,  ///< Nothing itself; it makes a stream wait for an event: cudaStreamWaitEvent.
};

/// Of a CUDA or HIP call, or of a record of Kineto's category cuda_sync ("Stream Sync"), by name.
/// Queries (cudaEventQuery) come back at once and wait for nothing.
Waiting WaitingOf(std::string_view name);

}  // namespace xsp::timeline::critical_path

#endif  // XSP_DERIVE_TIMELINE_CRITICAL_PATH_WAITING_CALL_H_
