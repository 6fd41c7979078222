// Stands for libcuda.so.1: two GPUs whose clock runs only by the work of the other fake libraries,
// so that every time is exact. $FAKE_CUDA: `no_device`, `old` (compute capability 7.5), `no_graph`
// (the libraries cannot be recorded), `no_memory`, `lost` (work fails after 3000 launches).
#include "fake_cuda.h"

#include <cstdint>

namespace {

constexpr int kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100, kIllegalAddress = 700,
              kNotPermitted = 800;
constexpr long kLaunchesUntilLost = 3000;

double clock_ns = 0;         // Of the GPU.
double* recorded = nullptr;  // The graph that records.
std::uint64_t next_address = 1 << 20;
long launches = 0;

struct Event {
  double ns = 0;
};

bool IsLost() { return FakeMode("lost") && launches > kLaunchesUntilLost; }

}  // namespace

EXPORT void fake_cuda_work(double ns) {
  ++launches;
  (recorded != nullptr ? *recorded : clock_ns) += ns;
}

EXPORT int cuInit(unsigned) { return FakeMode("no_device") ? kNoDevice : 0; }
EXPORT int cuDeviceGetCount(int* count) {
  *count = 2;
  return 0;
}
EXPORT int cuDeviceGetName(char* name, int length, int device) {
  strncpy(name, device == 0 ? "Fake H100" : "Fake A100", static_cast<std::size_t>(length));
  return 0;
}
EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kL2Bytes = 38, kMajor = 75, kMinor = 76;
  if (attribute == kL2Bytes) *value = 50 << 20;
  if (attribute == kMajor) *value = FakeMode("old") ? 7 : 9;
  if (attribute == kMinor) *value = FakeMode("old") ? 5 : 0;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &clock_ns;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
EXPORT int cuCtxSetCurrent(void*) { return 0; }
EXPORT int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  if (FakeMode("no_memory") && bytes > 1 << 20) return kOutOfMemory;
  *address = next_address;
  next_address += (bytes + 511) / 256 * 256;
  return 0;
}
EXPORT int cuMemFree_v2(std::uint64_t) { return 0; }
EXPORT int cuMemcpyHtoD_v2(std::uint64_t, const void*, std::size_t) { return 0; }
EXPORT int cuStreamCreate(void** stream, unsigned) {
  *stream = &launches;
  return 0;
}
EXPORT int cuStreamDestroy_v2(void*) { return 0; }
EXPORT int cuStreamSynchronize(void*) { return IsLost() ? kIllegalAddress : 0; }
EXPORT int cuEventCreate(void** event, unsigned) {
  *event = new Event;
  return 0;
}
EXPORT int cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  return 0;
}
EXPORT int cuEventRecord(void* event, void*) {
  static_cast<Event*>(event)->ns = clock_ns;
  return 0;
}
EXPORT int cuEventSynchronize(void*) { return IsLost() ? kIllegalAddress : 0; }
EXPORT int cuEventElapsedTime(float* ms, void* start, void* end) {
  *ms = static_cast<float>((static_cast<Event*>(end)->ns - static_cast<Event*>(start)->ns) / 1e6);
  return 0;
}
EXPORT int cuStreamBeginCapture_v2(void*, int) {
  if (FakeMode("no_graph")) return kNotPermitted;
  recorded = new double(0);
  return 0;
}
EXPORT int cuStreamEndCapture(void*, void** graph) {
  if (recorded == nullptr) return kInvalidValue;
  *graph = recorded;
  recorded = nullptr;
  return 0;
}
EXPORT int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  *executable = new double(*static_cast<double*>(graph));
  return 0;
}
EXPORT int cuGraphUpload(void*, void*) { return 0; }
EXPORT int cuGraphLaunch(void* executable, void*) {
  clock_ns += *static_cast<double*>(executable);
  return 0;
}
EXPORT int cuGraphDestroy(void* graph) {
  delete static_cast<double*>(graph);
  return 0;
}
EXPORT int cuGraphExecDestroy(void* executable) {
  delete static_cast<double*>(executable);
  return 0;
}
EXPORT int cuGetErrorName(int error, const char** name) {
  *name = error == kOutOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == kNoDevice       ? "CUDA_ERROR_NO_DEVICE"
          : error == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                     : nullptr;
  return *name == nullptr ? kInvalidValue : 0;
}
