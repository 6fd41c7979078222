#ifndef XSP_DERIVE_MATCH_POINT_KERNELS_H_
#define XSP_DERIVE_MATCH_POINT_KERNELS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "derive/match/operator_work.h"
#include "derive/match/point_layers.h"
#include "derive/match/run_view.h"
#include "store/rows/match_row.h"

namespace xsp::match {

struct KernelSequences;

/// One kernel of the point, per call.
struct PointKernel {
  std::int32_t layer = -1;  ///< Layer of the point; -1: not attributed.
  trace::SpanId span = 0;   ///< In the reference call of the run that its duration is from.
  std::int64_t start_ns = 0;
  double duration_ns = 0;  ///< NaN: no run times kernels.
  double confidence = 0;
  std::string_view placed_by;  ///< As the table has it; empty: not attributed.
  KernelWork work;
  std::string matched;
};

/// The kernels of a point: those of the least profiled run that times kernels; where none does, of
/// one that counts them.
class PointKernels {
 public:
  PointKernels(const Runs& runs, const PointLayers& layers, std::int64_t point_id, Names& names,
               std::vector<store::MatchRow>& match);

  /// The run that kernels are from; nullptr: none shows kernels.
  const RunView* base() const { return base_; }

  /// In order of execution.
  const std::vector<PointKernel>& kernels() const { return kernels_; }

  /// What several device kernels of one operator did together; what is measured of these is taken
  /// out.
  const std::vector<SharedWork>& shared() const { return shared_; }

  /// Union over sum of the kernel times of a layer, trimmed mean over calls: 1 where its kernels
  /// run one after another.
  double BusyShare(std::size_t layer) const { return busy_share_[layer]; }

 private:
  void MakeKernels(const KernelSequences& sequences);
  static void MeanOfMeasured(const RunView& run, const KernelSequences& sequences,
                             std::size_t index, KernelWork& work);
  void CompleteWork(const KernelSequences& sequences, const PointLayers& layers);
  void MatchRun(const RunView& run, const KernelSequences& sequences, const KernelSequences& other,
                std::int64_t point_id, std::vector<int>& found_in,
                std::vector<store::MatchRow>& match);
  /// Leaves out of shared_ what a run measured of its kernels, and ends its borrowing of them.
  void DropMeasured();
  void FindBusyShares(const PointLayers& layers);

  const RunView* base_ = nullptr;
  std::vector<PointKernel> kernels_;
  std::vector<SharedWork> shared_;
  std::vector<double> busy_share_;
};

/// Length of the union of [start, start + duration) intervals. Reorders `intervals`.
std::int64_t UnionNs(std::vector<std::pair<std::int64_t, std::int64_t>>& intervals);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_POINT_KERNELS_H_
