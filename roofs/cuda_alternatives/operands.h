#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_OPERANDS_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_OPERANDS_H_

#include <cstdint>

#include "gpu.h"
#include "primitive.h"

namespace xsp::cuda_alternatives {

/// Source, weights and result of a primitive in the GPU's memory, of one type; with random numbers.
class Operands {
 public:
  /// Sizes in elements. `rotates`: weights(number) differs from one number to the next and repeats
  /// after twice the size of the L2 cache, so that weights come from memory as in a large model.
  /// Throws NotPossible if the GPU lacks the memory.
  Operands(const Gpu& gpu, const Type& type, std::int64_t source, std::int64_t weights,
           std::int64_t result, bool rotates);

  void* source() const { return source_.At(0); }
  void* weights(std::int64_t number) const { return weights_.At(step_ * (number % copies_)); }
  void* result() const { return result_.At(0); }

 private:
  std::int64_t step_, copies_;
  Memory source_, weights_, result_;
};

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_OPERANDS_H_
