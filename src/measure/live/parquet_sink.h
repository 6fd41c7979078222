#ifndef XSP_MEASURE_LIVE_PARQUET_SINK_H_
#define XSP_MEASURE_LIVE_PARQUET_SINK_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "measure/live/live_sink.h"
#include "store/live_tables.h"

namespace xsp::live {

/// Appends spans, tracks, metrics and attributes to live tables, a file of each table every
/// kInterval or kPartRows rows. What cannot be written (disk full) is tried again with the next
/// file, and dropped and counted beyond 2 * kPartRows rows.
class ParquetSink final : public LiveSink {
 public:
  static constexpr std::chrono::seconds kInterval{5};
  static constexpr std::size_t kPartRows = 100'000;

  ParquetSink(store::LiveTables tables, std::string experiment)
      : tables_(std::move(tables)), experiment_(std::move(experiment)) {}

  void Write(LiveBatch& batch) override;
  void Tick() override;
  void Close() override;
  void EndAt(std::chrono::steady_clock::time_point) override {}

 private:
  void Add(const std::string& run, std::int64_t span_id, const LiveMetric& metric);
  void Add(const std::string& run, std::int64_t span_id, const LiveAttribute& attribute);
  void Flush(bool is_last);
  template <typename Row>
  bool Append(std::vector<Row>& rows, bool is_last);

  store::LiveTables tables_;
  bool has_failed_ = false;  // The last file; the next try is when rows are due.
  const std::string experiment_;
  std::vector<store::LiveSpanRow> spans_;
  std::vector<store::LiveTrackRow> tracks_;
  std::vector<store::LiveMetricRow> metrics_;
  std::vector<store::LiveAttributeRow> attributes_;
  std::chrono::steady_clock::time_point next_ =
      {};  // When rows are due; of the past: there are none.
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_PARQUET_SINK_H_
