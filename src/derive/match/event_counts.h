#ifndef XSP_DERIVE_MATCH_EVENT_COUNTS_H_
#define XSP_DERIVE_MATCH_EVENT_COUNTS_H_

#include <cstdint>
#include <vector>

#include "derive/match/point_layers.h"
#include "store/rows/event_count_row.h"

namespace xsp::match {

/// Adds to the table event_count what the rung `counters` of a point counted (metrics of provenance
/// measured:perf_event...): in a model call, then in each layer; the trimmed mean over the calls
/// that count, as other values. Nothing where no such run was made.
void AddEventCounts(const Runs& runs, const PointLayers& layers, std::int64_t point_id,
                    std::vector<store::EventCountRow>& event_count);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_EVENT_COUNTS_H_
