#include "store/trace_rows.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/utf8.h"
#include "store/kernel_layers.h"
#include "store/schema.h"
#include "store/timeline_blocks.h"
#include "store/timeline_lanes.h"

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

/// A text column of entry `index(row)` of `strings`.
template <typename Index>
SourceColumn TextOf(std::string name, std::shared_ptr<const StringSet> strings, Index index) {
  const auto fill = [set = strings.get(), index](std::size_t first, std::size_t count,
                                                 duckdb_vector out) {
    set->Fill(count, out, [&](std::size_t row) { return index(first + row); });
  };
  return {std::move(name), DUCKDB_TYPE_VARCHAR, fill, std::move(strings)};
}

/// A text column of the value `value(row)` of an enumeration of `count` values that starts at 0.
template <typename Enum, typename Value>
SourceColumn EnumText(std::string name, std::size_t count, Value value) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.emplace_back(ToString(static_cast<Enum>(i)));
  return TextOf(std::move(name), std::make_shared<StringSet>(names),
                [value](std::size_t row) { return static_cast<std::size_t>(value(row)); });
}

/// Columns of ids of a trace's string pool.
class PoolText {
 public:
  explicit PoolText(const Trace& trace) : trace_(trace) {}

  /// The string whose id stands at `row` of `ids`. The column borrows `ids`; so do those below.
  SourceColumn Column(std::string name, const trace::Column<trace::StringId>& ids) {
    return Column(std::move(name), ids.size(), [&ids](std::size_t row) { return ids[row]; });
  }

  /// The same of `id(row)` in `rows` rows. Where there are too many distinct ones for a set, DuckDB
  /// gets all strings of the pool as a dictionary.
  template <typename Id>
  SourceColumn Column(std::string name, std::size_t rows, Id id) {
    constexpr std::uint32_t kUnused = 0xFFFFFFFF;
    constexpr std::size_t kMostOfASet = 16384;
    auto place = std::make_shared<std::vector<std::uint32_t>>(trace_.strings.size(), kUnused);
    std::vector<std::string> texts;
    std::unordered_map<std::string, std::uint32_t> place_of;  // Two may be one when made clean.
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t& at = (*place)[id(row)];
      if (at != kUnused) continue;
      std::string text = core::ToCleanUtf8(trace_.Text(id(row)));
      at = place_of.try_emplace(text, static_cast<std::uint32_t>(texts.size())).first->second;
      if (at == texts.size()) texts.push_back(std::move(text));
      if (texts.size() > kMostOfASet) {
        has_dictionary_ = true;
        return Text(std::move(name), FillText(WholePool(), id));
      }
    }
    return TextOf(std::move(name), std::make_shared<StringSet>(texts),
                  [place, id](std::size_t row) { return (*place)[id(row)]; });
  }

  /// `source`, whose columns came from here.
  RowSource Finish(RowSource source) {
    // Numbers repeat in a few columns only, and there quickly.
    if (!std::exchange(has_dictionary_, false)) source.most_distinct = 1024;
    return source;
  }

 private:
  const Dictionary& WholePool() {
    if (!dictionary_) {
      dictionary_ = std::make_shared<const StringDictionary>(
          trace_.strings.size(),
          [&](std::size_t i) { return trace_.Text(static_cast<trace::StringId>(i)); });
    }
    return dictionary_;
  }

  const Trace& trace_;
  Dictionary dictionary_;
  bool has_dictionary_ = false;  ///< A column since the last Finish() needs it.
};

/// A text column of which every row has a string of its own.
template <typename Get>
FillColumn FillOwnText(std::size_t rows, Get get) {
  const auto dictionary = std::make_shared<StringDictionary>(rows, get);
  return FillText(dictionary, [](std::size_t row) { return row; });
}

/// Lanes of a trace, found when a table first asks for them: by the thread that writes it.
class LanesOnDemand {
 public:
  explicit LanesOnDemand(const Trace& trace) : trace_(trace) {}

  const TimelineLanes& Get() {
    if (!lanes_) lanes_ = LayOutLanes(trace_.spans);
    return *lanes_;
  }
  /// What follows finds them anew.
  void Forget() { lanes_.reset(); }

 private:
  const Trace& trace_;
  std::optional<TimelineLanes> lanes_;
};

