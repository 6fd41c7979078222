#include "record/cuda/session.h"
#include "wire/xsp.h"

/// What the CUDA driver calls in the library that CUDA_INJECTION64_PATH names, while it is
/// initialised (cuInit), before the program's first CUDA call returns. 0 would say that the library
/// failed; the program runs on either way, and what is wrong stands in the recording.
extern "C" XSP_API int InitializeInjection(void) {
  xsp::record::cuda::Session::Start();
  return 1;
}
