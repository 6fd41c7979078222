#include "store/timeline_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "store/duckdb_connection.h"
#include "store/sql_text.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

/// Labels, each once.
class Labels {
 public:
  std::uint32_t Add(std::string_view level, std::string_view name) {
    key_.assign(level);
    key_ += '\n';
    key_ += name;
    const auto [found, is_new] =
        places_.try_emplace(key_, static_cast<std::uint32_t>(labels_.size()));
    if (is_new) labels_.push_back({std::string(level), std::string(name)});
    return found->second;
  }
  std::vector<TimelineLabel> Take() { return std::move(labels_); }

 private:
  std::string key_;
  std::unordered_map<std::string, std::uint32_t> places_;
  std::vector<TimelineLabel> labels_;
};

/// Numbers for the lanes of several tracks.
class LaneNumbers {
 public:
  std::size_t Of(const TimelineBlock& block) {
    return numbers_.try_emplace({block.track, block.lane}, numbers_.size()).first->second;
  }

 private:
  std::map<std::pair<std::int64_t, std::uint8_t>, std::size_t> numbers_;
};

std::vector<TimelineBlock> Merged(const std::vector<TimelineBlock>& blocks, std::int64_t origin_ns,
                                  std::int64_t bucket_ns) {
  BlockMerger merger(origin_ns, bucket_ns);
  LaneNumbers numbers;
  for (const TimelineBlock& block : blocks) merger.Add(numbers.Of(block), block);
  return merger.Finish();
}

/// By start; a span before those within it.
void SortByStart(std::vector<TimelineBlock>& blocks) {
  std::sort(blocks.begin(), blocks.end(), [](const TimelineBlock& a, const TimelineBlock& b) {
    return std::tie(a.start_ns, b.end_ns, a.longest) < std::tie(b.start_ns, a.end_ns, b.longest);
  });
}

/// The columns of blocks in every SELECT below.
TimelineBlock BlockOfRow(const RowBatch& rows, std::size_t row, Labels& labels) {
  return {.start_ns = rows.Integer(0, row),
          .end_ns = rows.Integer(1, row),
          .busy_ns = rows.Integer(5, row),
          .longest_ns = rows.Integer(7, row),
          .longest = rows.Integer(6, row),
          .track = rows.Integer(2, row),
          .spans = rows.Integer(4, row),
          .label = labels.Add(rows.Text(8, row), rows.Text(9, row)),
          .lane = static_cast<std::uint8_t>(rows.Integer(3, row))};
}

std::string ReadParquet(const fs::path& file) {
  return fmt::format("read_parquet({})", Quoted(WithoutWildcards(file.string())));
}

}  // namespace

struct TimelineReader::State {
  fs::path folder;
  DuckDb db;
  std::int64_t finest_ns = 0;  ///< 0: no levels of detail.
  std::vector<LaneTotal> lanes = {};
  std::int64_t origin_ns = 0, end_ns = 0;
  /// Of a run without levels of detail: every span, by start.
  std::vector<TimelineBlock> old_spans = {};
  std::vector<TimelineLabel> old_labels = {};

  std::string BlocksFrom() const {
    return fmt::format(
        "SELECT start_ns, end_ns, track_id, lane, spans, busy_ns, longest_id, longest_ns, level, "
        "name FROM {}",
        ReadParquet(folder / fmt::format("{}.parquet", kBlockTable)));
  }

  Status Damaged(const Error& error) const {
    return Error{ErrorKind::kBadInput,
                 fmt::format("damaged file in {}: {}", folder.string(), error.what),
                 "The run has to be measured or imported again; other runs are not affected."};
  }

  Status Append(const std::string& sql, Labels& labels, std::vector<TimelineBlock>& blocks) const {
    const Status read = db.Scan(sql, [&](const RowBatch& rows) -> Status {
      for (std::size_t row = 0; row < rows.size(); ++row)
        blocks.push_back(BlockOfRow(rows, row, labels));
      return Ok{};
    });
    return read.ok() ? read : Damaged(read.error());
  }

