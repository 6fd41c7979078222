#include "answer/report/layer_sentences.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"
#include "answer/wording/shape_text.h"
#include "answer/wording/short_name.h"

namespace xsp::report {
namespace {

using Found = Result<std::vector<Sentence>>;

/// Of the device's work: where less is tied to layers, they do not show where the time goes.
constexpr double kTiedToLayers = 0.5;
/// Of the calls' time, below which waiting is not worth a sentence.
constexpr double kHostWaitMatters = 0.1;
/// Mean host time of a copy call, ns: giving the copy to the device takes less; the rest is
/// waiting.
constexpr double kCopyCallNs = 50'000;

}  // namespace

Found NothingToSeeSentences(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT bool_and(rung = 'imported') AS imported, bool_and(rung = 'recorded') AS recorded,
             NOT EXISTS (SELECT 1 FROM layer WHERE point_id = {0})
             AND NOT EXISTS (SELECT 1 FROM kernel WHERE point_id = {0}) AS nothing,
             NOT EXISTS (SELECT 1 FROM call_tree JOIN run USING (run_id) WHERE point_id = {0}) AS unsampled
      FROM run WHERE point_id = {0})",
                                                          point_id)));
  if (rows.empty() || !rows.Truth(0, "nothing")) return std::vector<Sentence>{};
  if (rows.Truth(0, "imported"))
    return std::vector<Sentence>{
        {"The imported file holds no layer and no kernel: only ranges, counters and threads can be "
         "shown. A trace of torch.profiler, or `xsp record -- PROGRAM`, shows both.",
         "timeline"}};
  if (!rows.Truth(0, "recorded")) return std::vector<Sentence>{};
  std::string text =
      "No layer and no kernel was recorded: the program called no framework that XSP sees into "
      "(docs/record.md lists them).";
  if (rows.Truth(0, "unsampled"))
    text += " `xsp record --stacks -- PROGRAM` shows which of its functions take the time.";
  return std::vector<Sentence>{{text, "timeline"}};
}

Found DisagreementSentences(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT a.rung, d.rung AS deeper, calls_ns, again_ns, greatest(ratio, 1 / ratio) AS factor,
             d.baseline_ns IS NOT NULL AS same_work
      FROM run_pair p JOIN run a ON a.run_id = p.run_id JOIN run d ON d.run_id = p.deeper_run_id
      WHERE p.point_id = {} AND NOT agree ORDER BY factor DESC LIMIT 1)",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  const std::string again = wording::FormatQuantity(rows.Number(0, "again_ns"), "ns");
  const std::string deeper = rows.Text(0, "deeper");
  return std::vector<Sentence>{
      {fmt::format(
           "Runs of this point disagree by more than their noise allows: a call takes {} "
           "in the `{}` run, {}. Shares are of the run that shows them; sentences that "
           "compare times of several runs are withheld. Measure again on a quieter machine.",
           wording::FormatQuantity(rows.Number(0, "calls_ns"), "ns"), rows.Text(0, "rung"),
           rows.Truth(0, "same_work")
               ? fmt::format("the same call {} in the process of the `{}` run", again, deeper)
               : fmt::format("only {} in the `{}` run, which profiles more", again, deeper)),
       "method-ladder"}};
}

Found DistortionSentences(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT r.rung, r.overhead_ratio AS ratio, r.baseline_ns, r.baseline_ns * (1 + r.overhead_ratio) AS call_ns
      FROM point_time t JOIN (SELECT point_id, any_value(source_run) AS run_id FROM layer GROUP BY 1) l USING (point_id)
        JOIN run r ON r.run_id = l.run_id
      WHERE t.point_id = {} AND t.layers_distorted)",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("Profiling layers makes a call of {} take {}: most of what it adds lies between "
                   "layers. Shares are of the layers' time, and what lies between layers is "
                   "withheld; the latency is from {} without profiling.",
                   wording::FormatQuantity(rows.Number(0, "baseline_ns"), "ns"),
                   wording::FormatQuantity(rows.Number(0, "call_ns"), "ns"),
                   rows.Text(0, "rung") == "recorded" ? "later calls" : "a run"),
       "method-ladder"}};
}

Found TopLayerSentences(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT l.name, l.type, l.shape, t.work_ns, p.has_device,
             sum(t.work_ns) OVER () AS total, p.device_work_ns
      FROM layer l JOIN layer_time t USING (point_id, layer_index) JOIN point_time p USING (point_id)
      WHERE point_id = {} AND t.work_ns IS NOT NULL ORDER BY work_ns DESC, layer_index LIMIT 5)",
                                                          point_id)));
  if (rows.size() < 5 || !(rows.Number(0, "total") > 0)) return std::vector<Sentence>{};
  if (rows.Number(0, "total") < kTiedToLayers * rows.Number(0, "device_work_ns"))
    return std::vector<Sentence>{};
  double top = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) top += rows.Number(i, "work_ns");
  const bool has_device = rows.Truth(0, "has_device");
  // A name without a path has the type in it.
  std::string what;
  if (!rows.Text(0, "name").starts_with(rows.Text(0, "type")))
    what += fmt::format(", `{}`", wording::ShortName(rows.Text(0, "type")));
  if (const std::string shape = wording::ShapeText(rows.Text(0, "shape")); !shape.empty())
    what += fmt::format(" `{}`", shape);
  return std::vector<Sentence>{
      {fmt::format("The {} is `{}`{}: {}{}, {} of all layers; the five {} take {}.",
                   has_device ? "layer with the most device time" : "slowest layer",
                   wording::ShortName(rows.Text(0, "name")), what,
                   wording::FormatQuantity(rows.Number(0, "work_ns"), "ns"),
                   has_device ? " on the device" : "",
                   wording::Percent(rows.Number(0, "work_ns") / rows.Number(0, "total")),
                   has_device ? "longest" : "slowest",
                   wording::Percent(top / rows.Number(0, "total"))),
       "layers"}};
}

