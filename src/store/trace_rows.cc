#include "store/trace_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/utf8.h"

namespace xsp::store {
namespace {

using trace::Trace;
using Dictionary = std::shared_ptr<const StringDictionary>;

SourceColumn Bigint(std::string name, FillColumn fill) {
  return {std::move(name), DUCKDB_TYPE_BIGINT, std::move(fill)};
}

SourceColumn Double(std::string name, FillColumn fill) {
  return {std::move(name), DUCKDB_TYPE_DOUBLE, std::move(fill)};
}

template <typename Value>
SourceColumn Boolean(std::string name, Value value) {
  return {std::move(name), DUCKDB_TYPE_BOOLEAN,
          [value](std::size_t first, std::size_t count, duckdb_vector out) {
            auto* data = static_cast<bool*>(duckdb_vector_get_data(out));
            for (std::size_t i = 0; i < count; ++i) data[i] = value(first + i);
          }};
}

SourceColumn Text(std::string name, FillColumn fill) {
  return {std::move(name), DUCKDB_TYPE_VARCHAR, std::move(fill)};
}

/// The names of an enumeration of `count` values that starts at 0.
template <typename Enum>
Dictionary NamesOf(std::size_t count) {
  return std::make_shared<StringDictionary>(
      count, [](std::size_t i) { return trace::ToString(static_cast<Enum>(i)); });
}

/// A text column of which every row has a string of its own.
template <typename Get>
FillColumn FillOwnText(std::size_t rows, Get get) {
  const auto dictionary = std::make_shared<StringDictionary>(rows, get);
  return FillText(dictionary, [](std::size_t row) { return row; });
}

RowSource SpanRows(const Trace& trace, const Dictionary& strings) {
  const trace::SpanTable& spans = trace.spans;
  const auto levels = NamesOf<trace::Level>(trace::kLevelCount);
  const auto placed_by = NamesOf<trace::PlacedBy>(7);
  return {
      spans.size(),
      {Bigint("id", FillBigint([](std::size_t i) { return i + 1; })),
       Bigint("parent_id", FillBigint([&spans](std::size_t i) { return spans.parent[i]; })),
       Text("level",
            FillText(levels, [&spans](std::size_t i) { return static_cast<int>(spans.level[i]); })),
       Text("type", FillText(strings, [&spans](std::size_t i) { return spans.type[i]; })),
       Text("name", FillText(strings, [&spans](std::size_t i) { return spans.name[i]; })),
       Bigint("track_id", FillBigint([&spans](std::size_t i) { return spans.track[i]; })),
       Bigint("start_ns", FillBigint([&spans](std::size_t i) { return spans.start_ns[i]; })),
       Bigint("duration_ns",
              FillBigintOrNull([&spans](std::size_t i) { return spans.duration_ns[i]; },
                               trace::kNeverEnded)),
       Text("placed_by",
            FillText(placed_by,
                     [&spans](std::size_t i) { return static_cast<int>(spans.placed_by[i]); })),
       Bigint("correlation_id",
              FillBigintOrNull([&spans](std::size_t i) { return spans.correlation_id[i]; }, 0))}};
}

RowSource TrackRows(const Trace& trace) {
  const auto& tracks = trace.tracks;
  const auto optional = [&tracks](std::int64_t trace::Track::*member) {
    return FillBigintOrNull([&tracks, member](std::size_t i) { return tracks[i].*member; },
                            trace::kNotApplicable);
  };
  return {tracks.size(),
          {Bigint("id", FillBigint([](std::size_t i) { return i + 1; })),
           Text("kind",
                FillText(NamesOf<trace::TrackKind>(6),
                         [&tracks](std::size_t i) { return static_cast<int>(tracks[i].kind); })),
           Text("name", FillOwnText(tracks.size(),
                                    [&tracks](std::size_t i) -> std::string_view {
                                      return tracks[i].name;
                                    })),
           Bigint("process_id", optional(&trace::Track::process_id)),
           Bigint("thread_id", optional(&trace::Track::thread_id)),
           Bigint("device", optional(&trace::Track::device)),
           Bigint("stream", optional(&trace::Track::stream)),
           Bigint("rank", optional(&trace::Track::rank)),
           Boolean("is_reference", [&tracks](std::size_t i) { return tracks[i].is_reference; })}};
}

RowSource MetricRows(const Trace& trace, const Dictionary& strings) {
  const trace::MetricTable& metrics = trace.metrics;
  return {metrics.size(),
          {Bigint("span_id", FillBigint([&metrics](std::size_t i) { return metrics.span[i]; })),
           Text("name", FillText(strings, [&metrics](std::size_t i) { return metrics.name[i]; })),
           Double("value", FillDouble([&metrics](std::size_t i) { return metrics.value[i]; })),
           Text("unit", FillText(strings, [&metrics](std::size_t i) { return metrics.unit[i]; })),
           Text("provenance",
                FillText(strings, [&metrics](std::size_t i) { return metrics.provenance[i]; }))}};
}

RowSource AttributeRows(const Trace& trace, const Dictionary& strings) {
  const trace::AttributeTable& table = trace.attributes;
  return {table.size(),
          {Bigint("span_id", FillBigint([&table](std::size_t i) { return table.span[i]; })),
           Text("key", FillText(strings, [&table](std::size_t i) { return table.key[i]; })),
           Text("value", FillText(strings, [&table](std::size_t i) { return table.value[i]; }))}};
}

RowSource ArgumentRows(const Trace& trace) {
  const trace::ArgumentTable& table = trace.arguments;
  const auto fill = [&trace, &table](std::size_t first, std::size_t count, duckdb_vector out) {
    trace::ArgumentTable::Cursor cursor(table, first);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      cursor.Next(trace.strings, text);
      const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
      if (!ascii) text = base::ToCleanUtf8(text);
      duckdb_vector_assign_string_element_len(out, i, text.data(), text.size());
    }
  };
  return {table.size(),
          {Bigint("span_id", FillBigint([&table](std::size_t i) { return table.span(i); })),
           Text("arguments", fill)}};
}

RowSource CounterRows(const Trace& trace, const Dictionary& strings) {
  const trace::CounterTable& table = trace.counters;
  return {table.size(),
          {Bigint("track_id", FillBigint([&table](std::size_t i) { return table.track[i]; })),
           Text("name", FillText(strings, [&table](std::size_t i) { return table.name[i]; })),
           Bigint("time_ns", FillBigint([&table](std::size_t i) { return table.time_ns[i]; })),
           Double("value", FillDouble([&table](std::size_t i) { return table.value[i]; })),
           Text("unit", FillText(strings, [&table](std::size_t i) { return table.unit[i]; }))}};
}

RowSource MarkRows(const Trace& trace, const Dictionary& strings) {
  const auto& marks = trace.marks;
  return {marks.size(),
          {Bigint("track_id", FillBigint([&marks](std::size_t i) { return marks[i].track; })),
           Bigint("time_ns", FillBigint([&marks](std::size_t i) { return marks[i].time_ns; })),
           Text("name", FillText(strings, [&marks](std::size_t i) { return marks[i].name; }))}};
}

RowSource LinkRows(const Trace& trace) {
  const auto& links = trace.links;
  return {links.size(),
          {Bigint("from_id", FillBigint([&links](std::size_t i) { return links[i].from; })),
           Bigint("to_id", FillBigint([&links](std::size_t i) { return links[i].to; })),
           Text("kind", FillText(NamesOf<trace::LinkKind>(3), [&links](std::size_t i) {
                  return static_cast<int>(links[i].kind);
                }))}};
}

RowSource DiagnosticRows(const Trace& trace) {
  using Entry = const std::pair<const std::string, trace::Diagnostic>*;
  std::vector<Entry> entries;
  for (const auto& entry : trace.diagnostics) entries.push_back(&entry);
  const std::size_t rows = entries.size();
  const auto text = [&entries, rows](auto get) {
    return FillOwnText(
        rows, [&entries, get](std::size_t i) -> std::string_view { return get(*entries[i]); });
  };
  SourceColumn name = Text("name", text([](const auto& e) { return std::string_view(e.first); }));
  SourceColumn example =
      Text("example", text([](const auto& e) { return std::string_view(e.second.example); }));
  SourceColumn hint =
      Text("hint", text([](const auto& e) { return std::string_view(e.second.hint); }));
  SourceColumn count =
      Bigint("count", FillBigint([entries](std::size_t i) { return entries[i]->second.count; }));
  return {rows, {std::move(name), std::move(count), std::move(example), std::move(hint)}};
}

/// One column of an experiment table as DuckDB's type, checked before anything is written.
class CellColumn {
 public:
  CellColumn(const ColumnSchema& schema, const Table& table, std::optional<std::size_t> index)
      : schema_(schema), table_(table), index_(index) {}

