#ifndef XSP_MEASURE_MANIFEST_MANIFEST_READER_H_
#define XSP_MEASURE_MANIFEST_MANIFEST_READER_H_

#include <array>
#include <string_view>

#include "measure/manifest/document.h"
#include "measure/manifest/manifest.h"

namespace xsp::manifest {

/// Reads a manifest of our own form out of `root`, a map.
void ReadOwnManifest(const Value& root, Reading& reading);

inline constexpr std::array<std::string_view, 5> kFills = {"normal", "uniform", "ones", "zeros",
                                                           "range"};
inline constexpr std::int64_t kLargestSize = std::int64_t{1} << 40;

/// Whether `name` can be a model's: letters, digits, `.`, `_`, `+` and `-`, a letter or digit
/// first.
bool IsModelName(std::string_view name);

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_MANIFEST_READER_H_
