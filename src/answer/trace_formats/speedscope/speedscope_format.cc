// Writes a run in speedscope's own format (https://www.speedscope.app/file-format-schema.json): an
// evented profile for each track.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/json_text.h"
#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/text_numbers.h"
#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/track_lanes.h"
#include "core/result.h"

namespace xsp::trace_formats::speedscope {
namespace {

struct Event {
  std::int64_t at_ns;
  std::uint32_t frame;
  bool is_open;
};

class Writer {
 public:
  Writer(const ExportedRun& run, OutputFile& out) : run_(run), out_(out) {}

  Status Write() {
    XSP_RETURN_IF_ERROR(out_.Append(fmt::format(
        R"({{"$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "xsp",
"name": {}, "profiles": [)",
        JsonQuoted(run_.name()))));
    XSP_RETURN_IF_ERROR(run_.EachSpan(ExportedRun::Extras::kNone,
                                      [&](const ExportedSpan& span) { return AddSpan(span); }));
    XSP_RETURN_IF_ERROR(FinishTrack());
    // Frames are known at the end only; the order of members does not matter in JSON.
    XSP_RETURN_IF_ERROR(out_.Append("],\n\"shared\": {\"frames\": ["));
    std::string_view separator = "\n";
    for (const std::string& name : frames_.texts()) {
      XSP_RETURN_IF_ERROR(
          out_.Append(fmt::format(R"({}{{"name": {}}})", separator, JsonQuoted(name))));
      separator = ",\n";
    }
    return out_.Append("]}}\n");
  }

 private:
  Status AddSpan(const ExportedSpan& span) {
    if (!is_open_ || span.track_id != track_id_) {
      XSP_RETURN_IF_ERROR(FinishTrack());
      track_id_ = span.track_id;
      is_open_ = true;
      XSP_RETURN_IF_ERROR(BeginProfile(0));
    }
    const std::size_t lane = lanes_.Find(
        span.start_ns, span.EndNs(),
        [&](std::size_t of, const TrackLanes::OpenSpan& open) { Close(of, open, open.end_ns); });
    const std::uint32_t frame = frames_.NumberOf(span.name);
    lanes_.Push(lane, span.EndNs(), frame);
    Add(lane, {span.start_ns, frame, true});
    if (span.HasEnded() && span.EndNs() > last_ns_) last_ns_ = span.EndNs();
    if (span.start_ns > last_ns_) last_ns_ = span.start_ns;
    return WriteEvents();
  }

  void Add(std::size_t lane, const Event& event) {
    if (lane == 0) {
      events_.push_back(event);
    } else {
      if (more_lanes_.size() < lane) more_lanes_.resize(lane);
      more_lanes_[lane - 1].push_back(event);
    }
  }

  void Close(std::size_t lane, const TrackLanes::OpenSpan& open, std::int64_t end_ns) {
    Add(lane, {end_ns, open.tag, false});
  }

  /// Profiles are contiguous, so those of further lanes wait for the end of the track.
  Status FinishTrack() {
    if (!std::exchange(is_open_, false)) return Ok{};
    lanes_.Finish([&](std::size_t lane, const TrackLanes::OpenSpan& open) {
      Close(lane, open, open.end_ns < last_ns_ ? open.end_ns : last_ns_);
    });
    XSP_RETURN_IF_ERROR(WriteEvents());
    XSP_RETURN_IF_ERROR(EndProfile());
    for (std::size_t lane = 0; lane < more_lanes_.size(); ++lane) {
      XSP_RETURN_IF_ERROR(BeginProfile(lane + 1));
      events_ = std::move(more_lanes_[lane]);
      XSP_RETURN_IF_ERROR(WriteEvents());
      XSP_RETURN_IF_ERROR(EndProfile());
    }
    more_lanes_.clear();
    last_ns_ = run_.first_ns();
    return Ok{};
  }

  Status BeginProfile(std::size_t lane) {
    const std::string& label = run_.tracks().Get(track_id_).label;
    const std::string name = lane == 0 ? label : fmt::format("{} ({})", label, lane + 1);
    is_first_event_ = true;
    return out_.Append(fmt::format(
        R"({}{{"type": "evented", "name": {}, "unit": "nanoseconds", "startValue": 0, "events": [)",
        std::exchange(is_first_profile_, false) ? "\n" : ",\n", JsonQuoted(name)));
  }

  Status EndProfile() {
    return out_.Append(fmt::format(R"(], "endValue": {}}})", run_.SinceFirst(last_ns_)));
  }

  Status WriteEvents() {
    for (const Event& event : events_)
      XSP_RETURN_IF_ERROR(out_.Append(
          fmt::format(R"({}{{"type": "{}", "frame": {}, "at": {}}})",
                      std::exchange(is_first_event_, false) ? "\n" : ",\n",
                      event.is_open ? 'O' : 'C', event.frame, run_.SinceFirst(event.at_ns))));
    events_.clear();
    return Ok{};
  }

  const ExportedRun& run_;
  OutputFile& out_;
  TextNumbers frames_;
  TrackLanes lanes_;
  std::int64_t track_id_ = 0;
  std::int64_t last_ns_ = run_.first_ns();  // Of the track: where what never ended is closed.
  bool is_open_ = false, is_first_profile_ = true, is_first_event_ = true;
  std::vector<Event> events_;                   // Of the profile that is being written.
  std::vector<std::vector<Event>> more_lanes_;  // From the second lane on.
};

Status Write(const ExportedRun& run, OutputFile& out) { return Writer(run, out).Write(); }

}  // namespace

extern const TraceFormatSpec kSpec;
constinit const TraceFormatSpec kSpec = {
    .name = "speedscope",
    .summary = "speedscope (JSON): a flame graph over time for each track",
    .extension = ".speedscope.json",
    .write = Write,
};

}  // namespace xsp::trace_formats::speedscope
