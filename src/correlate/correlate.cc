#include "correlate/correlate.h"

#include "correlate/allocations.h"
#include "correlate/control_flow.h"
#include "correlate/graph_nodes.h"
#include "correlate/graph_replay.h"
#include "correlate/launch.h"
#include "correlate/launch_order.h"
#include "correlate/native.h"
#include "correlate/nesting.h"
#include "correlate/operator_work.h"
#include "correlate/pool_threads.h"
#include "correlate/promotion.h"
#include "correlate/training_steps.h"

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