Found OutsideKernelSentences(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT sum(t.kernel_run_ns) AS layers_ns, sum(l.device_ns) AS device_ns,
             any_value(p.has_device) AS has_device, any_value(p.layer_call_ns) AS call_ns,
             any_value(p.layers_ns) AS all_layers_ns, any_value(p.runs_agree) AS runs_agree,
             bool_and(l.kernel_run_ns IS NOT NULL) AS same_run,
             any_value(p.layers_distorted) AS distorted
      FROM layer l JOIN layer_time t USING (point_id, layer_index) JOIN point_time p USING (point_id)
      WHERE point_id = {} AND t.kernel_run_ns IS NOT NULL AND l.device_ns IS NOT NULL)",
                                                          point_id)));
  const double layers_ns = rows.Number(0, "layers_ns");
  const double call_ns = rows.Number(0, "call_ns");
  if (rows.Truth(0, "has_device") || !(layers_ns > 0) || !(call_ns > 0))
    return std::vector<Sentence>{};
  // Tables of older experiments have no time of the same run to subtract from.
  const bool is_told = rows.Truth(0, "same_run") || rows.Truth(0, "runs_agree");
  const double outside = 1 - rows.Number(0, "device_ns") / layers_ns;
  const double between = 1 - rows.Number(0, "all_layers_ns") / call_ns;
  // Less is so of every model.
  constexpr double kMuch = 0.05;
  std::string text;
  if (!(outside >= kMuch) && !(between >= kMuch)) return std::vector<Sentence>{};
  if (is_told && outside >= 0)
    text =
        fmt::format("{} of the layers' time is spent outside kernels", wording::Percent(outside));
  if (between > 0 && !rows.Truth(0, "distorted"))
    text += fmt::format("{}{} of a call lies between layers", text.empty() ? "" : "; ",
                        wording::Percent(between));
  if (text.empty()) return std::vector<Sentence>{};
  return std::vector<Sentence>{{text + ".", "analysis-A13"}};
}

Found HostWaitSentences(const store::Database& database, std::int64_t point_id) {
  // The outermost call that waits below each outermost operator. A copy that returns late waits,
  // too.
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH RECURSIVE node AS (
        SELECT t.*, r.latency_ns * r.samples AS calls_ns,
               t.level = 'library' AND (t.name LIKE '%Synchronize%' OR
                 (t.name LIKE '%Memcpy%' AND t.host_ns > {1} * t.count)) AS waits
        FROM tree t JOIN run r USING (run_id) JOIN point_time p USING (point_id)
        WHERE point_id = {0} AND p.has_device),
      down AS (
        SELECT run_id, node, waits, waits AS waits_above, NULL::VARCHAR AS operator
        FROM node WHERE parent IS NULL
        UNION ALL
        SELECT n.run_id, n.node, n.waits AND NOT d.waits_above, n.waits OR d.waits_above,
               coalesce(d.operator, CASE WHEN n.level = 'layer' AND n.type NOT IN ('module', 'function', '')
                                         THEN n.name END)
        FROM node n JOIN down d ON n.run_id = d.run_id AND n.parent = d.node)
      SELECT operator, sum(n.host_ns) AS ns, sum(sum(n.host_ns)) OVER () AS whole_ns,
             any_value(n.calls_ns) AS calls_ns
      FROM down d JOIN node n USING (run_id, node) WHERE d.waits
      GROUP BY operator ORDER BY ns DESC, operator LIMIT 1)",
                                                          point_id, kCopyCallNs)));
  if (rows.empty()) return std::vector<Sentence>{};
  const double share = rows.Number(0, "whole_ns") / rows.Number(0, "calls_ns");
  // Several threads may wait at once: then there is no share.
  if (!(share >= kHostWaitMatters) || share > 1) return std::vector<Sentence>{};
  std::string text =
      fmt::format("The host waits for the device for {} of a call", wording::Percent(share));
  const double most = rows.Number(0, "ns") / rows.Number(0, "whole_ns");
  if (!rows.IsNull(0, "operator") && most >= 0.5)
    text += fmt::format(", {} of that in `{}`", wording::Percent(std::min(1.0, most)),
                        rows.Text(0, "operator"));
  return std::vector<Sentence>{{text + ": waiting, not work of the host.", "analysis-top_down"}};
}

}  // namespace xsp::report
