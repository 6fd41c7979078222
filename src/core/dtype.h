#ifndef XSP_CORE_DTYPE_H_
#define XSP_CORE_DTYPE_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace xsp::core {

/// Types of a tensor's elements. The values are those of xsp_worker_dtype
/// (workers/harness/worker.h).
enum class Dtype {
  kFloat32,
  kFloat64,
  kFloat16,
  kBfloat16,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kUint8,
  kBool,
};

/// Their names in job files and manifests, in the order of their values.
inline constexpr std::array<std::string_view, 10> kDtypeNames = {
    "float32", "float64", "float16", "bfloat16", "int64",
    "int32",   "int16",   "int8",    "uint8",    "bool"};

// All pure; any thread. A value that is none of Dtype's ends in std::out_of_range.

/// Bytes of one element.
std::size_t DtypeBytes(Dtype dtype);
/// "float32", ...
const char* DtypeName(Dtype dtype);
/// The type of that name; nothing: there is none.
std::optional<Dtype> DtypeNamed(std::string_view name);
/// All names with commas between them, and `last` before the last one.
std::string DtypeNamesText(std::string_view last = ", ");
/// How the header of an NPY file names it on a little-endian machine: "<f4". bfloat16 has none and
/// is stored as float32.
const char* NpyName(Dtype dtype);

}  // namespace xsp::core

#endif  // XSP_CORE_DTYPE_H_
