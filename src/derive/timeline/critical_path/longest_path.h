#ifndef XSP_DERIVE_TIMELINE_CRITICAL_PATH_LONGEST_PATH_H_
#define XSP_DERIVE_TIMELINE_CRITICAL_PATH_LONGEST_PATH_H_

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "derive/timeline/critical_path/dependencies.h"

namespace xsp::timeline::critical_path {

enum class Kind : std::uint8_t {
  kHost,     ///< A thread in operators, calls or between them.
  kLaunch,   ///< From the start of a launch to the start of its work.
  kCompute,  ///< Device work, by activity.
  kCommunication,
  kCopy,
  kSynchronisation,  ///< A thread in a call that waits, where no work that it waits for is known.
  kGap,              ///< From the end of device work to the start of what came next; nothing known.
};
inline constexpr int kKindCount = 7;

/// "host", "launch", ...
std::string_view ToString(Kind kind);

/// A segment of the path.
struct Segment {
  std::int64_t start_ns = 0, end_ns = 0;
  Kind kind = Kind::kHost;
  trace::SpanId span = 0;       ///< Device: the work; launch and gap: the work that starts then.
  ThreadId thread = kNoThread;  ///< Host: where.
};

/// A moment of a thread, or of device work.
struct Point {
  std::int64_t time_ns = 0;
  ThreadId thread = kNoThread;
  WorkId work = kNoWork;  ///< kNoWork: the thread's.
};

/// The chain of dependent work from `origin_ns` to `end`, in order of time; it covers that time
/// without gap or overlap.
///
/// It is found backwards. What happens at a point had to wait for its predecessors; the one that
/// was done last made it late, so the path comes from there:
///   - device work starts after its launch started, the work before it on its stream ended, and
///     the work that its stream was made to wait for ended;
///   - a call that waits comes back after the work that it waits for ended;
///   - a thread in operators or calls goes on from what it did before;
///   - a thread that starts an operator after a pause starts it after the operators that ended
///     last, be it on another thread: autograd's goes on where the main one stopped, and back.
/// This is the longest path of the graph whose edges weigh the time from the moment at which the
/// last predecessor was done to the point: whoever was done earlier is charged nothing for waiting.
/// O(n) in blocks, waits and work.
std::vector<Segment> LongestPath(const Dependencies& dependencies, std::int64_t origin_ns,
                                 Point end);

/// Calls `visit` for each segment of it, the last one first, and stores none.
void WalkLongestPath(const Dependencies& dependencies, std::int64_t origin_ns, Point end,
                     const std::function<void(const Segment&)>& visit);

}  // namespace xsp::timeline::critical_path

#endif  // XSP_DERIVE_TIMELINE_CRITICAL_PATH_LONGEST_PATH_H_