  void SumLanes(const std::vector<TimelineBlock>& blocks) {
    std::map<std::pair<std::int64_t, std::uint8_t>, LaneTotal> totals;
    for (const TimelineBlock& block : blocks) {
      const auto [found, is_new] = totals.try_emplace({block.track, block.lane}, block);
      if (is_new) continue;
      LaneTotal& total = found->second;
      total.start_ns = std::min(total.start_ns, block.start_ns);
      total.end_ns = std::max(total.end_ns, block.end_ns);
      total.busy_ns += block.busy_ns;
      total.spans += block.spans;
    }
    for (const auto& [lane, total] : totals) {
      origin_ns = lanes.empty() ? total.start_ns : std::min(origin_ns, total.start_ns);
      end_ns = lanes.empty() ? total.end_ns : std::max(end_ns, total.end_ns);
      lanes.push_back(total);
    }
  }

  Status OpenLevels(const fs::path& file) {
    const auto widths = db.Query(
        fmt::format("SELECT min(stats_min_value::BIGINT), max(stats_max_value::BIGINT) FROM "
                    "parquet_metadata({}) WHERE path_in_schema = 'bucket_ns'",
                    Quoted(WithoutWildcards(file.string()))),
        ErrorKind::kBadInput);
    if (!widths.ok()) return Damaged(widths.error());
    const auto* finest = std::get_if<std::int64_t>(&widths.value().rows.at(0)[0]);
    const auto* coarsest = std::get_if<std::int64_t>(&widths.value().rows.at(0)[1]);
    if (finest == nullptr || coarsest == nullptr) return Ok{};  // No spans.
    finest_ns = *finest;
    Labels labels;
    std::vector<TimelineBlock> blocks;
    XSP_RETURN_IF_ERROR(
        Append(fmt::format("{} WHERE bucket_ns = {}", BlocksFrom(), *coarsest), labels, blocks));
    SumLanes(blocks);
    return Ok{};
  }

  /// Reads all spans of a run that has no levels of detail, and lays them out.
  Status OpenSpans(const fs::path& file) {
    const auto count =
        db.Query(fmt::format("SELECT count(*) FROM {}", ReadParquet(file)), ErrorKind::kBadInput);
    if (!count.ok()) return Damaged(count.error());
    if (const auto spans = std::get<std::int64_t>(count.value().rows.at(0)[0]);
        spans > kMaxOldSpans)
      return Error{ErrorKind::kBadInput,
                   fmt::format("an older XSP stored this run without levels of detail, and it is "
                               "too large to make them now: {} spans, at most {}: {}",
                               spans, kMaxOldSpans, folder.string()),
                   "Import its files again, or measure it again."};
    Labels labels;
    XSP_RETURN_IF_ERROR(Append(
        fmt::format("SELECT start_ns, start_ns + coalesce(duration_ns, 0), track_id, "
                    "0::BIGINT, 1::BIGINT, coalesce(duration_ns, 0), id, coalesce(duration_ns, "
                    "0), level, name FROM {}",
                    ReadParquet(file)),
        labels, old_spans));
    SortByStart(old_spans);
    std::map<std::int64_t, LaneFinder> finders;
    for (TimelineBlock& span : old_spans)
      span.lane = finders[span.track].Next(span.start_ns, span.end_ns);
    old_labels = labels.Take();
    SumLanes(old_spans);
    return Ok{};
  }

  Status ReadOld(std::int64_t from_ns, std::int64_t to_ns, TimelineTile& tile) const {
    for (const TimelineBlock& span : old_spans)
      if (span.start_ns < to_ns && span.end_ns >= from_ns) tile.blocks.push_back(span);
    tile.labels = old_labels;
    return Ok{};
  }