  const Cell& At(std::size_t row) const {
    static const Cell null;
    return index_ && *index_ < table_.rows[row].size() ? table_.rows[row][*index_] : null;
  }

  bool Accepts(const Cell& cell) const {
    if (std::holds_alternative<std::monostate>(cell)) return schema_.nullable;
    if (schema_.type == "BIGINT") return std::holds_alternative<std::int64_t>(cell);
    if (schema_.type == "BOOLEAN") return std::holds_alternative<bool>(cell);
    if (schema_.type == "VARCHAR") return std::holds_alternative<std::string>(cell);
    return std::holds_alternative<double>(cell) || std::holds_alternative<std::int64_t>(cell);
  }

  SourceColumn Source() const {
    const CellColumn& self = *this;
    if (schema_.type == "BIGINT") {
      return Bigint(schema_.name, Fill<std::int64_t>([](const Cell& cell) {
                      return std::get<std::int64_t>(cell);
                    }));
    }
    if (schema_.type == "BOOLEAN") {
      return {schema_.name, DUCKDB_TYPE_BOOLEAN,
              Fill<bool>([](const Cell& cell) { return std::get<bool>(cell); })};
    }
    if (schema_.type == "VARCHAR") {
      return Text(schema_.name, [self](std::size_t first, std::size_t count, duckdb_vector out) {
        duckdb_vector_ensure_validity_writable(out);
        for (std::size_t i = 0; i < count; ++i) {
          const auto* text = std::get_if<std::string>(&self.At(first + i));
          duckdb_validity_set_row_validity(duckdb_vector_get_validity(out), i, text != nullptr);
          if (text == nullptr) continue;
          const std::string valid = base::ToCleanUtf8(*text);
          duckdb_vector_assign_string_element_len(out, i, valid.data(), valid.size());
        }
      });
    }
    return Double(schema_.name, Fill<double>([](const Cell& cell) {
                    const auto* integer = std::get_if<std::int64_t>(&cell);
                    return integer != nullptr ? static_cast<double>(*integer)
                                              : std::get<double>(cell);
                  }));
  }

