#ifndef XSP_ANSWER_TRACE_FORMATS_TRACK_LANES_H_
#define XSP_ANSWER_TRACE_FORMATS_TRACK_LANES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xsp::trace_formats {

/// Divides the spans of one track among lanes in which spans nest: other programs' formats have one
/// stack per thread, but spans of a track may overlap without one containing the other. Nearly all
/// spans lie in lane 0.
///
/// Spans come in the order of their start, of equal starts the longest first. `close` is called for
/// each span that ended, as (lane, span), within a lane in the order of the ends.
class TrackLanes {
 public:
  struct OpenSpan {
    std::int64_t end_ns;
    std::uint32_t tag;  // The caller's.
  };

  /// The first lane whose innermost open span at `start_ns` lasts until `end_ns` or later.
  template <typename Close>
  std::size_t Find(std::int64_t start_ns, std::int64_t end_ns, Close close) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      std::vector<OpenSpan>& open = lanes_[lane];
      while (!open.empty() && open.back().end_ns <= start_ns) {
        close(lane, std::as_const(open).back());
        open.pop_back();
      }
      if (open.empty() || end_ns <= open.back().end_ns) return lane;
    }
    lanes_.emplace_back();
    return lanes_.size() - 1;
  }

  /// The innermost open span of a lane that Find() returned; null: none.
  const OpenSpan* Top(std::size_t lane) const {
    return lanes_[lane].empty() ? nullptr : &lanes_[lane].back();
  }

  /// Opens a span in the lane that Find() returned for it.
  void Push(std::size_t lane, std::int64_t end_ns, std::uint32_t tag) {
    lanes_[lane].push_back({end_ns, tag});
  }

  /// Ends the track: closes all that is open.
  template <typename Close>
  void Finish(Close close) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      for (auto span = lanes_[lane].rbegin(); span != lanes_[lane].rend(); ++span)
        close(lane, std::as_const(*span));
    lanes_.clear();
  }

 private:
  std::vector<std::vector<OpenSpan>> lanes_;
};

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_TRACK_LANES_H_
