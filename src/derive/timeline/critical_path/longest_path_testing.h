#ifndef XSP_DERIVE_TIMELINE_CRITICAL_PATH_LONGEST_PATH_TESTING_H_
#define XSP_DERIVE_TIMELINE_CRITICAL_PATH_LONGEST_PATH_TESTING_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "derive/timeline/critical_path/longest_path.h"
#include "derive/timeline/timeline.h"

namespace xsp::timeline::critical_path {

/// The rules of the graph, each by looking at everything, and its longest path by trying every
/// predecessor: what LongestPath() has to agree with. For tests, of one rank without records.
class LongestPathOracle {
 public:
  LongestPathOracle(const Timeline& timeline, const Dependencies& ids, std::int64_t origin_ns)
      : timeline_(timeline), origin_ns_(origin_ns) {
    const trace::SpanTable& spans = timeline.trace().spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const auto span = static_cast<trace::SpanId>(i + 1);
      const auto kind = timeline.TrackOf(span).kind;
      if (kind != trace::TrackKind::kThread || spans.level[i] < trace::Level::kLayer) continue;
      host_.push_back({spans.start_ns[i], spans.start_ns[i] + spans.duration_ns[i],
                       ids.ThreadOf(spans.track[i]), span, WaitingOf(timeline.NameOf(span))});
    }
    for (const Device& device : timeline.devices())
      for (const DeviceSpan& span : device.spans) {
        const bool is_launched = span.launch != 0;
        work_.push_back({span.start_ns, span.end_ns,
                         is_launched ? spans.start_ns[span.launch - 1] : span.start_ns,
                         is_launched ? ids.ThreadOf(spans.track[span.launch - 1]) : kNoThread,
                         span.launch, spans.track[span.span - 1], span.activity, span.span});
      }
  }

  struct Path {
    std::int64_t length_ns = 0;
    std::vector<Segment> segments;
  };

  Path Longest(const Point& at) {
    if (at.time_ns <= origin_ns_) return {at.time_ns - origin_ns_, {}};
    const auto key = std::tuple(at.time_ns, at.thread, at.work);
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    const Path path = at.work == kNoWork ? BeforeThread(at) : BeforeWork(at);
    known_[key] = path;
    return path;
  }

 private:
  struct Host {
    std::int64_t start, end;
    ThreadId thread;
    trace::SpanId span;
    Waiting waiting;
  };
  struct DeviceWork {
    std::int64_t start, end, launched;
    ThreadId thread;
    trace::SpanId launch;
    trace::TrackId track;
    Activity activity;
    trace::SpanId span;
  };

  /// The longest of the paths over each predecessor, with the edge to `to` that all weigh alike.
  Path Over(const std::vector<Point>& predecessors, std::int64_t to_ns, Segment edge,
            const std::vector<Kind>& kinds = {}) {
    std::int64_t done = predecessors.empty() ? origin_ns_ : predecessors.front().time_ns;
    for (const Point& point : predecessors) done = std::max(done, point.time_ns);
    Path best;
    for (std::size_t i = 0; i < predecessors.size(); ++i) {
      Path path = Longest(predecessors[i]);
      if (i > 0 && path.length_ns <= best.length_ns) continue;
      best = std::move(path);
      if (!kinds.empty()) edge.kind = kinds[i];
    }
    best.length_ns += to_ns - done;
    edge.start_ns = std::max(done, origin_ns_);
    edge.end_ns = to_ns;
    if (edge.start_ns < edge.end_ns) best.segments.push_back(edge);
    return best;
  }

  bool IsInside(ThreadId thread, std::int64_t time) const {
    return std::any_of(host_.begin(), host_.end(), [&](const Host& host) {
      return host.thread == thread && host.start < time && time < host.end;
    });
  }

  bool SameDevice(const DeviceWork& a, const DeviceWork& b) const {
    return timeline_.trace().tracks[a.track - 1].device ==
           timeline_.trace().tracks[b.track - 1].device;
  }

