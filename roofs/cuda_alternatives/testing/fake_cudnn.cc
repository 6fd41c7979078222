// Stands for libcudnn.so.9: two algorithms and one that is not supported. A float32 convolution
// takes 40 us; NHWC half, TF32 0.5 and 16 bits 0.25 of it. With default arithmetic the second
// algorithm has FMA only. bfloat16 is refused.
#include <cstdint>

#include "fake_cuda.h"

namespace {

constexpr int kBadParameter = 2000, kNotSupported = 3000;
constexpr int kHalf = 2, kBfloat16 = 9, kDefaultMath = 0, kFmaMath = 3;

struct Descriptor {
  int format = 0, type = 0, dimensions = 0, groups = 1, math = 0;
  int sizes[8] = {}, padding[4] = {}, stride[4] = {}, dilation[4] = {};
};
struct Performance {
  int algorithm, status;
  float ms;
  std::size_t workspace_bytes;
  int determinism, math, reserved[3];
};

Descriptor& Of(void* descriptor) { return *static_cast<Descriptor*>(descriptor); }

int Create(void** descriptor) {
  *descriptor = new Descriptor;
  return 0;
}
int Destroy(void* descriptor) {
  delete static_cast<Descriptor*>(descriptor);
  return 0;
}

bool Fits(const Descriptor& x, const Descriptor& w, const Descriptor& c, const Descriptor& y) {
  if (x.sizes[1] != w.sizes[1] * c.groups || y.sizes[1] != w.sizes[0]) return false;
  for (int i = 0; i + 2 < x.dimensions; ++i) {
    const int reach = c.dilation[i] * (w.sizes[i + 2] - 1) + 1;
    if ((x.sizes[i + 2] + 2 * c.padding[i] - reach) / c.stride[i] + 1 != y.sizes[i + 2])
      return false;
  }
  return true;
}

}  // namespace

EXPORT int cudnnCreate(void** handle) { return Create(handle); }
EXPORT int cudnnDestroy(void* handle) { return Destroy(handle); }
EXPORT int cudnnSetStream(void*, void*) { return 0; }
EXPORT int cudnnGetProperty(int part, int* value) {
  constexpr int kVersion[] = {9, 10, 2};
  *value = kVersion[part];
  return 0;
}
EXPORT int cudnnCreateTensorDescriptor(void** descriptor) { return Create(descriptor); }
EXPORT int cudnnDestroyTensorDescriptor(void* descriptor) { return Destroy(descriptor); }
EXPORT int cudnnCreateFilterDescriptor(void** descriptor) { return Create(descriptor); }
EXPORT int cudnnDestroyFilterDescriptor(void* descriptor) { return Destroy(descriptor); }
EXPORT int cudnnCreateConvolutionDescriptor(void** descriptor) { return Create(descriptor); }
EXPORT int cudnnDestroyConvolutionDescriptor(void* descriptor) { return Destroy(descriptor); }
EXPORT int cudnnSetTensorNdDescriptorEx(void* descriptor, int format, int type, int count,
                                        const int* sizes) {
  Descriptor& of = Of(descriptor);
  of.format = format;
  of.type = type;
  of.dimensions = count;
  memcpy(of.sizes, sizes, sizeof(int) * static_cast<std::size_t>(count));
  return 0;
}
EXPORT int cudnnSetFilterNdDescriptor(void* descriptor, int type, int format, int count,
                                      const int* sizes) {
  return cudnnSetTensorNdDescriptorEx(descriptor, format, type, count, sizes);
}
EXPORT int cudnnSetConvolutionNdDescriptor(void* descriptor, int count, const int* padding,
                                           const int* stride, const int* dilation, int, int) {
  Descriptor& of = Of(descriptor);
  const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(count);
  memcpy(of.padding, padding, bytes);
  memcpy(of.stride, stride, bytes);
  memcpy(of.dilation, dilation, bytes);
  return 0;
}
EXPORT int cudnnSetConvolutionGroupCount(void* descriptor, int groups) {
  Of(descriptor).groups = groups;
  return 0;
}
EXPORT int cudnnSetConvolutionMathType(void* descriptor, int math) {
  Of(descriptor).math = math;
  return 0;
}
EXPORT int cudnnGetConvolutionForwardAlgorithm_v7(void*, void* x, void* w, void* convolution,
                                                  void* y, int, int* count, Performance* results) {
  if (!Fits(Of(x), Of(w), Of(convolution), Of(y))) return kBadParameter;
  if (Of(x).type == kBfloat16) return kNotSupported;
  const int math = Of(convolution).math;
  results[0] = {1, 0, 0, 0, 0, math, {}};
  results[1] = {0, 0, 0, 0, 0, math == kDefaultMath ? kFmaMath : math, {}};
  results[2] = {6, kNotSupported, 0, 0, 0, math, {}};
  *count = 3;
  return 0;
}
EXPORT int cudnnGetConvolutionForwardWorkspaceSize(void*, void*, void*, void*, void*, int,
                                                   std::size_t* bytes) {
  *bytes = 1 << 16;
  return 0;
}
EXPORT int cudnnConvolutionForward(void*, const void*, void* x, const void*, void*,
                                   const void* weights, void* convolution, int algorithm, void*,
                                   std::size_t, const void*, void*, void*) {
  double ns = algorithm == 1 ? 40000 : 50000;
  if (Of(x).format == 1) ns *= 0.5;
  if (Of(x).type == kHalf) ns *= 0.25;
  if (Of(x).type == 0 && Of(convolution).math == kDefaultMath) ns *= 0.5;
  fake_cuda_work(FakeKernelNs(ns, weights));
  return 0;
}
