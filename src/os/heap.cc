#include "os/heap.h"

#include <cstdlib>  // Says whether it is glibc's.

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace xsp::os {

void ReturnLargeBlocks() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void ReturnFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace xsp::os
