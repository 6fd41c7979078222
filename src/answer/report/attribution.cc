#include "answer/report/attribution.h"

#include <fmt/format.h>

#include <string_view>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

/// How a way of attribution reads in a sentence.
std::string WayText(const std::string& placed_by) {
  if (placed_by == "id") return "as recorded";
  if (placed_by == "nesting") return "by containment";
  if (placed_by == "launch") return "by its launch";
  if (placed_by == "sequence: capture") return "by the capture of a replayed graph";
  if (placed_by == "sequence: eager iteration") return "in a replayed graph, by an eager iteration";
  if (placed_by == "sequence: other run") return "in a replayed graph, by another run";
  if (placed_by == "graph_node") return "by the nodes of a replayed graph";
  if (placed_by == "concurrent") return "by the only operator open meanwhile";
  return "by " + placed_by;
}

}  // namespace

Result<std::optional<Attribution>> FindAttribution(const store::Database& database) {
  XSP_TRY(const Rows ways, Rows::Of(database, R"(
      SELECT coalesce(placed_by, '') AS way, layer_index IS NOT NULL AS tied,
             sum(duration_ns) / nullif((SELECT sum(duration_ns) FROM kernel), 0) AS share
      FROM kernel GROUP BY ALL ORDER BY share DESC, way)"));
  if (ways.empty() || ways.IsNull(0, "share")) return std::optional<Attribution>();
  Attribution found;
  std::string list;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (!ways.Truth(i, "tied")) continue;
    const double share = ways.Number(i, "share");
    const std::string way = ways.Text(i, "way");
    found.share += share;
    // Tables of older runs do not say.
    if (!way.empty())
      list +=
          fmt::format("{} {} {}", list.empty() ? ":" : ",", wording::Percent(share), WayText(way));
  }
  found.sentence = fmt::format("{} of the kernel time is tied to a layer{}.",
                               wording::Percent(found.share), list);
  return std::optional(std::move(found));
}

}  // namespace xsp::report
