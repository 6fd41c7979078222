#include "operands.h"

#include <algorithm>

namespace xsp::cuda_alternatives {
namespace {

constexpr std::int64_t kAlignment = 256;               // What cudaMalloc promises.
constexpr std::int64_t kMinWeightsBytes = 64LL << 20;  // Where the size of the cache is not known.

std::int64_t CopiesOf(const Gpu& gpu, std::int64_t step) {
  const std::int64_t all = std::max(2 * gpu.l2_bytes(), kMinWeightsBytes);
  return std::max<std::int64_t>(all / step, 1);
}

}  // namespace

Operands::Operands(const Gpu& gpu, const Type& type, std::int64_t source, std::int64_t weights,
                   std::int64_t result, bool rotates)
    : step_((weights * type.element_bytes + kAlignment - 1) / kAlignment * kAlignment),
      copies_(rotates ? CopiesOf(gpu, step_) : 1),
      source_(gpu, source * type.element_bytes),
      weights_(gpu, step_ * copies_),
      result_(gpu, result * type.result_bytes) {
  const std::vector<char> numbers = RandomNumbers(type);
  source_.Fill(numbers);
  weights_.Fill(numbers);
}

}  // namespace xsp::cuda_alternatives
