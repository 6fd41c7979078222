#ifndef XSP_ANSWER_SUITE_SCHEDULE_PACKING_PROGRAM_H_
#define XSP_ANSWER_SUITE_SCHEDULE_PACKING_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "answer/suite/schedule/bounds.h"
#include "answer/suite/schedule/plan.h"

namespace xsp::suite::schedule {

/// The linear programs behind RefuteByPacking(), for jobs of which every choice ends by `makespan`.
/// Jobs are cut into pieces that are packed into bins:
///   kDevices  bins are the devices, a choice has `width` pieces of its time; no release times
///   kMoments  bins are moments until the makespan, a choice has its width at `time` of them, none
///             before its release; what is left of a job may stop and go on, and at another width
///   minimise   the bins used (of moments: those after the last release), sum of y_p over patterns
///   p
///              (sets of pieces that fit in a bin)
///   such that  the patterns hold the pieces of a choice: sum of y_p with it >= its pieces x x
///              a job is chosen once: the sum of its x is 1
///              between two releases there are as many moments as there are
/// More than the bins there are: no plan is as short. Patterns are priced in column by column.
class PackingProgram {
 public:
  enum class Bins { kDevices, kMoments };

  PackingProgram(const Problem& problem, double makespan, Bins bins);
  ~PackingProgram();

  Refuted Solve(const std::function<bool()>& stop);

 private:
  /// A choice of a job, as a row of the program.
  struct Piece {
    std::size_t job;
    double amount;  ///< How many pieces: devices, or moments as a share of the makespan.
    int size;       ///< Of the cells of a bin: 2048 of a device's time, rounded down; devices.
  };
  struct Clp;

  /// Bins that are alike: those of moments between two releases.
  struct Bin {
    double count;      ///< Devices; the moments' share of the makespan.
    std::size_t jobs;  ///< The first so many of the program's jobs fit.
  };

  void AddRows();
  void AddPattern(const std::vector<std::size_t>& pieces, std::size_t bin);
  void FindPatterns(const std::vector<double>& worth);
  std::vector<std::size_t> PatternOf(std::size_t bin) const;
  bool AddWorthy(const double* dual);
  bool Proven(const std::vector<double>& worth) const;

  std::vector<Bin> bins_;  ///< By release; of the last one the number used is minimised.
  int cells_;
  std::size_t jobs_;
  std::vector<Piece> pieces_;         ///< By job, and those by release.
  std::vector<std::size_t> first_;    ///< Of each job in pieces_, and the end.
  std::vector<double> most_;          ///< What a pattern of each bin is worth at most.
  std::vector<std::uint16_t> taken_;  ///< By job and cell: 1 + the piece within the job; 0: none.
  std::unique_ptr<Clp> clp_;
};

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_PACKING_PROGRAM_H_
