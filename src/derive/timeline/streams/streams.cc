#include "derive/timeline/streams/streams.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "store/rows/concurrency_row.h"
#include "store/rows/stream_row.h"

namespace xsp::timeline::streams {
namespace {

class Sweep {
 public:
  Sweep(const Timeline& timeline, const Device& device)
      : timeline_(timeline), device_(device), index_(timeline.trace().tracks.size(), kNone) {
    now_ns_ = device.start_ns;
    found_.concurrency.push_back({-1, {}});
    for (const StepWindow& window : device.windows) found_.concurrency.push_back({window.step, {}});
  }

  Streams Run() && {
    for (const DeviceSpan& span : device_.spans) {
      const std::size_t stream = IndexOf(span);
      Count(span, found_.streams[stream]);
      if (span.end_ns == span.start_ns) continue;
      EndUntil(span.start_ns);
      PassTo(span.start_ns);
      std::int64_t& busy_until = busy_until_[stream];
      if (busy_until <= now_ns_) {
        running_.emplace(span.end_ns, stream);
        ids_of_running_ += stream;
        ++number_;
      }
      const std::int64_t more_from = std::max(busy_until, span.start_ns);
      if (span.end_ns > more_from) {
        found_.streams[stream].busy_ns += span.end_ns - more_from;
        busy_until = span.end_ns;
      }
    }
    EndUntil(device_.end_ns);
    PassTo(device_.end_ns);  // Where spans of no length are the last.
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t IndexOf(const DeviceSpan& span) {
    const trace::TrackId track = timeline_.trace().spans.track[span.span - 1];
    std::size_t& index = index_[track - 1];
    if (index == kNone) {
      index = found_.streams.size();
      found_.streams.emplace_back();
      found_.streams.back().track = track;
      found_.streams.back().start_ns = span.start_ns;
      found_.streams.back().end_ns = span.end_ns;
      busy_until_.push_back(device_.start_ns);
    }
    return index;
  }

  static void Count(const DeviceSpan& span, Stream& stream) {
    ++stream.spans;
    stream.sum_ns[static_cast<std::size_t>(span.activity)] += span.end_ns - span.start_ns;
    stream.end_ns = std::max(stream.end_ns, span.end_ns);
  }

  /// Takes out the streams that run nothing any more at `time_ns`.
  void EndUntil(std::int64_t time_ns) {
    while (!running_.empty() && running_.top().first <= time_ns) {
      const auto [end_ns, stream] = running_.top();
      running_.pop();
      if (busy_until_[stream] > end_ns) {
        // More of its work has started meanwhile.
        running_.emplace(busy_until_[stream], stream);
        continue;
      }
      PassTo(end_ns);
      ids_of_running_ -= stream;
      --number_;
    }
  }

  /// Counts the time from now on, in which the same streams run.
  void PassTo(std::int64_t time_ns) {
    if (time_ns <= now_ns_) return;
    if (!device_.has_counted_calls) Count(found_.concurrency.front(), time_ns - now_ns_);
    const std::vector<StepWindow>& windows = device_.windows;
    while (window_ < windows.size() && windows[window_].end_ns <= now_ns_) ++window_;
    for (std::size_t i = window_; i < windows.size() && windows[i].start_ns < time_ns; ++i) {
      const std::int64_t ns =
          std::min(time_ns, windows[i].end_ns) - std::max(now_ns_, windows[i].start_ns);
      Count(found_.concurrency[i + 1], ns);
      if (device_.has_counted_calls) Count(found_.concurrency.front(), ns);
    }
    if (number_ == 1) found_.streams[ids_of_running_].alone_ns += time_ns - now_ns_;
    now_ns_ = time_ns;
  }

  void Count(Concurrency& concurrency, std::int64_t ns) const {
    if (concurrency.ns.size() <= number_) concurrency.ns.resize(number_ + 1);
    concurrency.ns[number_] += ns;
  }

  const Timeline& timeline_;
  const Device& device_;
  Streams found_;
  std::vector<std::size_t> index_;        ///< By track: of the stream.
  std::vector<std::int64_t> busy_until_;  ///< By stream.
  using End = std::pair<std::int64_t, std::size_t>;
  /// The streams that run something, each once, by an end of it that is not too late.
  std::priority_queue<End, std::vector<End>, std::greater<>> running_;
  std::size_t number_ = 0;
  std::size_t ids_of_running_ = 0;  ///< Sum: of a single one, itself.
  std::size_t window_ = 0;
  std::int64_t now_ns_ = 0;
};

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  for (const Device& device : timeline.devices()) {
    const Streams found = FindStreams(timeline, device);
    for (const Stream& stream : found.streams) {
      const trace::Track& track = timeline.trace().tracks[stream.track - 1];
      const auto sum_ns = [&](Activity activity) {
        return stream.sum_ns[static_cast<std::size_t>(activity)];
      };
      rows.Add(store::StreamRow{.run_id = rows.run_id(),
                                .rank = ApplicableOrNull(device.rank),
                                .device = ApplicableOrNull(device.device),
                                .stream = ApplicableOrNull(track.stream),
                                .name = track.name,
                                .spans = stream.spans,
                                .busy_ns = stream.busy_ns,
                                .alone_ns = stream.alone_ns,
                                .compute_ns = sum_ns(Activity::kCompute),
                                .communication_ns = sum_ns(Activity::kCommunication),
                                .copy_ns = sum_ns(Activity::kCopy),
                                .start_ns = stream.start_ns,
                                .end_ns = stream.end_ns});
    }
    for (const Concurrency& concurrency : found.concurrency) {
      for (std::size_t streams = 0; streams < concurrency.ns.size(); ++streams) {
        if (concurrency.ns[streams] == 0) continue;
        rows.Add(
            store::ConcurrencyRow{.run_id = rows.run_id(),
                                  .rank = ApplicableOrNull(device.rank),
                                  .device = ApplicableOrNull(device.device),
                                  .step = ApplicableOrNull(timeline.NumberOf(concurrency.step)),
                                  .streams = static_cast<std::int64_t>(streams),
                                  .duration_ns = concurrency.ns[streams]});
      }
    }
  }
}

}  // namespace

Streams FindStreams(const Timeline& timeline, const Device& device) {
  return Sweep(timeline, device).Run();
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "streams",
    .summary = "What each stream of a device did, and how many ran at once",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::streams
