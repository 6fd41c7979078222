// Stands for libcublasLt.so.13: three algorithms, of which the second is twice as fast as the one
// that the heuristic names first, and the third fails when it is launched. A float32 product with
// plain weights takes 20 us; transposed weights 0.9, TF32 0.5 and 16 bits 0.25 of it. int8 is
// refused unless weights are transposed. A bias without its vector is refused, too.
#include <cstdint>

#include "fake_cuda.h"

namespace {

constexpr int kInvalidValue = 7, kExecutionFailed = 13, kNotSupported = 15;
constexpr int kInt8 = 3, kReal16F = 2, kReal16BF = 14, kFastTf32 = 77;
constexpr std::uint32_t kBias = 4;

struct Layout {
  int type;
  std::uint64_t rows, columns;
  std::int64_t stride;
  std::int32_t batch = 1;
};
struct Operation {
  int compute;
  std::int32_t transposed = 0;
  std::uint32_t epilogue = 1;
  const void* bias = nullptr;
};
struct Algorithm {
  std::uint64_t data[8];
};
struct HeuristicResult {
  Algorithm algorithm;
  std::size_t workspace_bytes;
  int status;
  float waves;
  int reserved[4];
};

bool Fits(const Operation& of, const Layout& a, const Layout& b, const Layout& d) {
  const std::uint64_t rows = of.transposed != 0 ? a.columns : a.rows;
  const std::uint64_t inner = of.transposed != 0 ? a.rows : a.columns;
  return rows == d.rows && inner == b.rows && b.columns == d.columns && a.batch == d.batch &&
         b.batch == d.batch;
}

double NsOf(const Operation& of, const Layout& a, std::uint64_t number) {
  double ns = 20000;
  if (of.transposed != 0) ns *= 0.9;
  if (of.compute == kFastTf32) ns *= 0.5;
  if (a.type == kReal16F || a.type == kReal16BF) ns *= 0.25;
  return number == 1 ? ns / 2 : ns;
}

}  // namespace

EXPORT int cublasLtCreate(void** handle) {
  *handle = new int;
  return 0;
}
EXPORT int cublasLtDestroy(void* handle) {
  delete static_cast<int*>(handle);
  return 0;
}
EXPORT int cublasLtGetProperty(int part, int* value) {
  constexpr int kVersion[] = {13, 1, 0};
  *value = kVersion[part];
  return 0;
}
EXPORT int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows,
                                      std::uint64_t columns, std::int64_t stride) {
  *layout = new Layout{type, rows, columns, stride};
  return 0;
}
EXPORT int cublasLtMatrixLayoutDestroy(void* layout) {
  delete static_cast<Layout*>(layout);
  return 0;
}
EXPORT int cublasLtMatrixLayoutSetAttribute(void* layout, int attribute, const void* value,
                                            std::size_t bytes) {
  constexpr int kBatchCount = 5, kBatchStride = 6;
  auto& of = *static_cast<Layout*>(layout);
  if (attribute == kBatchCount && bytes == sizeof of.batch) memcpy(&of.batch, value, bytes);
  return attribute == kBatchCount || attribute == kBatchStride ? 0 : kInvalidValue;
}
EXPORT int cublasLtMatmulDescCreate(void** operation, int compute, int) {
  *operation = new Operation{compute};
  return 0;
}
EXPORT int cublasLtMatmulDescDestroy(void* operation) {
  delete static_cast<Operation*>(operation);
  return 0;
}
EXPORT int cublasLtMatmulDescSetAttribute(void* operation, int attribute, const void* value,
                                          std::size_t bytes) {
  constexpr int kTransposeA = 3, kEpilogue = 7, kBiasPointer = 8;
  auto& of = *static_cast<Operation*>(operation);
  if (attribute == kTransposeA) memcpy(&of.transposed, value, bytes);
  if (attribute == kEpilogue) memcpy(&of.epilogue, value, bytes);
  if (attribute == kBiasPointer) memcpy(&of.bias, value, bytes);
  return 0;
}
EXPORT int cublasLtMatmulPreferenceCreate(void** preference) {
  *preference = new std::uint64_t(0);
  return 0;
}
EXPORT int cublasLtMatmulPreferenceDestroy(void* preference) {
  delete static_cast<std::uint64_t*>(preference);
  return 0;
}
EXPORT int cublasLtMatmulPreferenceSetAttribute(void*, int, const void*, std::size_t) { return 0; }
EXPORT int cublasLtMatmulAlgoGetHeuristic(void*, void* operation, void* a, void* b, void*, void* d,
                                          void*, int, HeuristicResult* results, int* count) {
  const auto& of = *static_cast<Operation*>(operation);
  const auto& weights = *static_cast<Layout*>(a);
  *count = 0;
  if (!Fits(of, weights, *static_cast<Layout*>(b), *static_cast<Layout*>(d))) return kInvalidValue;
  if (weights.type == kInt8 && of.transposed == 0) return kNotSupported;
  if ((of.epilogue & kBias) != 0 && of.bias == nullptr) return kInvalidValue;
  for (std::uint64_t number = 0; number < 3; ++number)
    results[(*count)++] = {{{number}}, 0, 0, 1, {}};
  return 0;
}
EXPORT int cublasLtMatmul(void*, void* operation, const void*, const void* a, void* a_layout,
                          const void*, void*, const void*, const void*, void*, void*, void*,
                          const Algorithm* algorithm, void*, std::size_t, void*) {
  if (algorithm->data[0] == 2) return kExecutionFailed;
  fake_cuda_work(FakeKernelNs(NsOf(*static_cast<Operation*>(operation),
                                   *static_cast<Layout*>(a_layout), algorithm->data[0]),
                              a));
  return 0;
}
EXPORT int cublasLtMatmulAlgoConfigGetAttribute(const Algorithm* algorithm, int attribute,
                                                void* value, std::size_t bytes,
                                                std::size_t* written) {
  memset(value, 0, bytes);
  const auto number = static_cast<char>(60 + algorithm->data[0]);
  if (attribute == 0) memcpy(value, &number, 1);
  *written = bytes;
  return 0;
}
