#ifndef XSP_MEASURE_SWEEPS_SWEEP_PROGRESS_H_
#define XSP_MEASURE_SWEEPS_SWEEP_PROGRESS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "core/progress.h"

namespace xsp::sweeps {

/// Tells how far the whole sweep is while one point is measured.
class SweepProgress final : public core::Progress {
 public:
  /// `outer` is borrowed. `prefix`: "3 of 12: resnet50-torch-b8". Seconds: of all points that are
  /// measured in this call, of those before this one, and of this one, as estimated.
  SweepProgress(core::Progress& outer, std::string prefix, double whole_s, double before_s,
                double own_s);

  /// `fraction` and `remaining_s` are those of the point.
  void Step(std::string_view what, double fraction, double remaining_s) override;
  void Note(std::string_view message) override;

 private:
  core::Progress& outer_;
  std::string prefix_;
  double whole_s_, before_s_, own_s_;
};

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_SWEEP_PROGRESS_H_