RowSource SpanRows(const Trace& trace, PoolText& text, std::shared_ptr<LanesOnDemand> lanes) {
  const trace::SpanTable& spans = trace.spans;
  return text.Finish(
      {spans.size(),
       {Bigint("id", FillBigint([](std::size_t i) { return i + 1; })),
        Bigint("parent_id", FillBigint([&spans](std::size_t i) { return spans.parent[i]; })),
        EnumText<trace::Level>("level", trace::kLevelCount,
                               [&spans](std::size_t i) { return spans.level[i]; }),
        text.Column("type", spans.type), text.Column("name", spans.name),
        Bigint("track_id", FillBigint([&spans](std::size_t i) { return spans.track[i]; })),
        Bigint("start_ns", FillBigint([&spans](std::size_t i) { return spans.start_ns[i]; })),
        Bigint("duration_ns",
               FillBigintOrNull([&spans](std::size_t i) { return spans.duration_ns[i]; },
                                trace::kNeverEnded)),
        EnumText<trace::PlacedBy>("placed_by", trace::kPlacedByCount,
                                  [&spans](std::size_t i) { return spans.placed_by[i]; }),
        Bigint("correlation_id",
               FillBigintOrNull([&spans](std::size_t i) { return spans.correlation_id[i]; }, 0)),
        Bigint("lane", FillBigint([lanes = std::move(lanes)](std::size_t i) {
                 return lanes->Get().lane[i];
               }))}});
}

/// The levels of detail, made when the first row is asked for.
class BlocksOnDemand {
 public:
  BlocksOnDemand(const Trace& trace, std::shared_ptr<LanesOnDemand> lanes)
      : trace_(trace), lanes_(std::move(lanes)) {}

  /// Goes on by at most `most` rows; returns how many there are.
  std::size_t Next(std::size_t most) {
    if (!levels_) {
      levels_ = TimelineLevels(trace_.spans, lanes_->Get());
      lanes_->Forget();
    }
    first_ += count_;
    while (level_ < levels_->size() && first_ == (*levels_)[level_].blocks.size()) {
      (*levels_)[level_++].blocks = {};
      first_ = 0;
    }
    count_ =
        level_ == levels_->size() ? 0 : std::min(most, (*levels_)[level_].blocks.size() - first_);
    return count_;
  }

  std::int64_t bucket_ns() const { return (*levels_)[level_].bucket_ns; }
  /// Row `i` of those that Next() went on by.
  const TimelineBlock& at(std::size_t i) const { return (*levels_)[level_].blocks[first_ + i]; }

 private:
  const Trace& trace_;
  std::shared_ptr<LanesOnDemand> lanes_;
  std::optional<std::vector<TimelineLevel>> levels_;
  std::size_t level_ = 0, first_ = 0, count_ = 0;
};

RowSource TimelineBlockRows(const Trace& trace, std::shared_ptr<LanesOnDemand> lanes) {
  const auto blocks = std::make_shared<BlocksOnDemand>(trace, std::move(lanes));
  const auto bigint = [blocks](std::string name, auto get) {
    return Bigint(std::move(name),
                  [blocks, get](std::size_t, std::size_t count, duckdb_vector out) {
                    FillBigint([&](std::size_t i) { return get(blocks->at(i)); })(0, count, out);
                  });
  };
  const auto text = [blocks](std::string name, auto get) {
    return Text(std::move(name), [blocks, get](std::size_t, std::size_t count, duckdb_vector out) {
      for (std::size_t i = 0; i < count; ++i) {
        std::string value(get(static_cast<std::size_t>(blocks->at(i).longest - 1)));
        if (!core::IsCleanUtf8(value)) value = core::ToCleanUtf8(value);
        duckdb_vector_assign_string_element_len(out, i, value.data(), value.size());
      }
    });
  };
  RowSource source;
  source.rows = trace.spans.size() / 12;
  source.row_group_rows = 16384;  // A tile reads one or two of them.
  source.fetch = [blocks](std::size_t most) { return blocks->Next(most); };
  source.columns = {
      bigint("bucket_ns", [blocks](const TimelineBlock&) { return blocks->bucket_ns(); }),
      bigint("start_ns", [](const TimelineBlock& block) { return block.start_ns; }),
      bigint("end_ns", [](const TimelineBlock& block) { return block.end_ns; }),
      bigint("track_id", [](const TimelineBlock& block) { return block.track; }),
      bigint("lane", [](const TimelineBlock& block) { return block.lane; }),
      bigint("spans", [](const TimelineBlock& block) { return block.spans; }),
      bigint("busy_ns", [](const TimelineBlock& block) { return block.busy_ns; }),
      bigint("longest_id", [](const TimelineBlock& block) { return block.longest; }),
      bigint("longest_ns", [](const TimelineBlock& block) { return block.longest_ns; }),
      text("level", [&trace](std::size_t row) { return trace::ToString(trace.spans.level[row]); }),
      text("name", [&trace](std::size_t row) { return trace.Text(trace.spans.name[row]); })};
  return source;
}

