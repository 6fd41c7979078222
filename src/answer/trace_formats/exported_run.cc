#include "answer/trace_formats/exported_run.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unordered_map>
#include <variant>

#include "answer/trace_formats/span_extras.h"
#include "answer/trace_formats/span_slices.h"
#include "core/counted.h"
#include "store/directory.h"
#include "store/row_batch.h"
#include "store/table.h"

namespace xsp::trace_formats {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kLastNs = std::numeric_limits<std::int64_t>::max();

/// `text` as XSP writes RFC 3339 (UTC, perhaps with a fraction), in ns since 1970; 0: it is not.
std::int64_t ParseTime(const std::string& text) {
  std::tm time = {};
  double seconds = 0;
  char zone = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf%c", &time.tm_year, &time.tm_mon,
                  &time.tm_mday, &time.tm_hour, &time.tm_min, &seconds, &zone) != 7 ||
      zone != 'Z' || !(seconds >= 0 && seconds < 61) || time.tm_year < 1970 || time.tm_year > 2200)
    return 0;  // Later ns do not fit 64 bits.
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  return static_cast<std::int64_t>(timegm(&time)) * kNsPerSecond +
         static_cast<std::int64_t>(seconds * 1e9);
}

std::string SpanSql(std::string_view condition) {
  return fmt::format(R"(
      SELECT id, parent_id, track_id, start_ns, duration_ns, correlation_id, level, type, name
      FROM span WHERE {}
      ORDER BY track_id, start_ns, duration_ns DESC NULLS FIRST,
               list_position(['application', 'model', 'layer', 'library', 'kernel'], level), id)",
                     condition);
}

ExportedSpan SpanAt(const store::RowBatch& rows, std::size_t i) {
  return {.id = rows.Integer(0, i),
          .parent_id = rows.Integer(1, i),
          .track_id = rows.Integer(2, i),
          .start_ns = rows.Integer(3, i),
          .duration_ns = rows.Integer(4, i, -1),
          .correlation_id = rows.Integer(5, i),
          .level = rows.Text(6, i),
          .type = rows.Text(7, i),
          .name = rows.Text(8, i)};
}

}  // namespace

std::int64_t ExportedSpan::EndNs() const {
  std::int64_t end = 0;
  if (!HasEnded() || __builtin_add_overflow(start_ns, duration_ns, &end)) return kLastNs;
  return end;
}

Result<ExportedRun> ExportedRun::Open(const fs::path& folder, Observer observer) {
  XSP_TRY(store::Database database, store::Database::Open({folder}));
  ExportedRun run(std::move(database));
  run.observer_ = observer;
  XSP_RETURN_IF_ERROR(run.ReadFacts(folder));
  XSP_TRY(run.tracks_, ReadTracks(run.database_));
  XSP_TRY(const store::Table extent, run.database_.Query(R"(
      SELECT (SELECT count(*) FROM span),
             least((SELECT min(start_ns) FROM span), (SELECT min(time_ns) FROM counter)))"));
  const auto& row = extent.rows.front();
  run.span_count_ = std::get<std::int64_t>(row[0]);
  if (const auto* first = std::get_if<std::int64_t>(&row[1])) run.first_ns_ = *first;
  return run;
}

Status ExportedRun::ReadFacts(const fs::path& folder) {
  std::error_code error;
  fs::path absolute = fs::weakly_canonical(folder, error);
  if (error) absolute = folder;
  name_ = absolute.parent_path().filename().string() + "/" + absolute.filename().string();
  XSP_TRY(const store::Directory directory, store::Inspect(absolute));
  if (directory.kind != store::Directory::Kind::kRun)
    return Error{ErrorKind::kBadInput, fmt::format("not a run: {}", folder.string()),
                 "Name a folder that holds run.json."};
  const auto clock = directory.json.find("clock");
  is_since_1970_ = clock != directory.json.end() && clock->is_object() &&
                   clock->value("origin", nlohmann::json()) == "epoch";
  const auto started = directory.json.find("started");
  if (started != directory.json.end() && started->is_string())
    started_ns_ = ParseTime(started->get<std::string>());
  return Ok{};
}

std::int64_t ExportedRun::SinceFirst(std::int64_t time_ns) const {
  std::int64_t difference = 0;
  // Times of a strange file may be further apart than 64 bits count.
  return __builtin_sub_overflow(time_ns, first_ns_, &difference) ? kLastNs : difference;
}

std::int64_t ExportedRun::SinceEpoch(std::int64_t time_ns) const {
  if (is_since_1970_) return time_ns;
  std::int64_t sum = 0;
  return __builtin_add_overflow(started_ns_, SinceFirst(time_ns), &sum) ? kLastNs : sum;
}

Status ExportedRun::Watch(std::int64_t spans_done) const {
  if (observer_.interrupts != nullptr && observer_.interrupts->stop())
    return Error{ErrorKind::kInterrupted, "the export was interrupted", ""};
  if (observer_.progress != nullptr && span_count_ > 0)
    observer_.progress->Step(fmt::format("exporting {}", core::Counted(span_count_, "span")),
                             static_cast<double>(spans_done) / static_cast<double>(span_count_),
                             -1);
  return Ok{};
}

Status ExportedRun::EachSpan(Extras extras, const std::function<Status(const ExportedSpan&)>& visit,
                             std::int64_t slice_spans) const {
  XSP_TRY(const std::vector<SpanSlice> slices, CutSpans(database_, slice_spans));
  std::int64_t done = 0;
  for (const SpanSlice& slice : slices) {
    XSP_RETURN_IF_ERROR(Watch(done));
    std::unordered_map<std::int64_t, SpanExtras> by_id;
    if (extras == Extras::kAll) {
      XSP_TRY(by_id, ReadExtras(database_, slice.condition));
    }
    const auto visit_rows = [&](const store::RowBatch& rows) -> Status {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ExportedSpan span = SpanAt(rows, i);
        const auto found = by_id.find(span.id);
        if (found != by_id.end()) span.extras = &found->second;
        XSP_RETURN_IF_ERROR(visit(span));
      }
      done += static_cast<std::int64_t>(rows.size());
      return Ok{};
    };
    XSP_RETURN_IF_ERROR(database_.Scan(SpanSql(slice.condition), visit_rows));
  }
  return Watch(done);
}

Status ExportedRun::EachCounter(const std::function<Status(const ExportedCounter&)>& visit) const {
  return database_.Scan("SELECT track_id, time_ns, value, name, unit FROM counter",
                        [&](const store::RowBatch& rows) -> Status {
                          for (std::size_t i = 0; i < rows.size(); ++i)
                            XSP_RETURN_IF_ERROR(visit({.track_id = rows.Integer(0, i),
                                                       .time_ns = rows.Integer(1, i),
                                                       .value = rows.Double(2, i),
                                                       .name = rows.Text(3, i),
                                                       .unit = rows.Text(4, i)}));
                          return Ok{};
                        });
}

}  // namespace xsp::trace_formats
