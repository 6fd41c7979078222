#include "store/run_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/json_text.h"
#include "store/directory.h"
#include "store/duckdb_connection.h"
#include "store/mirror.h"
#include "store/sql_text.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;
using trace::Trace;

namespace {

/// One chunk of a table, its columns by their place in the SELECT.
class Rows {
 public:
  Rows(const DataChunk& chunk, idx_t columns) : size_(chunk.size()) {
    for (idx_t i = 0; i < columns; ++i) {
      data_.push_back(duckdb_vector_get_data(chunk.vector(i)));
      validity_.push_back(duckdb_vector_get_validity(chunk.vector(i)));
    }
  }

  idx_t size() const { return size_; }
  std::int64_t Integer(idx_t column, idx_t row, std::int64_t null) const {
    return IsNull(column, row) ? null : static_cast<std::int64_t*>(data_[column])[row];
  }
  double Double(idx_t column, idx_t row) const {
    return IsNull(column, row) ? 0.0 : static_cast<double*>(data_[column])[row];
  }
  bool Truth(idx_t column, idx_t row) const {
    return !IsNull(column, row) && static_cast<bool*>(data_[column])[row];
  }
  std::string_view Text(idx_t column, idx_t row) const {
    if (IsNull(column, row)) return {};
    return StringView(static_cast<duckdb_string_t*>(data_[column])[row]);
  }

 private:
  bool IsNull(idx_t column, idx_t row) const {
    return validity_[column] != nullptr && !duckdb_validity_row_is_valid(validity_[column], row);
  }

  idx_t size_;
  std::vector<void*> data_;
  std::vector<std::uint64_t*> validity_;
};

/// Ids of a file as row numbers + 1. Ours are that already; another writer's may be any.
class Ids {
 public:
  void Add(std::int64_t id) {
    ids_.push_back(id);
    ordered_ = ordered_ && id == static_cast<std::int64_t>(ids_.size());
  }
  /// False: an id is there twice.
  bool Finish() {
    if (ordered_) return true;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (!rows_.emplace(ids_[i], static_cast<std::uint32_t>(i + 1)).second) return false;
    }
    return true;
  }
  /// 0: no such id.
  std::uint32_t Row(std::int64_t id) const {
    if (ordered_) {
      return id >= 1 && id <= static_cast<std::int64_t>(ids_.size())
                 ? static_cast<std::uint32_t>(id)
                 : 0;
    }
    const auto it = rows_.find(id);
    return it == rows_.end() ? 0 : it->second;
  }

 private:
  std::vector<std::int64_t> ids_;
  std::unordered_map<std::int64_t, std::uint32_t> rows_;
  bool ordered_ = true;
};

