#include "cublas.h"

#include <dlfcn.h>

namespace xsp::roofs_cuda {
namespace {

// Values of library_types.h (cudaDataType) and cublas_api.h (cublasComputeType_t, ...), which have
// been the same since CUDA 11. Declared here so that nothing of cuBLAS is needed to build.
constexpr int kReal32F = 0, kReal64F = 1, kReal16F = 2, kReal8I = 3, kReal32I = 10, kReal16BF = 14;
constexpr int kCompute16F = 64, kCompute32F = 68, kCompute64F = 70, kCompute32I = 72,
              kComputeFastTf32 = 77;
constexpr int kNotTransposed = 0, kTransposed = 1, kDefaultAlgorithm = -1, kSuccess = 0;

constexpr Product kProducts[] = {
    {"float64", "tensor", "FP64", 80, kReal64F, kReal64F, kCompute64F, 8, 8},
    {"float32", "vector", "FP32", 75, kReal32F, kReal32F, kCompute32F, 4, 4},
    {"tfloat32", "tensor", "TF32, FP32 accumulators", 80, kReal32F, kReal32F, kComputeFastTf32, 4,
     4},
    {"float16", "tensor", "FP16, FP32 accumulators", 75, kReal16F, kReal16F, kCompute32F, 2, 2},
    {"float16", "tensor", "FP16, FP16 accumulators", 75, kReal16F, kReal16F, kCompute16F, 2, 2},
    {"bfloat16", "tensor", "BF16, FP32 accumulators", 80, kReal16BF, kReal16BF, kCompute32F, 2, 2},
    {"int8", "tensor", "INT8, INT32 accumulators", 75, kReal8I, kReal32I, kCompute32I, 1, 4},
};

using CreateFunction = int (*)(void**);
using DestroyFunction = int (*)(void*);
using GemmFunction = int (*)(void*, int, int, int, int, int, const void*, const void*, int, int,
                             const void*, int, int, const void*, void*, int, int, int, int);

}  // namespace

std::span<const Product> AllProducts() { return kProducts; }

Cublas::Cublas() {
  for (const char* name :
       {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}) {
    opened_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (opened_ == nullptr) continue;
    library_ = name;
    break;
  }
  if (opened_ == nullptr) {
    problem_ = "no cuBLAS was found (libcublas.so)";
    return;
  }
  const auto create = reinterpret_cast<CreateFunction>(dlsym(opened_, "cublasCreate_v2"));
  gemm_ = dlsym(opened_, "cublasGemmEx");
  if (create == nullptr || gemm_ == nullptr || create(&handle_) != kSuccess) {
    handle_ = nullptr;
    problem_ = library_ + " cannot be used here";
  }
}

Cublas::~Cublas() {
  if (handle_ != nullptr) {
    const auto destroy = reinterpret_cast<DestroyFunction>(dlsym(opened_, "cublasDestroy_v2"));
    if (destroy != nullptr) destroy(handle_);
  }
  // The library is left open: it may have threads.
}

bool Cublas::Multiply(const Product& product, std::int64_t n, const void* a, const void* b,
                      void* c) {
  if (handle_ == nullptr) return false;
  // The scale's type follows the compute type.
  const float one32 = 1, zero32 = 0;
  const double one64 = 1, zero64 = 0;
  const std::int32_t one_int = 1, zero_int = 0;
  const std::uint16_t one16 = 0x3C00, zero16 = 0;  // 1.0 of IEEE half.
  const void *alpha = &one32, *beta = &zero32;
  if (product.compute_type == kCompute64F) alpha = &one64, beta = &zero64;
  if (product.compute_type == kCompute32I) alpha = &one_int, beta = &zero_int;
  if (product.compute_type == kCompute16F) alpha = &one16, beta = &zero16;
  const int side = static_cast<int>(n);
  return reinterpret_cast<GemmFunction>(gemm_)(
             handle_, kTransposed, kNotTransposed, side, side, side, alpha, a, product.element_type,
             side, b, product.element_type, side, beta, c, product.result_type, side,
             product.compute_type, kDefaultAlgorithm) == kSuccess;
}

}  // namespace xsp::roofs_cuda
