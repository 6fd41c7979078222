// Stands for libcuda.so.1, whose presence the library asks for before it touches CUPTI, and answers
// what it asks the driver: its version is of CUDA 13.3, the device is a Hopper, streams are
// captured where their number is odd, and each thread has a stack of contexts.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kDeepest = 16;
constexpr int kDeinitialised = 4;  // CUDA_ERROR_DEINITIALIZED
thread_local void* contexts[kDeepest];
thread_local int depth = 0;

bool Mode(const char* mode) {
  const char* asked = getenv("FAKE_CUPTI");
  return asked != nullptr && strcmp(asked, mode) == 0;
}

}  // namespace

EXPORT int cuInit(unsigned) { return 0; }
EXPORT int cuDriverGetVersion(int* version) {
  *version = Mode("driver_13_2") ? 13020 : 13030;
  return 0;
}
EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kMajor = 75,
                kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ..._MINOR
  if (attribute != kMajor && attribute != kMinor) return 1;
  *value = attribute == kMajor ? 9 : 0;
  return 0;
}
EXPORT int cuStreamIsCapturing(void* stream, int* status) {
  *status = (reinterpret_cast<uintptr_t>(stream) & 1) != 0 ? 1 : 0;
  return 0;
}
EXPORT int cuCtxGetCurrent(void** context) {
  *context = depth > 0 ? contexts[depth - 1] : nullptr;
  return 0;
}
EXPORT int cuCtxSetCurrent(void* context) {
  if (depth == 0) depth = 1;
  contexts[depth - 1] = context;
  return 0;
}
EXPORT int cuCtxPushCurrent_v2(void* context) {
  if (Mode("metrics_no_push")) return kDeinitialised;
  if (depth == kDeepest) return 1;
  contexts[depth++] = context;
  return 0;
}
EXPORT int cuCtxPopCurrent_v2(void** context) {
  if (depth == 0) return 201;  // CUDA_ERROR_INVALID_CONTEXT
  *context = contexts[--depth];
  return 0;
}
EXPORT int cuGetErrorName(int error, const char** name) {
  *name = error == kDeinitialised ? "CUDA_ERROR_DEINITIALIZED" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
