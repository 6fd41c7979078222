#ifndef XSP_INGEST_CORRELATE_TRAINING_STEPS_H_
#define XSP_INGEST_CORRELATE_TRAINING_STEPS_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Puts what ran inside a training step below it.
///
/// A step (level model, type `train`, no parent) is known only when it is over, and its first pass
/// may run in a range of the program that ends before it does: so what is in a step is unknown
/// by what was open when it began. Each span of the step's track that lies within it, and whose
/// parent does not, becomes its child. Steps of one track that overlap are left alone. To be called
/// before Nest(). O(n log s) for s steps.
void AdoptIntoSteps(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_TRAINING_STEPS_H_
