#include "trace/column.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "sanitizers.h"

namespace xsp::trace {
namespace {

// Pages cost a call to the system and a fault each, so short columns lie in the heap. So do all
// where AddressSanitizer looks for what is read behind their end.
#ifdef XSP_ADDRESS_SANITIZER
constexpr std::size_t kLeastPagedBytes = std::numeric_limits<std::size_t>::max();
#else
constexpr std::size_t kLeastPagedBytes = std::size_t{256} << 10;
#endif

void* NewPages(std::size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return pages;
}

void Free(void* old, std::size_t old_bytes) {
  if (old_bytes < kLeastPagedBytes) {
    std::free(old);
  } else {
    munmap(old, old_bytes);
  }
}

}  // namespace

void* ResizeColumn(void* old, std::size_t old_bytes, std::size_t bytes) {
  if (bytes == 0) {
    Free(old, old_bytes);
    return nullptr;
  }
  if (old_bytes < kLeastPagedBytes && bytes < kLeastPagedBytes) {
    void* moved = std::realloc(old, bytes);
    if (moved == nullptr) throw std::bad_alloc();
    return moved;
  }
  if (old_bytes >= kLeastPagedBytes && bytes >= kLeastPagedBytes) {
    void* moved = mremap(old, old_bytes, bytes, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    return moved;
  }
  void* moved = bytes < kLeastPagedBytes ? std::malloc(bytes) : NewPages(bytes);
  if (moved == nullptr) throw std::bad_alloc();
  if (old_bytes > 0) std::memcpy(moved, old, old_bytes < bytes ? old_bytes : bytes);
  Free(old, old_bytes);
  return moved;
}

}  // namespace xsp::trace
