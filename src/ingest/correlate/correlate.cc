#include "ingest/correlate/correlate.h"

#include "ingest/correlate/allocations.h"
#include "ingest/correlate/control_flow.h"
#include "ingest/correlate/graph_nodes.h"
#include "ingest/correlate/graph_replay.h"
#include "ingest/correlate/launch.h"
#include "ingest/correlate/launch_order.h"
#include "ingest/correlate/native_kernels.h"
#include "ingest/correlate/nesting.h"
#include "ingest/correlate/operator_work.h"
#include "ingest/correlate/pool_threads.h"
#include "ingest/correlate/promotion.h"
#include "ingest/correlate/training_steps.h"

namespace xsp::correlate {

Status Correlate(trace::Trace& trace, const ReplayOptions& replays) {
  PlaceByLaunch(trace);
  PlaceByLaunchOrder(trace);
  AdoptIntoSteps(trace);
  Nest(trace);
  PlaceOnPoolThreads(trace);
  OpenControlFlow(trace);
  AttributeGraphNodes(trace);
  AttributeReplays(trace, replays);
  PromotePrimitives(trace);
  AddNativeKernels(trace);
  AddOperatorWork(trace);
  AddAllocations(trace);
  return Ok{};
}

}  // namespace xsp::correlate
