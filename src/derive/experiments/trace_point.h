#ifndef XSP_DERIVE_EXPERIMENTS_TRACE_POINT_H_
#define XSP_DERIVE_EXPERIMENTS_TRACE_POINT_H_

#include <string>
#include <string_view>

#include "derive/match/match.h"
#include "trace/trace.h"

namespace xsp::experiments {

/// What the trace says of its stack under `key`; empty: nothing.
std::string Fact(const trace::Trace& trace, std::string_view key);

/// The model's name as the user (`asked`) or the trace states it; empty: they do not.
std::string StatedModel(const trace::Trace& trace, const std::string& asked);

/// The one point of an experiment that is made from a trace. Its backend is the framework that the
/// trace names, else `backend`.
match::PointInput PointOf(const trace::Trace& trace, const std::string& model,
                          const std::string& backend);

}  // namespace xsp::experiments

#endif  // XSP_DERIVE_EXPERIMENTS_TRACE_POINT_H_
