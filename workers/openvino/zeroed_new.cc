#include "openvino/zeroed_new.h"

#include <cstdlib>
#include <new>

namespace xsp::worker_openvino {
namespace {

/// Objects with flags; tensors are larger.
constexpr std::size_t kSmall = 1024;

constinit bool zeroes = false;

void* Allocate(std::size_t bytes) noexcept {
  if (bytes == 0) bytes = 1;
  return zeroes && bytes <= kSmall ? std::calloc(1, bytes) : std::malloc(bytes);
}

}  // namespace

void ZeroSmallObjects() { zeroes = true; }

}  // namespace xsp::worker_openvino

// In place of the C++ library's; its operator delete calls free(), too.
__attribute__((visibility("default"))) void* operator new(std::size_t bytes) {
  for (;;) {
    if (void* memory = xsp::worker_openvino::Allocate(bytes)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}
