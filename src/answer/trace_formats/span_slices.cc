#include "answer/trace_formats/span_slices.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <variant>

#include "store/table.h"

namespace xsp::trace_formats {
namespace {

/// Cuts one track at quantiles of the starts of its spans.
Status CutTrack(const store::Database& run, std::int64_t track, std::int64_t spans,
                std::int64_t slice_spans, std::vector<SpanSlice>& slices) {
  const std::int64_t pieces = (spans + slice_spans - 1) / slice_spans;
  std::string shares;
  for (std::int64_t i = 1; i < pieces; ++i)
    shares += fmt::format("{}{}", i == 1 ? "" : ", ",
                          static_cast<double>(i) / static_cast<double>(pieces));
  XSP_TRY(const store::Table cuts, run.Query(fmt::format(R"(
      WITH quantile AS (
        SELECT quantile_disc(start_ns, [{}]) AS cuts FROM span WHERE track_id = {})
      SELECT DISTINCT cut FROM (SELECT unnest(cuts) AS cut FROM quantile) ORDER BY cut)",
                                                         shares, track)));
  std::string from;
  for (const auto& row : cuts.rows) {
    const std::int64_t cut = std::get<std::int64_t>(row[0]);
    if (cut == std::numeric_limits<std::int64_t>::min()) continue;
    slices.push_back(
        {fmt::format("track_id = {}{} AND start_ns < {}", track, from, cut), spans / pieces});
    from = fmt::format(" AND start_ns >= {}", cut);
  }
  slices.push_back({fmt::format("track_id = {}{}", track, from), spans / pieces});
  return Ok{};
}

}  // namespace

Result<std::vector<SpanSlice>> CutSpans(const store::Database& run, std::int64_t slice_spans) {
  XSP_TRY(const store::Table tracks,
          run.Query("SELECT track_id, count(*) AS spans FROM span GROUP BY track_id ORDER BY 1"));
  std::vector<SpanSlice> slices;
  std::int64_t first = 0, last = 0, collected = 0;
  const auto end_slice = [&] {
    if (collected > 0)
      slices.push_back({fmt::format("track_id BETWEEN {} AND {}", first, last), collected});
    collected = 0;
  };
  for (const auto& row : tracks.rows) {
    const std::int64_t track = std::get<std::int64_t>(row[0]);
    const std::int64_t spans = std::get<std::int64_t>(row[1]);
    if (collected + spans > slice_spans) end_slice();
    if (spans > slice_spans) {
      XSP_RETURN_IF_ERROR(CutTrack(run, track, spans, slice_spans, slices));
      continue;
    }
    if (collected == 0) first = track;
    last = track;
    collected += spans;
  }
  end_slice();
  return slices;
}

}  // namespace xsp::trace_formats
