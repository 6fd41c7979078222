#ifndef XSP_DERIVE_TIMELINE_OCCUPANCY_LAUNCH_SHAPES_H_
#define XSP_DERIVE_TIMELINE_OCCUPANCY_LAUNCH_SHAPES_H_

#include <vector>

#include "trace/trace.h"

namespace xsp::timeline::occupancy {

/// The launch shapes of a trace: those that its importer kept, and those that recordings of ours
/// state as attributes.
class LaunchShapes {
 public:
  explicit LaunchShapes(const trace::Trace& trace);

  /// Null: not stated.
  const trace::LaunchShape* Find(trace::SpanId span) const;

  bool empty() const { return shaped_.empty(); }

 private:
  struct Shaped {
    trace::SpanId span = 0;
    trace::LaunchShape shape;
  };
  void TakeAttributes(const trace::Trace& trace);

  std::vector<Shaped> shaped_;  ///< By span.
};

}  // namespace xsp::timeline::occupancy

#endif  // XSP_DERIVE_TIMELINE_OCCUPANCY_LAUNCH_SHAPES_H_
