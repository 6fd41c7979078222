#include "answer/report/outlier_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

/// A layer is an outlier where it reaches less than this of what its type reaches (the median).
constexpr double kOfTheUsual = 0.25;
/// Of the time of all kernels, below which outliers together are not worth a sentence.
constexpr double kMatters = 0.1;
constexpr std::size_t kMostNamed = 3;

}  // namespace

Result<std::vector<Sentence>> OutlierSentences(const store::Database& database,
                                               std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH work AS (
        SELECT layer_index, sum(duration_ns) AS ns,
               sum(greatest(
                 coalesce(flops / (SELECT max(value) FROM roof WHERE kind = 'flops' AND used AND roof.dtype = k.dtype
                                     AND roof.unit = k.unit), 0),
                 coalesce((read_bytes + write_bytes) / (SELECT max(value) FROM roof WHERE kind = 'bandwidth' AND used), 0)))
                 * 1e9 AS ideal_ns
        FROM kernel k WHERE point_id = {0} AND layer_index IS NOT NULL GROUP BY layer_index
        HAVING ns > 0 AND ideal_ns > 0),
      reached AS (SELECT l.name, l.type, layer_index, ns, ideal_ns / ns AS reach
                  FROM work JOIN layer l USING (layer_index) WHERE l.point_id = {0}),
      usual AS (SELECT type, median(reach) AS reach FROM reached GROUP BY type HAVING count(*) >= 4),
      outlier AS (SELECT r.*, u.reach AS usual FROM reached r JOIN usual u USING (type) WHERE r.reach < {1} * u.reach)
      SELECT name, type, ns, reach, usual, sum(ns) OVER (PARTITION BY type) AS type_ns,
             sum(ns * reach) OVER (PARTITION BY type) / sum(ns) OVER (PARTITION BY type) AS type_reach,
             count(*) OVER (PARTITION BY type) AS layers,
             (SELECT sum(duration_ns) FROM kernel WHERE point_id = {0}) AS all_ns
      FROM outlier ORDER BY type_ns DESC, ns DESC)",
                                                          point_id, kOfTheUsual)));
  if (rows.empty() || rows.Number(0, "type_ns") < kMatters * rows.Number(0, "all_ns"))
    return std::vector<Sentence>{};
  const auto layers = static_cast<std::size_t>(rows.Integer(0, "layers"));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(layers, kMostNamed); ++i)
    names.push_back("`" + rows.Text(i, "name") + "`");
  std::string who = fmt::format("{}", fmt::join(names, ", "));
  if (layers > kMostNamed) who += fmt::format(" and {} more", layers - kMostNamed);
  return std::vector<Sentence>{
      {fmt::format(
           "{} {} at {} of {} roof, where other `{}` layers reach {} of theirs, and {} {} of "
           "kernel time: numbers too small for the usual format (denormal), a fallback or a "
           "layout would show like this.",
           who, layers == 1 ? "runs" : "run", wording::Percent(rows.Number(0, "type_reach")),
           layers == 1 ? "its" : "their", rows.Text(0, "type"),
           wording::Percent(rows.Number(0, "usual")), layers == 1 ? "holds" : "hold",
           wording::Percent(rows.Number(0, "type_ns") / rows.Number(0, "all_ns"))),
       "rooflines"}};
}

}  // namespace xsp::report
