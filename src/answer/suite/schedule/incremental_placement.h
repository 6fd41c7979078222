#ifndef XSP_ANSWER_SUITE_SCHEDULE_INCREMENTAL_PLACEMENT_H_
#define XSP_ANSWER_SUITE_SCHEDULE_INCREMENTAL_PLACEMENT_H_

#include <cstddef>
#include <span>
#include <vector>

#include "answer/suite/schedule/plan.h"

namespace xsp::suite::schedule {

/// Makespans of recipes that differ little from a base: what free devices the base leaves after its
/// first k jobs is kept, so that a recipe that is the same up to there is placed from there on. To
/// the bit what Placement::Makespan() says. One thread.
class IncrementalPlacement {
 public:
  /// `problem` must outlive this.
  explicit IncrementalPlacement(const Problem& problem);

  /// Places all and makes it the base. Returns the makespan.
  double Begin(std::span<const std::size_t> order, std::span<const std::size_t> choices);

  /// The makespan of a recipe whose first `from` jobs are placed as the base's; infinite as soon as
  /// it would exceed `limit`.
  double Try(std::span<const std::size_t> order, std::span<const std::size_t> choices,
             std::size_t from, double limit);

  /// Of what was tried last, which must not have exceeded its limit: the devices' time in use
  /// after `time`.
  double AreaBeyond(double time) const { return profile_.AreaBeyond(time); }

  /// What was tried last, within its limit, becomes the base.
  void Keep();

  /// When the job at this place of the base's order ends.
  double End(std::size_t place) const { return base_.ends[place]; }

 private:
  struct Checkpoints {
    std::vector<Profile> before;    ///< At every stride_-th place.
    std::vector<double> makespans;  ///< Likewise, of the jobs before it.
    std::vector<double> ends;       ///< At every place.
  };

  const Problem* problem_;
  std::size_t stride_;
  Checkpoints base_, tried_;
  std::size_t tried_from_ = 0;  ///< A multiple of stride_.
  Profile profile_;
};

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_INCREMENTAL_PLACEMENT_H_
