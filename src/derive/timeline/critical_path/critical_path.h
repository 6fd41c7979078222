#ifndef XSP_DERIVE_TIMELINE_CRITICAL_PATH_CRITICAL_PATH_H_
#define XSP_DERIVE_TIMELINE_CRITICAL_PATH_CRITICAL_PATH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "derive/timeline/critical_path/longest_path.h"

namespace xsp::timeline::critical_path {

/// Time of one kind and name on the path, within one step.
struct Part {
  std::int32_t step = -1;  ///< Index into Timeline::steps(); -1: the rank has none: all of its run.
  Kind kind = Kind::kHost;
  std::string
      name;  ///< Of the operator, call or work; "(between operators)", "(nothing recorded)".
  std::int64_t segments = 0;
  std::int64_t duration_ns = 0;
};

/// The path of one rank that has a device, by step, kind and name; a step's longest first. The
/// parts of a step add up to its duration.
///
/// One path for the whole rank, cut where steps start and end: from the start of the first step to
/// the end of the last one or, where that is later, of the device work that it launched; so a
/// device that lags behind its host is seen to be what all wait for, though no step waits for it
/// itself. Without steps: from the first operator, call or device work to the last. At most 100
/// parts a step; the others are one part a kind, "(other names)". O(n log n).
std::vector<Part> PartsOf(const Timeline& timeline, std::int64_t rank);

}  // namespace xsp::timeline::critical_path

#endif  // XSP_DERIVE_TIMELINE_CRITICAL_PATH_CRITICAL_PATH_H_