RowSource TrackRows(const Trace& trace) {
  const auto& tracks = trace.tracks;
  const auto optional = [&tracks](std::int64_t trace::Track::*member) {
    return FillBigintOrNull([&tracks, member](std::size_t i) { return tracks[i].*member; },
                            trace::kNotApplicable);
  };
  return {
      tracks.size(),
      {Bigint("id", FillBigint([](std::size_t i) { return i + 1; })),
       EnumText<trace::TrackKind>("kind", 6, [&tracks](std::size_t i) { return tracks[i].kind; }),
       Text("name",
            FillOwnText(tracks.size(),
                        [&tracks](std::size_t i) -> std::string_view { return tracks[i].name; })),
       Bigint("process_id", optional(&trace::Track::process_id)),
       Bigint("thread_id", optional(&trace::Track::thread_id)),
       Bigint("device", optional(&trace::Track::device)),
       Bigint("stream", optional(&trace::Track::stream)),
       Bigint("rank", optional(&trace::Track::rank)),
       Boolean("is_reference", [&tracks](std::size_t i) { return tracks[i].is_reference; })}};
}

RowSource MetricRows(const Trace& trace, PoolText& text) {
  const trace::MetricTable& metrics = trace.metrics;
  return text.Finish(
      {metrics.size(),
       {Bigint("span_id", FillBigint([&metrics](std::size_t i) { return metrics.span[i]; })),
        text.Column("name", metrics.name),
        Double("value", FillDouble([&metrics](std::size_t i) { return metrics.value[i]; })),
        text.Column("unit", metrics.unit), text.Column("provenance", metrics.provenance)}});
}

RowSource AttributeRows(const Trace& trace, PoolText& text) {
  const trace::AttributeTable& table = trace.attributes;
  return text.Finish(
      {table.size(),
       {Bigint("span_id", FillBigint([&table](std::size_t i) { return table.span[i]; })),
        text.Column("key", table.key), text.Column("value", table.value)}});
}

RowSource ArgumentRows(const Trace& trace) {
  const trace::ArgumentTable& table = trace.arguments;
  const auto fill = [&trace, &table](std::size_t first, std::size_t count, duckdb_vector out) {
    trace::ArgumentTable::Cursor cursor(table, first);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      cursor.Next(trace.strings, text);
      if (!core::IsCleanUtf8(text)) text = core::ToCleanUtf8(text);
      duckdb_vector_assign_string_element_len(out, i, text.data(), text.size());
    }
  };
  return {table.size(),
          {Bigint("span_id", FillBigint([&table](std::size_t i) { return table.span(i); })),
           Text("arguments", fill)}};
}

RowSource CounterRows(const Trace& trace, PoolText& text) {
  const trace::CounterTable& table = trace.counters;
  return text.Finish(
      {table.size(),
       {Bigint("track_id", FillBigint([&table](std::size_t i) { return table.track[i]; })),
        text.Column("name", table.name),
        Bigint("time_ns", FillBigint([&table](std::size_t i) { return table.time_ns[i]; })),
        Double("value", FillDouble([&table](std::size_t i) { return table.value[i]; })),
        text.Column("unit", table.unit)}});
}

RowSource MarkRows(const Trace& trace, PoolText& text) {
  const auto& marks = trace.marks;
  return text.Finish(
      {marks.size(),
       {Bigint("track_id", FillBigint([&marks](std::size_t i) { return marks[i].track; })),
        Bigint("time_ns", FillBigint([&marks](std::size_t i) { return marks[i].time_ns; })),
        text.Column("name", marks.size(), [&marks](std::size_t i) { return marks[i].name; })}});
}

RowSource LinkRows(const Trace& trace) {
  const auto& links = trace.links;
  RowSource source{
      links.size(),
      {Bigint("from_id", FillBigint([&links](std::size_t i) { return links[i].from; })),
       Bigint("to_id", FillBigint([&links](std::size_t i) { return links[i].to; })),
       EnumText<trace::LinkKind>("kind", 3, [&links](std::size_t i) { return links[i].kind; })}};
  source.most_distinct = 1024;
  return source;
}