 private:
  template <typename T, typename Convert>
  FillColumn Fill(Convert convert) const {
    return [self = *this, convert](std::size_t first, std::size_t count, duckdb_vector out) {
      auto* data = static_cast<T*>(duckdb_vector_get_data(out));
      duckdb_vector_ensure_validity_writable(out);
      for (std::size_t i = 0; i < count; ++i) {
        const Cell& cell = self.At(first + i);
        const bool null = std::holds_alternative<std::monostate>(cell);
        duckdb_validity_set_row_validity(duckdb_vector_get_validity(out), i, !null);
        if (!null) data[i] = convert(cell);
      }
    };
  }

  const ColumnSchema& schema_;
  const Table& table_;
  std::optional<std::size_t> index_;
};

}  // namespace

std::vector<NamedRows> TraceRows(const Trace& trace) {
  const auto strings = std::make_shared<const StringDictionary>(
      trace.strings.size(),
      [&](std::size_t i) { return trace.Text(static_cast<trace::StringId>(i)); });
  std::vector<NamedRows> tables;
  tables.push_back({"span", SpanRows(trace, strings)});
  tables.push_back({"track", TrackRows(trace)});
  tables.push_back({"metric", MetricRows(trace, strings)});
  tables.push_back({"attribute", AttributeRows(trace, strings)});
  tables.push_back({"argument", ArgumentRows(trace)});
  tables.push_back({"counter", CounterRows(trace, strings)});
  tables.push_back({"mark", MarkRows(trace, strings)});
  tables.push_back({"link", LinkRows(trace)});
  tables.push_back({"diagnostic", DiagnosticRows(trace)});
  return tables;
}

Result<RowSource> TableRows(const TableSchema& schema, const Table& table) {
  for (const std::string& name : table.columns) {
    const bool known = std::any_of(schema.columns.begin(), schema.columns.end(),
                                   [&](const ColumnSchema& column) { return column.name == name; });
    if (!known) {
      return Error{ErrorKind::kInternal,
                   fmt::format("table {} has no column {}", schema.name, name), ""};
    }
  }
  RowSource source{table.rows.size(), {}};
  for (const ColumnSchema& column : schema.columns) {
    const auto it = std::find(table.columns.begin(), table.columns.end(), column.name);
    std::optional<std::size_t> index;
    if (it != table.columns.end()) index = static_cast<std::size_t>(it - table.columns.begin());
    const CellColumn cells(column, table, index);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      if (!cells.Accepts(cells.At(row))) {
        return Error{ErrorKind::kInternal,
                     fmt::format("cell is not of type {}: table {}, column {}, row {}", column.type,
                                 schema.name, column.name, row),
                     ""};
      }
    }
    source.columns.push_back(cells.Source());
  }
  return source;
}

}  // namespace xsp::store
