#include "measure/sweeps/sweep_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace xsp::sweeps {

SweepProgress::SweepProgress(core::Progress& outer, std::string prefix, double whole_s,
                             double before_s, double own_s)
    : outer_(outer),
      prefix_(std::move(prefix)),
      whole_s_(whole_s),
      before_s_(before_s),
      own_s_(own_s) {}

void SweepProgress::Step(std::string_view what, double fraction, double remaining_s) {
  const double share = std::clamp(fraction, 0.0, 1.0);
  // Nothing is known of any point: its own progress is all there is.
  if (!(whole_s_ > 0)) {
    outer_.Step(fmt::format("{}: {}", prefix_, what), -1, -1);
    return;
  }
  const double own_left = remaining_s >= 0 ? remaining_s : own_s_ * (1 - share);
  const double after = std::max(0.0, whole_s_ - before_s_ - own_s_);
  outer_.Step(fmt::format("{}: {}", prefix_, what),
              std::min(1.0, (before_s_ + own_s_ * share) / whole_s_), own_left + after);
}

void SweepProgress::Note(std::string_view message) {
  outer_.Note(fmt::format("{}: {}", prefix_, message));
}

}  // namespace xsp::sweeps