RowSource CallStackRows(const Trace& trace, PoolText& text) {
  const trace::CallStackTable& table = trace.call_stacks;
  return text.Finish(
      {table.size(),
       {Bigint("id", FillBigint([](std::size_t i) { return i + 1; })),
        Bigint("parent_id",
               FillBigintOrNull([&table](std::size_t i) { return table.parent[i]; }, 0)),
        text.Column("frame", table.frame), text.Column("module", table.module)}});
}

RowSource StackSampleRows(const Trace& trace) {
  const trace::StackSampleTable& table = trace.stack_samples;
  return {table.size(),
          {Bigint("track_id", FillBigint([&table](std::size_t i) { return table.track[i]; })),
           Bigint("time_ns", FillBigint([&table](std::size_t i) { return table.time_ns[i]; })),
           EnumText<trace::StackKind>("kind", trace::kStackKindCount,
                                      [&table](std::size_t i) { return table.kind[i]; }),
           Bigint("call_stack_id",
                  FillBigintOrNull([&table](std::size_t i) { return table.stack[i]; }, 0))}};
}

RowSource KernelLayerRows(const Trace& trace) {
  // Found as they are written: only a chunk of them is needed at a time.
  struct Chunk {
    KernelLayerFinder finder;
    std::vector<KernelLayer> layers;
  };
  const auto chunk = std::make_shared<Chunk>(Chunk{KernelLayerFinder(trace), {}});
  const auto column = [](FillColumn fill) -> FillColumn {
    return [fill = std::move(fill)](std::size_t, std::size_t count, duckdb_vector out) {
      fill(0, count, out);  // Of the chunk.
    };
  };
  const auto at = [chunk](std::size_t i) -> const KernelLayer& { return chunk->layers[i]; };
  SourceColumn placed_by = EnumText<trace::PlacedBy>(
      "placed_by", kPlacementConfidence.size(),
      [at, &trace](std::size_t i) { return trace.spans.placed_by[at(i).kernel - 1]; });
  placed_by.fill = column(std::move(placed_by.fill));
  RowSource source;
  const auto& levels = trace.spans.level;
  source.rows =
      static_cast<std::size_t>(std::count(levels.begin(), levels.end(), trace::Level::kKernel));
  source.fetch = [chunk](std::size_t most) {
    chunk->finder.Next(most, chunk->layers);
    return chunk->layers.size();
  };
  source.columns = {
      Bigint("kernel_id", column(FillBigint([at](std::size_t i) { return at(i).kernel; }))),
      Bigint("layer_id",
             column(FillBigintOrNull([at](std::size_t i) { return at(i).innermost; }, 0))),
      Bigint("outermost_layer_id",
             column(FillBigintOrNull([at](std::size_t i) { return at(i).outermost; }, 0))),
      std::move(placed_by),
      Double("confidence", column(FillDouble([at](std::size_t i) { return at(i).confidence; })))};
  return source;
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
  SourceColumn kind =
      Text("kind", text([](const auto& e) { return trace::ToString(e.second.kind); }));
  SourceColumn count =
      Bigint("count", FillBigint([entries](std::size_t i) { return entries[i]->second.count; }));
  return {
      rows,
      {std::move(name), std::move(count), std::move(example), std::move(hint), std::move(kind)}};
}

}  // namespace

std::vector<NamedRows> TraceRows(const Trace& trace) {
  PoolText text(trace);
  std::vector<NamedRows> tables;
  const auto lanes = std::make_shared<LanesOnDemand>(trace);
  tables.push_back({"span", SpanRows(trace, text, lanes)});
  tables.push_back({std::string(kBlockTable), TimelineBlockRows(trace, lanes)});
  tables.push_back({"track", TrackRows(trace)});
  tables.push_back({"metric", MetricRows(trace, text)});
  tables.push_back({"attribute", AttributeRows(trace, text)});
  tables.push_back({"argument", ArgumentRows(trace)});
  tables.push_back({"counter", CounterRows(trace, text)});
  tables.push_back({"mark", MarkRows(trace, text)});
  tables.push_back({"link", LinkRows(trace)});
  tables.push_back({"call_stack", CallStackRows(trace, text)});
  tables.push_back({"stack_sample", StackSampleRows(trace)});
  tables.push_back({"kernel_layer", KernelLayerRows(trace)});
  tables.push_back({"diagnostic", DiagnosticRows(trace)});
  return tables;
}

}  // namespace xsp::store
