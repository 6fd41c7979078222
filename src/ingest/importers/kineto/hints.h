#ifndef XSP_INGEST_IMPORTERS_KINETO_HINTS_H_
#define XSP_INGEST_IMPORTERS_KINETO_HINTS_H_

#include <array>

#include "ingest/importers/importer.h"

namespace xsp::importers::kineto {

/// What to ask of PyTorch's profiler for what a trace of it does not hold.
inline constexpr std::array<LevelHint, 7> kHints = {{
    {"model",
     "Import a file that has model calls or steps (in PyTorch: `profiler.step()`, or a "
     "`record_function` range around the call)."},
    {"memory",
     "Record the trace with the memory of operators (in PyTorch: `profile_memory=True`) and import "
     "it again."},
    {"kernel",
     "Record the trace with the device's activity (in PyTorch: `ProfilerActivity.CUDA`)."},
    {"device",
     "Record the trace with the device's activity (in PyTorch: `ProfilerActivity.CUDA`)."},
    {"steps", "Mark the steps when recording (in PyTorch: `profiler.step()` in the loop)."},
    {"training",
     "A PyTorch trace has them where its steps (`profiler.step()` in the loop) hold a backward "
     "pass or an optimizer."},
    {"allocations",
     "Record the trace with them (in PyTorch: `profile_memory=True`) and import it again."},
}};

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_HINTS_H_
