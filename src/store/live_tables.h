#ifndef XSP_STORE_LIVE_TABLES_H_
#define XSP_STORE_LIVE_TABLES_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::store {

// Rows of raw tables that are written while a run is measured: the columns of schema.sql behind the
// names of the experiment and of its run.

struct LiveSpanRow {
  static constexpr const char* kTable = "span";
  std::string experiment, run;
  std::int64_t id = 0, parent_id = 0;
  std::string level, type, name;
  std::int64_t track_id = 0, start_ns = 0;
  std::optional<std::int64_t> duration_ns;
  std::string placed_by;
  std::optional<std::int64_t> correlation_id, lane;

  template <typename Visit>
  static void VisitColumns(Visit visit) {
    using Row = LiveSpanRow;
    visit("experiment", &Row::experiment), visit("run", &Row::run), visit("id", &Row::id);
    visit("parent_id", &Row::parent_id), visit("level", &Row::level), visit("type", &Row::type);
    visit("name", &Row::name), visit("track_id", &Row::track_id), visit("start_ns", &Row::start_ns);
    visit("duration_ns", &Row::duration_ns), visit("placed_by", &Row::placed_by);
    visit("correlation_id", &Row::correlation_id), visit("lane", &Row::lane);
  }
};

struct LiveTrackRow {
  static constexpr const char* kTable = "track";
  std::string experiment, run;
  std::int64_t id = 0;
  std::string kind, name;
  std::optional<std::int64_t> process_id, thread_id, device, stream, rank;
  std::optional<bool> is_reference;

  template <typename Visit>
  static void VisitColumns(Visit visit) {
    using Row = LiveTrackRow;
    visit("experiment", &Row::experiment), visit("run", &Row::run), visit("id", &Row::id);
    visit("kind", &Row::kind), visit("name", &Row::name), visit("process_id", &Row::process_id);
    visit("thread_id", &Row::thread_id), visit("device", &Row::device);
    visit("stream", &Row::stream), visit("rank", &Row::rank);
    visit("is_reference", &Row::is_reference);
  }
};

struct LiveMetricRow {
  static constexpr const char* kTable = "metric";
  std::string experiment, run;
  std::int64_t span_id = 0;
  std::string name;
  double value = 0;
  std::string unit, provenance;

  template <typename Visit>
  static void VisitColumns(Visit visit) {
    using Row = LiveMetricRow;
    visit("experiment", &Row::experiment), visit("run", &Row::run);
    visit("span_id", &Row::span_id), visit("name", &Row::name), visit("value", &Row::value);
    visit("unit", &Row::unit), visit("provenance", &Row::provenance);
  }
};

struct LiveAttributeRow {
  static constexpr const char* kTable = "attribute";
  std::string experiment, run;
  std::int64_t span_id = 0;
  std::string key, value;

  template <typename Visit>
  static void VisitColumns(Visit visit) {
    using Row = LiveAttributeRow;
    visit("experiment", &Row::experiment), visit("run", &Row::run);
    visit("span_id", &Row::span_id), visit("key", &Row::key), visit("value", &Row::value);
  }
};

/// Appends rows to tables that others read meanwhile: FOLDER/TABLE/PREFIX-NUMBER.parquet, each file
/// whole from the moment on that it has its name. Files of other experiments may lie beside them.
/// Nothing is synced to disk. One thread.
class LiveTables {
 public:
  /// Makes the folders, and a first file without rows in each, so that all tables can be read from
  /// then on. `prefix`: part of file names, unique in the folder. Errors: kEnvironment (not
  /// writable, disk full).
  static Result<LiveTables> Create(const std::filesystem::path& folder, const std::string& prefix);
  LiveTables(LiveTables&&) noexcept;
  LiveTables& operator=(LiveTables&&) = delete;
  ~LiveTables();

  /// Writes one file of its table; none without rows. Errors: kEnvironment (disk full), and nothing
  /// of the file remains.
  template <typename Row>
  Status Append(const std::vector<Row>& rows);

 private:
  struct State;
  explicit LiveTables(std::unique_ptr<State> state);
  template <typename Row>
  Status WriteFile(const std::vector<Row>& rows);

  std::unique_ptr<State> state_;
};

extern template Status LiveTables::Append(const std::vector<LiveSpanRow>&);
extern template Status LiveTables::Append(const std::vector<LiveTrackRow>&);
extern template Status LiveTables::Append(const std::vector<LiveMetricRow>&);
extern template Status LiveTables::Append(const std::vector<LiveAttributeRow>&);

}  // namespace xsp::store

#endif  // XSP_STORE_LIVE_TABLES_H_
