#include "ingest/correlate/native_kernels.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/correlate/layers.h"
#include "ingest/primitives/operators.h"

namespace xsp::correlate {
namespace {

using primitives::OperatorRole;
using trace::SpanId;

bool SawKernels(const trace::Trace& trace) {
  const auto rung = trace.facts.find("job.rung");
  if (rung != trace.facts.end() && rung->second == "kernel") {
    // A GPU's job: in the calls for comparison, which have no kernels, operators only launch.
    const auto device = trace.facts.find("job.device");
    return device == trace.facts.end() || device->second == "cpu";
  }
  const auto ran_on = trace.facts.find(trace::fact::kOperatorsRanOn);
  if (ran_on != trace.facts.end() && ran_on->second == "cpu") return true;
  for (std::size_t i = 0; i < trace.spans.size(); ++i)
    if (trace.spans.level[i] == trace::Level::kKernel &&
        trace.Text(trace.spans.type[i]) == trace::type::kPrimitive)
      return true;
  return false;
}

// Looked up once per distinct type, not per span.
class Roles {
 public:
  explicit Roles(const trace::Trace& trace) : trace_(trace) {}

  OperatorRole Of(SpanId span) {
    if (!IsOperator(trace_, span)) return OperatorRole::kNeverComputes;
    const trace::StringId type = trace_.spans.type[span - 1];
    const auto [it, fresh] = roles_.try_emplace(type, OperatorRole::kUnknown);
    if (fresh) it->second = primitives::RoleOf(trace_.Text(type));
    return it->second;
  }

 private:
  const trace::Trace& trace_;
  std::unordered_map<trace::StringId, OperatorRole> roles_;
};

bool OnCpu(const trace::Trace& trace, SpanId span) {
  const trace::TrackKind kind = trace.tracks[trace.spans.track[span - 1] - 1].kind;
  return kind == trace::TrackKind::kThread || kind == trace::TrackKind::kProcess;
}

// The operators that get a native kernel, by id.
std::vector<SpanId> FindNative(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  const std::vector<SpanId> order = ParentsFirst(trace);
  std::vector<std::uint8_t> holds_kernel(spans.size(), 0);
  std::vector<std::uint8_t> calls_computing(spans.size(), 0);  // Copies left out.
  std::vector<std::uint8_t> calls_copying(spans.size(), 0);
  std::vector<std::uint8_t> calls_filling(spans.size(), 0);
  std::vector<SpanId> native;
  Roles roles(trace);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {  // Children before their parents.
    const SpanId id = *it;
    const std::size_t i = id - 1;
    const OperatorRole role = roles.Of(id);
    const bool computes =
        role == OperatorRole::kComputes || role == OperatorRole::kFused ||
        role == OperatorRole::kCopies ||
        (role == OperatorRole::kDelegates && calls_computing[i] == 0) ||
        (role == OperatorRole::kUnknown && calls_computing[i] == 0 && calls_copying[i] == 0) ||
        (role == OperatorRole::kFills && calls_computing[i] == 0 && calls_copying[i] == 0 &&
         calls_filling[i] == 0);
    const bool announced = holds_kernel[i] != 0 && role != OperatorRole::kFused;
    if (computes && !announced && spans.duration_ns[i] != trace::kNeverEnded && OnCpu(trace, id))
      native.push_back(id);
    const SpanId parent = spans.parent[i];
    if (parent == 0) continue;
    if (spans.level[i] == trace::Level::kKernel || holds_kernel[i] != 0)
      holds_kernel[parent - 1] = 1;
    const bool fills = role == OperatorRole::kFills, copies = role == OperatorRole::kCopies;
    if ((role != OperatorRole::kNeverComputes && !fills && !copies) || calls_computing[i] != 0)
      calls_computing[parent - 1] = 1;
    if (copies || calls_copying[i] != 0) calls_copying[parent - 1] = 1;
    if (fills || calls_filling[i] != 0) calls_filling[parent - 1] = 1;
  }
  std::sort(native.begin(), native.end());
  return native;
}

struct Piece {
  SpanId parent;
  std::int64_t start, end;
};

// The parts of each operator in `native` that a child on its own thread covers, by operator and
// start. What other threads do for it goes on beside its own time.
std::vector<Piece> CoveredPieces(const trace::Trace& trace, const std::vector<SpanId>& native) {
  const trace::SpanTable& spans = trace.spans;
  std::vector<std::uint8_t> is_native(spans.size() + 1, 0);
  for (const SpanId id : native) is_native[id] = 1;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const SpanId parent = spans.parent[i];
    if (is_native[parent] == 0 || spans.track[i] != spans.track[parent - 1]) continue;
    const std::int64_t begin = spans.start_ns[parent - 1];
    const std::int64_t end = begin + spans.duration_ns[parent - 1];
    const std::int64_t duration = spans.duration_ns[i];
    const std::int64_t child_end =
        duration == trace::kNeverEnded ? end : spans.start_ns[i] + duration;
    const Piece piece = {parent, std::clamp(spans.start_ns[i], begin, end),
                         std::clamp(child_end, begin, end)};
    if (piece.end > piece.start) pieces.push_back(piece);
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return a.parent != b.parent ? a.parent < b.parent : a.start < b.start;
  });
  return pieces;
}

struct SelfTime {
  std::int64_t start, duration;
};

// `at` stands on the first piece of `id` or of a later operator, and is moved behind them.
SelfTime SelfTimeOf(const trace::Trace& trace, SpanId id, std::vector<Piece>::const_iterator& at,
                    std::vector<Piece>::const_iterator last) {
  const std::int64_t begin = trace.spans.start_ns[id - 1];
  SelfTime self = {begin, trace.spans.duration_ns[id - 1]};
  std::int64_t covered_to = begin;
  bool leads = true;  // Children have covered everything since the start.
  for (; at != last && at->parent == id; ++at) {
    if (leads && at->start > covered_to) leads = false;
    self.duration -= std::max<std::int64_t>(0, at->end - std::max(at->start, covered_to));
    covered_to = std::max(covered_to, at->end);
    if (leads) self.start = covered_to;
  }
  return self;
}

}  // namespace

void AddNativeKernels(trace::Trace& trace) {
  if (!SawKernels(trace)) return;
  const std::vector<SpanId> native = FindNative(trace);
  const std::vector<Piece> pieces = CoveredPieces(trace, native);
  trace::TraceWriter writer(trace);
  auto piece = pieces.begin();
  for (const SpanId id : native) {
    const SelfTime self = SelfTimeOf(trace, id, piece, pieces.end());
    const std::string type(trace.Text(trace.spans.type[id - 1]));
    const SpanId kernel = writer.AddSpan({.level = trace::Level::kKernel,
                                          .type = trace::type::kNative,
                                          .name = type,
                                          .track = trace.spans.track[id - 1],
                                          .start_ns = self.start,
                                          .duration_ns = self.duration,
                                          .parent = id});
    if (kernel == 0) continue;
    trace.spans.placed_by[kernel - 1] = trace::PlacedBy::kNesting;
  }
}

}  // namespace xsp::correlate