  /// Work on `track` that was launched before `launched`, up to the first that ended after `ended`;
  /// of it, what ended last; -1: none.
  int LastOn(trace::TrackId track, std::int64_t launched, std::int64_t ended) const {
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(work_.size()); ++i)
      if (Work(i).track == track && Work(i).launched < launched) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return Work(a).launched < Work(b).launched; });
    int last = -1;
    for (const int i : order) {
      if (Work(i).end > ended) break;
      if (last < 0 || Work(i).end >= Work(last).end) last = i;
    }
    return last;
  }

  std::vector<trace::TrackId> Streams() const {
    std::vector<trace::TrackId> tracks;
    for (const DeviceWork& work : work_)
      if (std::find(tracks.begin(), tracks.end(), work.track) == tracks.end())
        tracks.push_back(work.track);
    return tracks;
  }

  int AwaitedBy(const Host& call) const {
    int awaited = -1;
    const auto consider = [&](int i) {
      if (i < 0 || Work(i).end <= call.start || Work(i).start >= call.end) return;
      if (awaited < 0 || Work(i).end > Work(awaited).end) awaited = i;
    };
    if (call.waiting == Waiting::kOwnWork) {
      for (int i = 0; i < static_cast<int>(work_.size()); ++i)
        if (Work(i).launch == call.span && Work(i).activity == Activity::kCopy &&
            Work(i).end <= call.end)
          consider(i);
      return awaited;
    }
    if (call.waiting == Waiting::kNothing || call.waiting == Waiting::kNextLaunch) return -1;
    const bool all = call.waiting == Waiting::kDevice;
    for (const trace::TrackId track : Streams())
      consider(
          LastOn(track, call.start, all ? std::numeric_limits<std::int64_t>::max() : call.end));
    return awaited;
  }

  /// The call after which `work` was the first launch of its thread made its stream wait.
  int AwaitedOf(int work) const {
    int awaited = -1;
    for (const Host& call : host_) {
      if (call.waiting != Waiting::kNextLaunch || Work(work).thread != call.thread) continue;
      bool is_next = Work(work).launched >= call.end;
      for (int i = 0; i < static_cast<int>(work_.size()); ++i)
        is_next =
            is_next && !(Work(i).thread == call.thread && Work(i).launched >= call.end &&
                         std::pair(Work(i).launched, i) < std::pair(Work(work).launched, work));
      if (!is_next) continue;
      for (int i = 0; i < static_cast<int>(work_.size()); ++i) {
        if (Work(i).track == Work(work).track || !SameDevice(Work(i), Work(work))) continue;
        if (LastOn(Work(i).track, call.start, Work(work).start) != i) continue;
        if (awaited < 0 || Work(i).end > Work(awaited).end) awaited = i;
      }
    }
    return awaited;
  }

  Path BeforeWork(const Point& at) {
    const DeviceWork& work = Work(at.work);
    const std::int64_t start = std::min(work.start, at.time_ns);
    std::vector<Point> before;
    std::vector<Kind> kinds;
    for (int i = 0; i < at.work; ++i) {
      if (Work(i).track != work.track) continue;
      before.push_back({std::min(Work(i).end, start), kNoThread, i});
      kinds.push_back(Kind::kGap);
    }
    if (const int awaited = AwaitedOf(at.work); awaited >= 0) {
      before.push_back({Work(awaited).end, kNoThread, awaited});
      kinds.push_back(Kind::kGap);
    }
    if (work.thread != kNoThread) {
      before.push_back({std::min(work.launched, start), work.thread, kNoWork});
      kinds.push_back(Kind::kLaunch);
    }
    Segment edge = {0, 0, Kind::kGap, work.span, kNoThread};
    Path path = Over(before, start, edge, kinds);
    const Kind kind = work.activity == Activity::kCopy            ? Kind::kCopy
                      : work.activity == Activity::kCommunication ? Kind::kCommunication
                                                                  : Kind::kCompute;
    path.length_ns += at.time_ns - start;
    if (at.time_ns > std::max(start, origin_ns_))
      path.segments.push_back(
          {std::max(start, origin_ns_), at.time_ns, kind, work.span, kNoThread});
    return path;
  }

  Path BeforeThread(const Point& at) {
    Segment edge = {0, 0, Kind::kHost, 0, at.thread};
    std::int64_t block = at.time_ns;
    for (bool grows = true; grows;) {
      grows = false;
      for (const Host& host : host_) {
        if (host.thread != at.thread || host.start >= block || host.end < block ||
            (host.end == block && block != at.time_ns))
          continue;
        block = host.start;
        grows = true;
      }
    }
    if (block == at.time_ns) {
      std::vector<Point> before;
      for (const Host& host : host_)
        if (host.end <= at.time_ns && host.end > host.start && !IsInside(host.thread, host.end))
          before.push_back({host.end, host.thread, kNoWork});
      return Over(before, at.time_ns, edge);
    }
    // The latest wait in the block; where none is, its start.
    std::int64_t returned = block;
    std::vector<Point> before = {{block, at.thread, kNoWork}};
    for (const Host& host : host_) {
      if (host.thread != at.thread || host.end > at.time_ns || host.end <= returned) continue;
      const int awaited = AwaitedBy(host);
      if (awaited < 0) continue;
      returned = host.end;
      // The thread itself was there when the call began, which was before the work ended.
      before = {{std::min(host.end, Work(awaited).end), kNoThread, awaited},
                {host.start, host.thread, kNoWork}};
    }
    return Over(before, at.time_ns, edge);
  }

  const DeviceWork& Work(int i) const { return work_[static_cast<std::size_t>(i)]; }

  const Timeline& timeline_;
  std::int64_t origin_ns_;
  std::vector<Host> host_;
  std::vector<DeviceWork> work_;
  std::map<std::tuple<std::int64_t, ThreadId, WorkId>, Path> known_;
};

}  // namespace xsp::timeline::critical_path

#endif  // XSP_DERIVE_TIMELINE_CRITICAL_PATH_LONGEST_PATH_TESTING_H_
