#ifndef XSP_ROOFS_CUDA_CUBLAS_H_
#define XSP_ROOFS_CUDA_CUBLAS_H_

#include <cstdint>
#include <span>
#include <string>

namespace xsp::roofs_cuda {

/// One kind of matrix product that cublasGemmEx offers. Static data.
struct Product {
  const char* dtype;  ///< As Roof::dtype.
  const char* unit;   ///< On GPUs whose tensor cores have FP64; else FP64 is of the vector units.
  const char* how;
  int least_capability;
  int element_type, result_type, compute_type;  ///< Of cuBLAS (cublas_api.h, library_types.h).
  int element_bytes, result_bytes;
};

std::span<const Product> AllProducts();

/// cuBLAS, opened at run time: whichever version the machine has. Threading: one thread.
class Cublas {
 public:
  /// Opens the library and makes a handle; `problem()` says why there is none.
  Cublas();
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  const std::string& problem() const { return problem_; }
  const std::string& library() const { return library_; }

  /// c = a' b, n x n each, on the default stream. False: this GPU or library refuses.
  bool Multiply(const Product& product, std::int64_t n, const void* a, const void* b, void* c);

 private:
  void* opened_ = nullptr;
  void* handle_ = nullptr;
  void* gemm_ = nullptr;
  std::string library_, problem_;
};

}  // namespace xsp::roofs_cuda

#endif  // XSP_ROOFS_CUDA_CUBLAS_H_
