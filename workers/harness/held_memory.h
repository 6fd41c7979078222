#ifndef XSP_WORKERS_HARNESS_HELD_MEMORY_H_
#define XSP_WORKERS_HARNESS_HELD_MEMORY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/random.h"

namespace xsp::worker {

/// Blocks of memory, held so that what is allocated next lies elsewhere than it would without them.
/// Threading: none.
class HeldMemory {
 public:
  explicit HeldMemory(std::uint64_t seed) : random_(seed) {}

  /// Takes blocks of other sizes, about 9 MB of addresses in all, and lets go of those before.
  void Draw();

 private:
  Random random_;
  std::vector<std::unique_ptr<char[]>> blocks_;
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_HELD_MEMORY_H_
