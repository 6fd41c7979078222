#ifndef XSP_CAPTURE_WIRE_RECORDING_STATE_H_
#define XSP_CAPTURE_WIRE_RECORDING_STATE_H_

#include <cstddef>
#include <cstdint>

#include "capture/wire/recording_file.h"
#include "capture/wire/xsp.h"

/// On functions that C programs call: any number may come as an enumeration, and is looked at here.
#define XSP_TAKES_ANY_NUMBER __attribute__((no_sanitize("enum")))

namespace xsp::wire {

// What is open in this process, and the slow half of the C API: everything that happens less often
// than once per block. The fast half is xsp.cc.

/// xsp_state_word: levels in bits 0-4, kOpenBit while a recording is open, and in the upper half
/// the generation, which every open, close and fork raises: what a thread or a span remembers of
/// an older one no longer counts.
inline constexpr std::uint64_t kOpenBit = std::uint64_t{1} << 31;

inline std::uint64_t LoadState() { return __atomic_load_n(&xsp_state_word, __ATOMIC_RELAXED); }
inline std::uint32_t GenerationOf(std::uint64_t state) {
  return static_cast<std::uint32_t>(state >> 32);
}

/// The file of `generation`, made now in a forked child that has none yet. Null when that
/// generation is over, or its file could not be made.
RecordingFile* FileOf(std::uint32_t generation);

/// The levels that were in force at a time of CLOCK_MONOTONIC, ns, for events that arrive later.
/// Knows the latest 255 changes of this process; what is older counts as the oldest of them. No
/// lock.
std::uint32_t LevelsAt(std::uint64_t time_ns);

/// Has ReleaseThread(thread) called when the calling thread exits. May be called again.
void AtThreadExit(void* thread);

/// Gives back what the exiting thread holds. In xsp.cc, which knows what that is.
void ReleaseThread(void* thread_at_exit);

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_RECORDING_STATE_H_