/// The value of an enumeration of `count` values that is stored as `text`.
template <typename Enum>
std::optional<Enum> Parse(std::string_view text, int count) {
  for (int i = 0; i < count; ++i) {
    if (trace::ToString(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

class TraceReader {
 public:
  TraceReader(const DuckDb& db, fs::path folder) : db_(db), folder_(std::move(folder)) {}

  Status ReadSpans() {
    std::vector<std::int64_t> parents, tracks;
    XSP_RETURN_IF_ERROR(Each("span",
                             {"id", "parent_id", "level", "type", "name", "track_id", "start_ns",
                              "duration_ns", "placed_by", "correlation_id"},
                             [&](const Rows& rows, idx_t i) {
                               trace::SpanTable& spans = trace_.spans;
                               const auto level =
                                   Parse<trace::Level>(rows.Text(2, i), trace::kLevelCount);
                               const auto placed_by =
                                   Parse<trace::PlacedBy>(rows.Text(8, i), trace::kPlacedByCount);
                               if (!level || !placed_by) return false;
                               spans_.Add(rows.Integer(0, i, 0));
                               parents.push_back(rows.Integer(1, i, 0));
                               spans.level.push_back(*level);
                               spans.type.push_back(Intern(rows.Text(3, i)));
                               spans.name.push_back(Intern(rows.Text(4, i)));
                               tracks.push_back(rows.Integer(5, i, 0));
                               spans.start_ns.push_back(rows.Integer(6, i, 0));
                               spans.duration_ns.push_back(rows.Integer(7, i, trace::kNeverEnded));
                               spans.placed_by.push_back(*placed_by);
                               spans.correlation_id.push_back(rows.Integer(9, i, 0));
                               return true;
                             }));
    if (!spans_.Finish()) return Damaged("span", "two spans of one id");
    for (const std::int64_t parent : parents) trace_.spans.parent.push_back(spans_.Row(parent));
    for (const std::int64_t track : tracks) {
      trace_.spans.track.push_back(tracks_read_ ? tracks_.Row(track)
                                                : static_cast<trace::TrackId>(track));
    }
    return Ok{};
  }

  Status ReadTracks() {
    tracks_read_ = true;
    XSP_RETURN_IF_ERROR(Each("track",
                             {"id", "kind", "name", "process_id", "thread_id", "device", "stream",
                              "is_reference", "rank"},
                             [&](const Rows& rows, idx_t i) {
                               const auto kind = Parse<trace::TrackKind>(rows.Text(1, i), 6);
                               if (!kind) return false;
                               constexpr std::int64_t kNone = trace::kNotApplicable;
                               tracks_.Add(rows.Integer(0, i, 0));
                               trace_.tracks.push_back(
                                   {*kind, std::string(rows.Text(2, i)), rows.Integer(3, i, kNone),
                                    rows.Integer(4, i, kNone), rows.Integer(5, i, kNone),
                                    rows.Integer(6, i, kNone), rows.Truth(7, i),
                                    rows.Integer(8, i, kNone)});
                               return true;
                             }));
    return tracks_.Finish() ? Status(Ok{}) : Damaged("track", "two tracks of one id");
  }

  Status ReadValues() {
    XSP_RETURN_IF_ERROR(Each("metric", {"span_id", "name", "value", "unit", "provenance"},
                             [&](const Rows& rows, idx_t i) {
                               trace::MetricTable& metrics = trace_.metrics;
                               const auto span = spans_.Row(rows.Integer(0, i, 0));
                               if (span == 0) return true;
                               metrics.span.push_back(span);
                               metrics.name.push_back(Intern(rows.Text(1, i)));
                               metrics.value.push_back(rows.Double(2, i));
                               metrics.unit.push_back(Intern(rows.Text(3, i)));
                               metrics.provenance.push_back(Intern(rows.Text(4, i)));
                               return true;
                             }));
    return Each("attribute", {"span_id", "key", "value"}, [&](const Rows& rows, idx_t i) {
      trace::AttributeTable& attributes = trace_.attributes;
      const auto span = spans_.Row(rows.Integer(0, i, 0));
      if (span == 0) return true;
      attributes.span.push_back(span);
      attributes.key.push_back(Intern(rows.Text(1, i)));
      attributes.value.push_back(Intern(rows.Text(2, i)));
      return true;
    });
  }

  Status ReadArguments() {
    return Each("argument", {"span_id", "arguments"}, [&](const Rows& rows, idx_t i) {
      const auto span = spans_.Row(rows.Integer(0, i, 0));
      if (span != 0) trace_.arguments.Add(span, rows.Text(1, i), trace_.strings);
      return true;
    });
  }

  Status ReadCounters(std::string_view condition) {
    return Each(
        "counter", {"track_id", "name", "time_ns", "value", "unit"},
        [&](const Rows& rows, idx_t i) {
          trace::CounterTable& counters = trace_.counters;
          counters.track.push_back(tracks_.Row(rows.Integer(0, i, 0)));
          counters.name.push_back(Intern(rows.Text(1, i)));
          counters.time_ns.push_back(rows.Integer(2, i, 0));
          counters.value.push_back(rows.Double(3, i));
          counters.unit.push_back(Intern(rows.Text(4, i)));
          return true;
        },
        condition);
  }

  Status ReadSeries() {
    XSP_RETURN_IF_ERROR(ReadCounters("true"));
    XSP_RETURN_IF_ERROR(
        Each("mark", {"track_id", "time_ns", "name"}, [&](const Rows& rows, idx_t i) {
          trace_.marks.push_back(
              {tracks_.Row(rows.Integer(0, i, 0)), rows.Integer(1, i, 0), Intern(rows.Text(2, i))});
          return true;
        }));
    XSP_RETURN_IF_ERROR(Each("link", {"from_id", "to_id", "kind"}, [&](const Rows& rows, idx_t i) {
      const auto kind = Parse<trace::LinkKind>(rows.Text(2, i), 3);
      if (!kind) return false;
      trace_.links.push_back(
          {spans_.Row(rows.Integer(0, i, 0)), spans_.Row(rows.Integer(1, i, 0)), *kind});
      return true;
    }));
    XSP_RETURN_IF_ERROR(ReadStacks());
    return Each("diagnostic", {"name", "count", "example", "hint", "kind"},
                [&](const Rows& rows, idx_t i) {
                  // NULL in runs that were stored before there were notes.
                  const auto kind =
                      Parse<trace::DiagnosticKind>(rows.Text(4, i), trace::kDiagnosticKindCount);
                  trace_.diagnostics.insert_or_assign(
                      std::string(rows.Text(0, i)),
                      trace::Diagnostic{rows.Integer(1, i, 0), std::string(rows.Text(2, i)),
                                        std::string(rows.Text(3, i)),
                                        kind.value_or(trace::DiagnosticKind::kLoss)});
                  return true;
                });
  }

  Status ReadStacks() {
    XSP_RETURN_IF_ERROR(
        Each("call_stack", {"id", "parent_id", "frame", "module"}, [&](const Rows& rows, idx_t i) {
          trace::CallStackTable& stacks = trace_.call_stacks;
          const std::int64_t parent = rows.Integer(1, i, 0);
          const auto id = static_cast<std::int64_t>(stacks.size()) + 1;
          if (rows.Integer(0, i, 0) != id || parent < 0 || parent >= id) return false;
          stacks.parent.push_back(static_cast<trace::CallStackId>(parent));
          stacks.frame.push_back(Intern(rows.Text(2, i)));
          stacks.module.push_back(Intern(rows.Text(3, i)));
          return true;
        }));
    return Each(
        "stack_sample", {"track_id", "time_ns", "kind", "call_stack_id"},
        [&](const Rows& rows, idx_t i) {
          const auto kind = Parse<trace::StackKind>(rows.Text(2, i), trace::kStackKindCount);
          const std::int64_t stack = rows.Integer(3, i, 0);
          if (!kind || stack < 0 || static_cast<std::size_t>(stack) > trace_.call_stacks.size())
            return false;
          trace::StackSampleTable& samples = trace_.stack_samples;
          samples.track.push_back(tracks_.Row(rows.Integer(0, i, 0)));
          samples.time_ns.push_back(rows.Integer(1, i, 0));
          samples.stack.push_back(static_cast<trace::CallStackId>(stack));
          samples.kind.push_back(*kind);
          return true;
        });
  }

  Status ReadJson() {
    XSP_RETURN_IF_ERROR(FetchFolder(folder_));
    XSP_TRY(const Directory directory, Inspect(folder_));
    if (directory.kind != Directory::Kind::kRun) {
      return Error{ErrorKind::kBadInput, fmt::format("not a run: {}", folder_.string()),
                   "Name a folder that holds run.json."};
    }
    const auto facts = directory.json.find("facts");
    if (facts != directory.json.end() && facts->is_object()) {
      for (const auto& [key, value] : facts->items()) {
        trace_.facts[key] = value.is_string() ? value.get<std::string>() : core::JsonText(value);
      }
    }
    const auto clock = directory.json.find("clock");
    const bool epoch = clock != directory.json.end() && clock->is_object() &&
                       clock->value("origin", nlohmann::json()) == "epoch";
    trace_.clock_origin = epoch ? trace::ClockOrigin::kEpoch : trace::ClockOrigin::kSource;
    return Ok{};
  }

  Trace Take() { return std::move(trace_); }

 private:
  trace::StringId Intern(std::string_view text) { return trace_.strings.Intern(text); }

  Error Damaged(std::string_view table, std::string_view why) const {
    return {ErrorKind::kBadInput,
            fmt::format("damaged file: {}: {}",
                        (folder_ / fmt::format("{}.parquet", table)).string(), why),
            "The run has to be measured or imported again; other runs are not affected."};
  }

  /// Calls `row` for every row of a raw table that fits `condition`; it returns false for one that
  /// makes no sense.
  template <typename Row>
  Status Each(std::string_view table, const std::vector<std::string_view>& columns, Row row,
              std::string_view condition = "true") {
    const fs::path file = folder_ / fmt::format("{}.parquet", table);
    std::error_code error;
    if (!fs::exists(file, error)) return Ok{};
    auto result =
        db_.Run(fmt::format("SELECT {} FROM read_parquet({}) WHERE {}", Typed(table, columns),
                            Quoted(WithoutWildcards(file.string())), condition),
                ErrorKind::kBadInput);
    if (!result.ok()) return Damaged(table, result.error().what);
    for (;;) {
      const DataChunk chunk(duckdb_fetch_chunk(*result.value().get()));
      if (!chunk.exists() || chunk.size() == 0) return Ok{};
      const Rows rows(chunk, columns.size());
      for (idx_t i = 0; i < rows.size(); ++i) {
        if (!row(rows, i)) return Damaged(table, "a value that this program does not know");
      }
    }
  }

  static std::string Typed(std::string_view table, const std::vector<std::string_view>& columns) {
    std::vector<std::string> casts;
    for (const std::string_view name : columns) {
      for (const ColumnSchema& column : FindTable(table)->columns) {
        if (column.name == name) {
          casts.push_back(fmt::format("CAST({} AS {})", QuotedName(name), column.type));
        }
      }
    }
    return fmt::format("{}", fmt::join(casts, ", "));
  }

  const DuckDb& db_;
  fs::path folder_;
  Trace trace_;
  Ids spans_, tracks_;
  bool tracks_read_ = false;
};

}  // namespace

struct RunReader::State {
  DuckDb db;
};

RunReader::RunReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

Result<RunReader> RunReader::Create() {
  XSP_TRY(DuckDb db, DuckDb::Open());
  return RunReader(std::make_unique<State>(State{std::move(db)}));
}

Result<Trace> RunReader::Read(const fs::path& folder) const {
  TraceReader reader(state_->db, folder);
  XSP_RETURN_IF_ERROR(reader.ReadJson());
  XSP_RETURN_IF_ERROR(reader.ReadTracks());
  XSP_RETURN_IF_ERROR(reader.ReadSpans());
  XSP_RETURN_IF_ERROR(reader.ReadValues());
  XSP_RETURN_IF_ERROR(reader.ReadArguments());
  XSP_RETURN_IF_ERROR(reader.ReadSeries());
  return reader.Take();
}

Result<Trace> RunReader::ReadSpans(const fs::path& folder) const {
  TraceReader reader(state_->db, folder);
  XSP_RETURN_IF_ERROR(reader.ReadJson());
  XSP_RETURN_IF_ERROR(reader.ReadTracks());
  XSP_RETURN_IF_ERROR(reader.ReadSpans());
  XSP_RETURN_IF_ERROR(reader.ReadValues());
  XSP_RETURN_IF_ERROR(reader.ReadCounters("unit = 'watt'"));
  return reader.Take();
}

}  // namespace xsp::store