  Status ReadSpans(std::int64_t from_ns, std::int64_t to_ns, TimelineTile& tile) const {
    Labels labels;
    // Longer ones that began before are single blocks of the finest level.
    const std::int64_t first = from_ns - finest_ns;
    XSP_RETURN_IF_ERROR(Append(
        fmt::format("SELECT start_ns, start_ns + coalesce(duration_ns, 0), track_id, lane, "
                    "1::BIGINT, coalesce(duration_ns, 0), id, coalesce(duration_ns, 0), level, "
                    "name FROM {} WHERE start_ns >= {} AND start_ns < {} AND start_ns + "
                    "coalesce(duration_ns, 0) >= {}",
                    ReadParquet(folder / "span.parquet"), first, to_ns, from_ns),
        labels, tile.blocks));
    XSP_RETURN_IF_ERROR(
        Append(fmt::format("{} WHERE bucket_ns = {} AND start_ns < {} AND end_ns >= {} AND spans "
                           "= 1 AND busy_ns >= {}",
                           BlocksFrom(), finest_ns, first, from_ns, finest_ns),
               labels, tile.blocks));
    SortByStart(tile.blocks);
    tile.labels = labels.Take();
    return Ok{};
  }

  Status ReadLevel(std::int64_t from_ns, std::int64_t to_ns, std::int64_t level_ns,
                   TimelineTile& tile) const {
    Labels labels;
    XSP_RETURN_IF_ERROR(
        Append(fmt::format("{} WHERE bucket_ns = {} AND start_ns < {} AND end_ns >= {}",
                           BlocksFrom(), level_ns, to_ns, from_ns),
               labels, tile.blocks));
    tile.labels = labels.Take();
    return Ok{};
  }
};

TimelineReader::TimelineReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
TimelineReader::TimelineReader(TimelineReader&&) noexcept = default;
TimelineReader& TimelineReader::operator=(TimelineReader&&) noexcept = default;
TimelineReader::~TimelineReader() = default;

Result<TimelineReader> TimelineReader::Open(const fs::path& folder) {
  // One thread: a tile reads little, and a server makes several at once.
  XSP_TRY(DuckDb db, DuckDb::Open(1));
  // A reader is used for many tiles: footers are read once, and buffers stay within a bound.
  XSP_RETURN_IF_ERROR(db.Execute("SET parquet_metadata_cache=true; SET memory_limit='512MB'"));
  auto state = std::make_unique<State>(State{.folder = folder, .db = std::move(db)});
  std::error_code error;
  if (const fs::path blocks = folder / fmt::format("{}.parquet", kBlockTable);
      fs::exists(blocks, error)) {
    XSP_RETURN_IF_ERROR(state->OpenLevels(blocks));
  } else if (const fs::path spans = folder / "span.parquet"; fs::exists(spans, error)) {
    XSP_RETURN_IF_ERROR(state->OpenSpans(spans));
  }
  return TimelineReader(std::move(state));
}

const std::vector<LaneTotal>& TimelineReader::lanes() const { return state_->lanes; }
std::int64_t TimelineReader::origin_ns() const { return state_->origin_ns; }
std::int64_t TimelineReader::end_ns() const { return state_->end_ns; }

Result<TimelineTile> TimelineReader::Tile(std::int64_t from_ns, std::int64_t to_ns,
                                          std::int64_t bucket_ns) const {
  TimelineTile tile;
  tile.bucket_ns = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, bucket_ns))));
  if (state_->lanes.empty()) return tile;
  const std::int64_t finest = state_->finest_ns;
  if (finest == 0) {
    XSP_RETURN_IF_ERROR(state_->ReadOld(from_ns, to_ns, tile));
  } else if (tile.bucket_ns < finest) {
    XSP_RETURN_IF_ERROR(state_->ReadSpans(from_ns, to_ns, tile));
  } else {
    std::int64_t level = finest;
    while (level <= tile.bucket_ns / 4 && level <= state_->end_ns - state_->origin_ns) level *= 4;
    XSP_RETURN_IF_ERROR(state_->ReadLevel(from_ns, to_ns, level, tile));
  }
  tile.blocks = Merged(tile.blocks, state_->origin_ns, tile.bucket_ns);
  while (tile.blocks.size() > kMaxBlocks && tile.bucket_ns < to_ns - from_ns) {
    tile.bucket_ns *= 2;
    tile.blocks = Merged(tile.blocks, state_->origin_ns, tile.bucket_ns);
  }
  if (tile.blocks.size() > kMaxBlocks) {
    tile.omitted = static_cast<std::int64_t>(tile.blocks.size() - kMaxBlocks);
    tile.blocks.resize(kMaxBlocks);
  }
  return tile;
}

}  // namespace xsp::store
