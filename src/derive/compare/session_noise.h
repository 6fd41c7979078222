#ifndef XSP_DERIVE_COMPARE_SESSION_NOISE_H_
#define XSP_DERIVE_COMPARE_SESSION_NOISE_H_

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/estimate.h"

namespace xsp::compare {

/// What sessions (experiments) of one program differ by on one machine: clock frequency, memory
/// placement and neighbours of a virtual machine change between them. Processes of one session
/// alternate, and share all of that: what they differ by does not contain it.
struct SessionNoise {
  std::size_t sessions = 0;  ///< Of programs with at least two.
  std::size_t degrees = 0;   ///< Of freedom: sessions less programs.
  /// Standard deviation of the logarithms of latencies, over sessions of one program; NaN: not
  /// known.
  double spread = std::numeric_limits<double>::quiet_NaN();
  double largest_ratio = 1;  ///< Of two sessions of one program; at least 1.

  /// Below two degrees of freedom an interval is wider than any difference.
  bool IsKnown() const { return degrees >= 2; }
};

/// Pooled over programs. `latencies[program][session]`: above 0.
SessionNoise SessionNoiseOf(std::span<const std::vector<double>> latencies);

/// `found`, of two sessions, with the interval of sessions where that is wider: Student's t of the
/// difference of two sessions that are drawn as the others were. The session is then the unit, as
/// the process is in `found`. As it is where the noise of sessions is not known.
core::ProcessRatio WidenedBySessions(const core::ProcessRatio& found, const SessionNoise& noise);

/// "the interval includes what 5 other sessions of the same program differ by (standard deviation
/// 3.2 %)", or that it holds within the two sessions only, and what is known of others.
std::string DescribeSessionNoise(const SessionNoise& noise);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_SESSION_NOISE_H_
