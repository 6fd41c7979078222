#ifndef XSP_ANSWER_TRACE_FORMATS_EXPORTED_RUN_H_
#define XSP_ANSWER_TRACE_FORMATS_EXPORTED_RUN_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/trace_formats/exported_tracks.h"
#include "core/progress.h"
#include "core/result.h"
#include "os/interrupt.h"
#include "store/database.h"

namespace xsp::trace_formats {

/// A metric or attribute of a span.
struct SpanDetail {
  std::string key;
  bool is_number = false;
  double number = 0;  ///< Of a metric.
  std::string text;   ///< Of an attribute.
};

/// One end of an arrow between two spans.
struct SpanFlow {
  std::int64_t other_id = 0;  ///< The span at the other end.
  bool is_launch = false;     ///< From a launching call to its work; else a row of table `link`.
};

/// What is read beside the columns of a span.
struct SpanExtras {
  std::vector<SpanDetail> details;            ///< By key.
  std::vector<SpanFlow> flows_out, flows_in;  ///< By id of the other span.
};

struct ExportedSpan {
  std::int64_t id = 0, parent_id = 0, track_id = 0, start_ns = 0;
  std::int64_t duration_ns = 0;     ///< Below 0: never ended.
  std::int64_t correlation_id = 0;  ///< 0: none.
  std::string_view level, type, name;
  const SpanExtras* extras = nullptr;  ///< Null: none were asked for, or there are none.

  bool HasEnded() const { return duration_ns >= 0; }
  /// The largest number for a span that never ended.
  std::int64_t EndNs() const;
};

struct ExportedCounter {
  std::int64_t track_id = 0, time_ns = 0;
  double value = 0;
  std::string_view name, unit;
};

/// A stored run for whoever writes it in another format: its tracks, and a stream of its spans and
/// counters that needs little memory however many there are.
///
/// Threading: one thread at a time.
class ExportedRun {
 public:
  /// Who watches an export, borrowed; null: nobody.
  struct Observer {
    core::Progress* progress = nullptr;
    const os::Interrupts* interrupts = nullptr;
  };

  /// Spans that are sorted at once.
  static constexpr std::int64_t kSliceSpans = std::int64_t{1} << 18;

  /// The run in `folder`. Errors: kBadInput (not a run, a damaged file).
  static Result<ExportedRun> Open(const std::filesystem::path& folder, Observer observer);
  static Result<ExportedRun> Open(const std::filesystem::path& folder) {
    return Open(folder, Observer{});
  }

  const std::string& name() const { return name_; }  ///< EXPERIMENT/RUN.
  const ExportedTracks& tracks() const { return tracks_; }
  std::int64_t span_count() const { return span_count_; }
  /// The earliest time of a span or counter, ns on the run's clock; 0 without any.
  std::int64_t first_ns() const { return first_ns_; }
  /// Whether the run's clock counts from 1970, UTC.
  bool is_since_1970() const { return is_since_1970_; }
  /// From first_ns() to `time_ns`.
  std::int64_t SinceFirst(std::int64_t time_ns) const;
  /// `time_ns` of the run's clock in ns since 1970: as it is if that is what the clock counts; else
  /// first_ns() is when the run started, by its run.json, or 0 if that is not known.
  std::int64_t SinceEpoch(std::int64_t time_ns) const;

  enum class Extras { kNone, kAll };

  /// Calls `visit` for each span in the order of track, start, end (the longest first), level
  /// (application first) and id. Texts are valid during the call. Errors: kBadInput (a damaged
  /// file), kInterrupted, and that of `visit`.
  Status EachSpan(Extras extras, const std::function<Status(const ExportedSpan&)>& visit,
                  std::int64_t slice_spans = kSliceSpans) const;

  /// Calls `visit` for each value of a counter, in the order in which they are stored.
  Status EachCounter(const std::function<Status(const ExportedCounter&)>& visit) const;

 private:
  explicit ExportedRun(store::Database database) : database_(std::move(database)) {}
  Status ReadFacts(const std::filesystem::path& folder);
  /// Reports progress. Errors: kInterrupted.
  Status Watch(std::int64_t spans_done) const;

  store::Database database_;
  Observer observer_;
  std::string name_;
  ExportedTracks tracks_;
  std::int64_t span_count_ = 0, first_ns_ = 0;
  bool is_since_1970_ = false;
  std::int64_t started_ns_ = 0;  // Since 1970; 0: not known.
};

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_EXPORTED_RUN_H_
