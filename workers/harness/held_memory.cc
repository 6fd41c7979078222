#include "harness/held_memory.h"

#include <cstddef>
#include <utility>

namespace xsp::worker {
namespace {

// Small ones move what lies on the heap, large ones what the kernel maps, too.
constexpr int kBlocksOfSize = 20;
constexpr double kLargestBytes[] = {100e3, 800e3};

}  // namespace

void HeldMemory::Draw() {
  std::vector<std::unique_ptr<char[]>> drawn;
  for (const double largest : kLargestBytes) {
    for (int i = 0; i < kBlocksOfSize; ++i) {
      // Not written to: addresses are what counts.
      drawn.emplace_back(new char[static_cast<std::size_t>(random_.Uniform() * largest) + 1]);
    }
  }
  blocks_ = std::move(drawn);
}

}  // namespace xsp::worker
