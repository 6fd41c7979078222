#ifndef XSP_INGEST_CORRELATE_OPERATOR_WORK_H_
#define XSP_INGEST_CORRELATE_OPERATOR_WORK_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Adds FLOPs, traffic and data type (provenance analytic) to kernels of CPU operators that tell
/// nothing of their work, from the types and shapes of the operator: native kernels, and primitives
/// whose announcement has no sizes (MKL's batches of products give addresses only).
///
/// Of an operator's cost, the FLOPs of all other kernels inside it and the traffic of its other
/// primitives are taken off first, so that a layer's sum is what its operator computes and nothing
/// is counted twice. Only the one kernel directly in an operator that lacks FLOPs gets any, a
/// native one before primitives; of several equal ones none does. Operators without shapes are left
/// to match/, which has the run that read details. O(n), and needs parents without circles.
void AddOperatorWork(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_OPERATOR_WORK_H_
