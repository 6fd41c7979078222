#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_TESTING_FAKE_CUDA_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_TESTING_FAKE_CUDA_H_

#include <string.h>

#include <cstdlib>

#define EXPORT extern "C" __attribute__((visibility("default")))

/// Work of the stream that takes `ns` of the GPU's clock, which runs only by such work; recorded
/// while a graph is.
EXPORT void fake_cuda_work(double ns);

/// Whether a test asked for this in $FAKE_CUDA.
inline bool FakeMode(const char* mode) {
  const char* asked = getenv("FAKE_CUDA");
  return asked != nullptr && strcmp(asked, mode) == 0;
}

/// A kernel of so many ns, or of a tenth where its weights are those of the launch before: then
/// they are in the cache, which a measurement must avoid.
inline double FakeKernelNs(double ns, const void* weights) {
  static const void* last = nullptr;
  const bool is_cached = weights == last;
  last = weights;
  return is_cached ? ns / 10 : ns;
}

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_TESTING_FAKE_CUDA_H_
