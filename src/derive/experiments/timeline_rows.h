#ifndef XSP_DERIVE_EXPERIMENTS_TIMELINE_ROWS_H_
#define XSP_DERIVE_EXPERIMENTS_TIMELINE_ROWS_H_

#include <cstdint>

#include "derive/timeline/experiment_rows.h"
#include "trace/trace.h"

namespace xsp::experiments {

/// Adds the rows of every timeline table that the trace of one run gives. `trace` is correlated.
void AddTimelineRows(std::int64_t run_id, const trace::Trace& trace,
                     timeline::ExperimentRows& rows);

}  // namespace xsp::experiments

#endif  // XSP_DERIVE_EXPERIMENTS_TIMELINE_ROWS_H_
