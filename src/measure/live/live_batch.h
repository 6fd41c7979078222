#ifndef XSP_MEASURE_LIVE_LIVE_BATCH_H_
#define XSP_MEASURE_LIVE_LIVE_BATCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xsp::live {

struct LiveMetric {
  std::string name;
  double value = 0;
  std::string unit, provenance;
};

struct LiveAttribute {
  std::string key, value;
};

/// A span as it is known while the program still runs. All ids are unique among the recordings that
/// one LiveReader follows, above 0, and other ones than in the run that is stored later.
struct LiveSpan {
  std::int64_t id = 0, parent_id = 0, track_id = 0;  ///< No parent: 0.
  std::string run;                                   ///< "recorded", "b1-kernel".
  std::string level, type, name;                     ///< As in table `span`.
  std::int64_t start_ns = 0;                         ///< ns since 1970.
  std::optional<std::int64_t> duration_ns;           ///< None: it never ended.
  std::int64_t correlation_id = 0;                   ///< 0: none.
  std::vector<LiveMetric> metrics;
  std::vector<LiveAttribute> attributes;
};

/// As in table `track`.
struct LiveTrack {
  std::int64_t id = 0;
  std::string run, kind, name;
  std::int64_t process_id = 0;
  std::optional<std::int64_t> thread_id, device, stream;
};

/// A metric or an attribute of a span that was handed over in an earlier batch.
struct LateDetail {
  std::int64_t span_id = 0;
  std::string run;
  std::optional<LiveMetric> metric;
  std::optional<LiveAttribute> attribute;
};

/// What was new since the last batch. A track comes before or with its first span.
struct LiveBatch {
  std::vector<LiveTrack> tracks;
  std::vector<LiveSpan> spans;
  std::vector<LateDetail> late;

  bool empty() const { return tracks.empty() && spans.empty() && late.empty(); }
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LIVE_BATCH_H_
