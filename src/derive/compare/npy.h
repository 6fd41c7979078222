#ifndef XSP_DERIVE_COMPARE_NPY_H_
#define XSP_DERIVE_COMPARE_NPY_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/result.h"

namespace xsp::compare {

/// A tensor as single-precision values; float64 and integers are rounded to the nearest.
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;  ///< Row-major.
};

/// Reads an NPY file (NumPy's NEP 1, versions 1 to 3) of little-endian floating point, integers or
/// booleans in C order. Errors: kBadInput (not such a file, a type that is none of these, fewer
/// bytes than the shape needs).
Result<Tensor> ReadNpy(const std::filesystem::path& path);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_NPY_H_
