#ifndef XSP_CAPTURE_SAMPLING_UNWINDER_H_
#define XSP_CAPTURE_SAMPLING_UNWINDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/sampling/event_record.h"

namespace xsp::sampling {

/// A stack that is deeper ends here.
inline constexpr std::size_t kMostFrames = 1000;

/// The stack of one sample as addresses of code.
struct Unwound {
  /// The innermost first; those of callers lie within the call, not behind it.
  std::vector<std::uint64_t> addresses;
  bool is_cut = false;     ///< The copy of the stack, or kMostFrames, ended before it did.
  bool is_broken = false;  ///< A function told nothing of its caller.
};

/// Finds the callers of a sampled function in one address space. Wraps elfutils' libdwfl.
///
/// Threading: one thread at a time.
class Unwinder {
 public:
  Unwinder();
  ~Unwinder();
  Unwinder(const Unwinder&) = delete;
  Unwinder& operator=(const Unwinder&) = delete;

  /// A file that lies in the address space, with `base` the address of its first loaded page. `fd`
  /// is borrowed. Whether it could be taken.
  bool AddFile(const std::string& name, int fd, std::uint64_t base);

  Unwound Unwind(const EventRecord& sample);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_UNWINDER_H_
