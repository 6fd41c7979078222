#ifndef XSP_MEASURE_MANIFEST_VERSION_CONSTRAINT_H_
#define XSP_MEASURE_MANIFEST_VERSION_CONSTRAINT_H_

#include <string_view>

namespace xsp::manifest {

/// Whether `constraint` can be read: comparisons with commas between them, ">=1.15, <3", each of
/// >=, <=, >, <, == or != and a version of up to four numbers, the last of which may be `*` after
/// == or !=. A version alone means ==. All must hold. Empty: any version.
bool IsVersionConstraint(std::string_view constraint);

/// Whether a version satisfies a constraint. Missing numbers count as 0; what follows the numbers
/// ("2.15.0+cpu", "1.9.1rc1") is not compared. False when either cannot be read.
bool Satisfies(std::string_view version, std::string_view constraint);

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_VERSION_CONSTRAINT_H_
