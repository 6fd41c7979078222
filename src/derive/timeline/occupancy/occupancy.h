#ifndef XSP_DERIVE_TIMELINE_OCCUPANCY_OCCUPANCY_H_
#define XSP_DERIVE_TIMELINE_OCCUPANCY_OCCUPANCY_H_

#include <vector>

#include "derive/timeline/timeline.h"
#include "store/rows/occupancy_row.h"

namespace xsp::timeline::occupancy {

/// One row for each name of a computing kernel and number of multiprocessors; of kernels whose
/// launch is not stated, and on devices whose multiprocessors are not, there is none. Longest
/// first.
///
/// Waves: blocks / (multiprocessors x blocks that one holds at once). In the last wave the share
/// 1 - waves / ceil(waves) of all places of all waves is empty, as if every block took as long.
std::vector<store::OccupancyRow> OccupancyOf(const Timeline& timeline);

}  // namespace xsp::timeline::occupancy

#endif  // XSP_DERIVE_TIMELINE_OCCUPANCY_OCCUPANCY_H_
