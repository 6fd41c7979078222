#ifndef XSP_INGEST_IMPORTERS_KINETO_LAUNCH_SHAPE_H_
#define XSP_INGEST_IMPORTERS_KINETO_LAUNCH_SHAPE_H_

#include <optional>

#include "ingest/importers/trace_event.h"
#include "trace/tables.h"

namespace xsp::importers::kineto {

/// Of a kernel on a device; nothing where the event does not state grid and block.
std::optional<trace::LaunchShape> LaunchShapeOf(const Event& event);

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_LAUNCH_SHAPE_H_
