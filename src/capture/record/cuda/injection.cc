#include "capture/record/cuda/session.h"
#include "capture/wire/xsp.h"

/// What the CUDA driver calls in the library that CUDA_INJECTION64_PATH names, while it is
/// initialised (cuInit), before the program's first CUDA call returns. 0 would say that the library
/// failed; the program runs on either way, and what is wrong stands in the recording.
extern "C" XSP_API int InitializeInjection(void) {
  xsp::record::cuda::Session::Start();
  return 1;
}

/// What a worker calls that alternates between measuring with and without CUPTI: see
/// Session::Switch. 1: done as asked; 0: nothing is recorded, and `why` (of `size` bytes, cut to
/// fit) says what is missing.
extern "C" XSP_API int xsp_cuda_switch(int on, char* why, size_t size) {
  const std::string refusal = xsp::record::cuda::Session::Switch(on != 0);
  if (size > 0) {
    const size_t kept = refusal.copy(why, size - 1);
    why[kept] = '\0';
  }
  return refusal.empty() ? 1 : 0;
}
