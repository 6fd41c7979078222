#include "derive/experiments/timeline_rows.h"

#include "core/step_times.h"
#include "derive/timeline/timeline.h"
#include "os/heap.h"

namespace xsp::experiments {

void AddTimelineRows(std::int64_t run_id, const trace::Trace& trace,
                     timeline::ExperimentRows& rows) {
  const core::StepTimer timer("make timeline");
  const timeline::Timeline timeline(trace);
  rows.SetRun(run_id);
  for (const TimelineSpec* spec : timeline::AllTimelines()) {
    spec->add_rows(timeline, rows);
    os::ReturnFreedMemory();
  }
}

}  // namespace xsp::experiments
