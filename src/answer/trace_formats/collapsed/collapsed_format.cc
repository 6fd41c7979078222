// Writes a run as collapsed stacks (https://github.com/brendangregg/FlameGraph): one line for each
// call path, with its self time.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/text_numbers.h"
#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/track_lanes.h"
#include "core/result.h"
#include "core/utf8.h"

namespace xsp::trace_formats::collapsed {
namespace {

constexpr auto kIgnoreEnd = [](std::size_t, const TrackLanes::OpenSpan&) {};
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// `text` as the name of a frame: a semicolon would end the frame, a line feed the stack.
std::string FrameName(std::string_view text) {
  std::string name = core::ToCleanUtf8(text);
  for (char& c : name) {
    if (c == ';') c = ':';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return name.empty() ? "(no name)" : name;
}

class Writer {
 public:
  Writer(const ExportedRun& run, OutputFile& out) : run_(run), out_(out) {}

  Status Write() {
    XSP_RETURN_IF_ERROR(
        run_.EachSpan(ExportedRun::Extras::kNone, [&](const ExportedSpan& span) -> Status {
          AddSpan(span);
          return Ok{};
        }));
    for (const Node& node : nodes_) {
      if (node.self_ns == 0) continue;
      XSP_RETURN_IF_ERROR(out_.Append(PathOf(node) + fmt::format(" {}\n", node.self_ns)));
    }
    return Ok{};
  }

 private:
  /// A call path.
  struct Node {
    std::uint32_t parent;
    std::uint32_t frame;
    std::uint64_t self_ns = 0;  // Sums of a strange file may need more than 63 bits.
  };

  void AddSpan(const ExportedSpan& span) {
    // Without an end there is no time to show.
    if (!span.HasEnded()) return;
    if (span.track_id != track_id_) lanes_.Finish(kIgnoreEnd);
    track_id_ = span.track_id;
    const std::size_t lane = lanes_.Find(span.start_ns, span.EndNs(), kIgnoreEnd);
    const TrackLanes::OpenSpan* outer = lanes_.Top(lane);
    const std::uint32_t parent = outer == nullptr ? RootOf(lane) : outer->tag;
    const std::uint32_t node = Child(parent, FrameName(span.name));
    const auto duration_ns = static_cast<std::uint64_t>(span.duration_ns);
    nodes_[node].self_ns += duration_ns;
    if (outer != nullptr) nodes_[parent].self_ns -= duration_ns;
    lanes_.Push(lane, span.EndNs(), node);
  }

  std::uint32_t RootOf(std::size_t lane) {
    const std::string& label = run_.tracks().Get(track_id_).label;
    return Child(kNone, FrameName(lane == 0 ? label : fmt::format("{} ({})", label, lane + 1)));
  }

  std::uint32_t Child(std::uint32_t parent, const std::string& name) {
    const std::uint32_t frame = frames_.NumberOf(name);
    const auto [found, is_new] =
        children_.try_emplace({parent, frame}, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({parent, frame});
    return found->second;
  }

  std::string PathOf(const Node& node) const {
    std::vector<std::uint32_t> frames = {node.frame};
    for (std::uint32_t at = node.parent; at != kNone; at = nodes_[at].parent)
      frames.push_back(nodes_[at].frame);
    std::string path;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      path += (path.empty() ? "" : ";") + frames_.texts()[*frame];
    return path;
  }

  const ExportedRun& run_;
  OutputFile& out_;
  TextNumbers frames_;
  std::vector<Node> nodes_;  // Before their children.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> children_;
  TrackLanes lanes_;
  std::int64_t track_id_ = 0;
};

Status Write(const ExportedRun& run, OutputFile& out) { return Writer(run, out).Write(); }

}  // namespace

extern const TraceFormatSpec kSpec;
constinit const TraceFormatSpec kSpec = {
    .name = "collapsed",
    .summary = "Collapsed stacks (text) for flame graphs: call paths with their self time in ns",
    .extension = ".collapsed.txt",
    .write = Write,
};

}  // namespace xsp::trace_formats::collapsed
