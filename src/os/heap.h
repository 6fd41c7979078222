#ifndef XSP_OS_HEAP_H_
#define XSP_OS_HEAP_H_

namespace xsp::os {

// The memory that this process holds, where the C library can report it (glibc): for work in
// steps that each take hundreds of MiB and free them. Elsewhere these do nothing. Any thread.

/// From now on large blocks go back to the system when they are freed: left to itself the allocator
/// comes to keep blocks of up to 32 MiB once it has seen such.
void ReturnLargeBlocks();

/// Gives back what was used and freed so far, small blocks too, before the next step takes its own.
/// About a millisecond for 100 MiB.
void ReturnFreedMemory();

}  // namespace xsp::os

#endif  // XSP_OS_HEAP_H_
