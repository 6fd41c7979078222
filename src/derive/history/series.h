#ifndef XSP_DERIVE_HISTORY_SERIES_H_
#define XSP_DERIVE_HISTORY_SERIES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/collector.h"
#include "core/result.h"

namespace xsp::history {

/// What is followed over time.
struct Metric {
  enum class Kind : std::uint8_t {
    kLatency,     ///< Of an unprofiled model call, ns.
    kThroughput,  ///< Items per second: batch size / latency.
    kMemory,      ///< Peak of what the framework allocates in a call, bytes.
    kDevice,      ///< Sum of the durations of device work in a call, ns.
    kLayer,       ///< Of one layer, ns in a call: device time where it has some.
  };
  Kind kind = Kind::kLatency;
  std::string layer = {};  ///< Of kLayer: its name, path or node.

  std::string Name() const;       ///< As ParseMetric() takes it.
  std::string_view Unit() const;  ///< "ns", "items/s" or "byte".
  bool LowerIsBetter() const { return kind != Kind::kThroughput; }
};

/// "latency", "throughput", "memory", "device" or "layer:NAME". Error: kUsage.
Result<Metric> ParseMetric(std::string_view text);

/// What all experiments of a series have in common.
struct SeriesKey {
  std::string model;
  std::string backend;  ///< Without its version, which may change.
  std::string device, precision;
  std::optional<std::int64_t> batch;
  std::string settings;  ///< JSON object, without what only concerns how long it was measured.
  std::string machine;   ///< "AMD EPYC, 2 threads"; "not known" of imported files that lack it.

  auto operator<=>(const SeriesKey&) const = default;
};

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// One experiment of a series.
struct Entry {
  std::string experiment;
  std::filesystem::path path;
  std::string created;  ///< RFC 3339, UTC.
  std::int64_t point_id = 0;
  bool is_only_point = true;  ///< Of its experiment.
  double value = kNotKnown;   ///< In the metric's unit. Above 0.
  double low = kNotKnown;     ///< Of its 95 % interval; NaN: not known.
  double high = kNotKnown;
  std::int64_t processes = 0;    ///< With unprofiled calls.
  std::optional<bool> was_busy;  ///< Other programs used the machine; nothing: not known.
  std::string session = {};      ///< Experiments that alternated share one; empty: measured alone.
  bool has_own_date = true;      ///< Else `created` is the time of the file.
  bool is_in_future = false;     ///< Dated later than now: a clock was wrong.
  std::vector<collect::Fact> facts = {};  ///< Stack, backend, model file and version of XSP.
};

struct Series {
  SeriesKey key;
  std::vector<Entry> entries;  ///< Oldest first.
};

/// An experiment that is in no series, though it may belong to one.
struct LeftOut {
  std::string experiment;
  std::string created;  ///< Empty: not known.
  std::string reason;
};

struct History {
  Metric metric;
  std::size_t experiments = 0;  ///< In the store.
  std::vector<Series> series;   ///< In the order of their keys.
  std::vector<LeftOut> left_out;
};

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_SERIES_H_
