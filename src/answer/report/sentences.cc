// The findings of an experiment in words. Each sentence is made only when its evidence is there and
// says something that need not hold for another model.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "answer/findings/find_all.h"
#include "answer/findings/focus.h"
#include "answer/report/attribution.h"
#include "answer/report/backend_sentences.h"
#include "answer/report/evaluation_sentences.h"
#include "answer/report/function_sentences.h"
#include "answer/report/layer_sentences.h"
#include "answer/report/outlier_sentences.h"
#include "answer/report/rows.h"
#include "answer/report/summary.h"
#include "answer/wording/quantity.h"
#include "answer/wording/short_name.h"

namespace xsp::report {
namespace {

/// What every sentence about one point needs.
struct Focus {
  const store::Database& database;
  std::int64_t point_id;
  std::string of;       // " of PyTorch 2.15.0" among several backends; empty: the only one.
  std::string backend;  // "PyTorch 2.15.0" likewise.
};

using Found = Result<std::vector<Sentence>>;

Found Backends(const Focus& focus) { return BackendSentences(focus.database, focus.point_id); }

Found Evaluation(const Focus& focus) { return EvaluationSentences(focus.database, focus.point_id); }

/// Half the width of a point's interval on the scale of logarithms; 0: it has none.
double HalfWidth(const Rows& rows, std::size_t row) {
  const double low = rows.Number(row, "low"), high = rows.Number(row, "high");
  return low > 0 && high > low ? std::log(high / low) / 2 : 0;
}

/// Of the ratio of two points, which were measured independently: widths add in quadrature.
double HalfWidth(const Rows& rows, std::size_t a, std::size_t b) {
  return std::hypot(HalfWidth(rows, a), HalfWidth(rows, b));
}

/// "; 40 % more than batch 1 (95 % interval 30 % to 52 %)".
std::string GainText(double ratio, double half_width, std::int64_t batch) {
  if (half_width == 0)
    return fmt::format("; {} more than batch {}", wording::Percent(ratio - 1), batch);
  const double low = ratio * std::exp(-half_width) - 1, high = ratio * std::exp(half_width) - 1;
  const std::string interval =
      fmt::format("(95 % interval {} to {})", wording::Percent(low), wording::Percent(high));
  if (low <= 0) return fmt::format("; no difference found to batch {} {}", batch, interval);
  return fmt::format("; {} more than batch {} {}", wording::Percent(ratio - 1), batch, interval);
}

/// "; no difference found to batch 2, 4", of those but the first, whose gain stands by itself.
std::string AlikeBatches(const Rows& rows, std::size_t best) {
  std::vector<std::int64_t> batches;
  for (std::size_t i = best == 0 ? 0 : 1; i < rows.size(); ++i) {
    const double ratio = rows.Number(best, "throughput") / rows.Number(i, "throughput");
    const double half_width = HalfWidth(rows, best, i);
    if (i != best && half_width > 0 && std::log(ratio) <= half_width)
      batches.push_back(rows.Integer(i, "batch"));
  }
  return batches.empty()
             ? ""
             : fmt::format("; no difference found to batch {}", fmt::join(batches, ", "));
}

Found BestBatch(const Focus& focus) {
  XSP_TRY(const Rows rows, Rows::Of(focus.database, fmt::format(R"(
      SELECT p.batch, p.latency_ns, p.latency_low_ns AS low, p.latency_high_ns AS high, p.batch * 1e9 / p.latency_ns AS throughput,
             bool_and(t.runs_agree) OVER () AS runs_agree
      FROM point p JOIN point_time t USING (point_id) JOIN point mine ON mine.point_id = {} AND (p.model, p.backend, p.device, p.settings)
        = (mine.model, mine.backend, mine.device, mine.settings)
      WHERE p.latency_ns > 0 AND p.batch > 0 ORDER BY p.batch)",
                                                                focus.point_id)));
  // Points are measured by processes of their own: where runs of one of them disagree, so may they.
  if (rows.size() < 2 || !rows.Truth(0, "runs_agree")) return std::vector<Sentence>{};
  std::size_t best = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows.Number(i, "throughput") > rows.Number(best, "throughput")) best = i;
  // The gain of one doubling: steps of another size are scaled by log2 (design, analysis A1).
  std::size_t worth = rows.size() - 1;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const double doublings = std::log2(rows.Number(i + 1, "batch") / rows.Number(i, "batch"));
    const double gain =
        std::pow(rows.Number(i + 1, "throughput") / rows.Number(i, "throughput"), 1 / doublings) -
        1;
    if (gain <= 0.05) {
      worth = i;
      break;
    }
  }
  double half_width = 0;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    half_width = std::max(half_width, HalfWidth(rows, i, i + 1));
  std::string text =
      fmt::format("Throughput{} is highest at batch {}: {} items/s, {} a call", focus.of,
                  rows.Integer(best, "batch"), wording::Format(rows.Number(best, "throughput"), {}),
                  wording::FormatQuantity(rows.Number(best, "latency_ns"), "ns"));
  if (best > 0)
    text += GainText(rows.Number(best, "throughput") / rows.Number(0, "throughput"),
                     HalfWidth(rows, best, 0), rows.Integer(0, "batch"));
  text += AlikeBatches(rows, best);
  // What a doubling gains cannot be told apart from 5 % by wider intervals than that.
  if (worth == best || half_width > 0.05) {
    text += ".";
  } else if (worth + 1 < rows.size()) {
    text += fmt::format("; past batch {} the next doubling gains 5 % or less.",
                        rows.Integer(worth, "batch"));
  } else {
    text += "; every doubling tried gained more than 5 %.";
  }
  return std::vector<Sentence>{{text, "batches"}};
}

/// Among several backends a sentence about one says which.
Sentence OfBackend(Sentence sentence, const Focus& focus) {
  if (!focus.backend.empty() && sentence.text.find(focus.backend) == std::string::npos)
    sentence.text = fmt::format("{}: {}", focus.backend, sentence.text);
  return sentence;
}

/// Time in the kernel, which no operator shows.
Found OperatingSystem(const Focus& focus) {
  XSP_TRY(const Rows rows, Rows::Of(focus.database, R"(
      SELECT p.batch, p.backend, sum(s.system_ns) / sum(s.latency_ns * p.cores) AS share,
             avg(s.page_faults) AS faults
      FROM sample s JOIN run r USING (run_id) JOIN point p USING (point_id)
      WHERE r.rung = 'model' AND coalesce(s.rung, r.rung) = r.rung
      GROUP BY p.point_id, p.batch, p.backend ORDER BY share DESC NULLS LAST LIMIT 1)"));
  constexpr double kTellingShare = 0.05;
  if (rows.empty() || !(rows.Number(0, "share") >= kTellingShare)) return std::vector<Sentence>{};
  std::string text = fmt::format(
      "The operating system takes {} of the cores' time{}{}",
      wording::Percent(rows.Number(0, "share")),
      focus.of.empty() ? "" : fmt::format(" with {}", rows.Text(0, "backend")),
      rows.IsNull(0, "batch") ? "" : fmt::format(" at batch {}", rows.Integer(0, "batch")));
  constexpr double kManyFaults = 1000;
  if (const double faults = rows.Number(0, "faults"); faults >= kManyFaults)
    text += fmt::format(
        ", with {} page faults a call; memory that is given back after a call and fetched again in "
        "the next would show like this: try an allocator that keeps it",
        wording::FormatQuantity(faults, ""));
  return std::vector<Sentence>{{text + ".", "method-samples"}};
}

/// The FLOP/s roof of a kernel's data type and unit, as a scalar subquery on `k`.
constexpr std::string_view kRoofOfKernel =
    "(SELECT max(value) FROM roof WHERE kind = 'flops' AND used AND roof.dtype = k.dtype AND "
    "roof.unit = k.unit)";
constexpr std::string_view kBandwidth =
    "(SELECT max(value) FROM roof WHERE kind = 'bandwidth' AND used)";

Found TopKernels(const Focus& focus) {
  XSP_TRY(const Rows rows, Rows::Of(focus.database, fmt::format(R"(
      SELECT name, count(*) AS calls, sum(duration_ns) AS ns, sum(flops) AS flops,
             sum(flops / {1}) * 1e9 AS ideal_ns, any_value(dtype) AS dtype,
             (SELECT sum(duration_ns) FROM kernel WHERE point_id = {0}) AS total
      FROM kernel k WHERE point_id = {0} GROUP BY name ORDER BY ns DESC NULLS LAST LIMIT 1)",
                                                                focus.point_id, kRoofOfKernel)));
  if (rows.empty() || !(rows.Number(0, "ns") > 0)) return std::vector<Sentence>{};
  const std::int64_t calls = rows.Integer(0, "calls");
  std::string text =
      fmt::format("`{}` is the kernel with the most time: {} {}, {} of kernel time",
                  wording::ShortName(rows.Text(0, "name")), calls, calls == 1 ? "call" : "calls",
                  wording::Percent(rows.Number(0, "ns") / rows.Number(0, "total")));
  if (rows.Number(0, "ideal_ns") > 0)
    text += fmt::format(", at {} of the {} roof",
                        wording::Percent(rows.Number(0, "ideal_ns") / rows.Number(0, "ns")),
                        rows.Text(0, "dtype"));
  return std::vector<Sentence>{{text + ".", "kernels"}};
}

Found Bound(const Focus& focus) {
  // Each kernel against the ridge of its own data type; the model against the type of most FLOPs.
  XSP_TRY(const Rows rows,
          Rows::Of(focus.database, fmt::format(R"(
      WITH k AS (SELECT *, flops / nullif(read_bytes + write_bytes, 0) AS intensity FROM kernel WHERE point_id = {0}),
      judged AS (SELECT *, intensity < {1} / {2} AS memory_bound FROM k)
      SELECT sum(duration_ns) FILTER (WHERE memory_bound) AS memory_ns,
             sum(duration_ns) FILTER (WHERE memory_bound IS NOT NULL) AS judged_ns, sum(duration_ns) AS all_ns,
             (SELECT max({1}) / {2} FROM (SELECT dtype, unit FROM k WHERE flops > 0 GROUP BY ALL
                ORDER BY sum(flops) DESC LIMIT 1) k) AS ridge,
             bool_and(traffic_provenance = 'analytic') AS algorithmic
      FROM judged)",
                                               focus.point_id, kRoofOfKernel, kBandwidth)));
  const double ridge = rows.Number(0, "ridge");
  if (!(ridge > 0)) return std::vector<Sentence>{};
  // One answer, by time: what holds most of it. Of less than half of the time there is none.
  constexpr double kEnoughKnown = 0.5, kMostly = 0.6, kNearlyAll = 0.95;
  const double judged_ns = rows.Number(0, "judged_ns");
  const double known = judged_ns / rows.Number(0, "all_ns");
  if (!(known >= kEnoughKnown)) return std::vector<Sentence>{};
  const double memory_share =
      rows.IsNull(0, "memory_ns") ? 0 : rows.Number(0, "memory_ns") / judged_ns;
  const std::string of =
      known < kNearlyAll ? fmt::format("of the {} of kernel time whose FLOPs and bytes are known",
                                       wording::Percent(known))
                         : "of kernel time";
  std::string text;
  if (memory_share >= kMostly) {
    text = fmt::format("Mostly memory-bound: {} {} lies below the ridge",
                       wording::Percent(memory_share), of);
  } else if (memory_share <= 1 - kMostly) {
    text = fmt::format("Mostly compute-bound: {} {} lies above the ridge",
                       wording::Percent(1 - memory_share), of);
  } else {
    text = fmt::format("Bound by neither alone: {} {} lies above the ridge, the rest below it",
                       wording::Percent(1 - memory_share), of);
  }
  text += fmt::format(" of its data type ({}{}).", wording::FormatQuantity(ridge, "flop/byte"),
                      rows.Truth(0, "algorithmic") ? "; algorithmic bytes: operands once" : "");
  return std::vector<Sentence>{{text, "rooflines"}};
}

Found RoofDistance(const Focus& focus) {
  // The least time each kernel could take under its two roofs, summed (the roofline model).
  XSP_TRY(const Rows rows,
          Rows::Of(focus.database, fmt::format(R"(
      SELECT sum(greatest(coalesce(flops / {1}, 0), coalesce((read_bytes + write_bytes) / {2}, 0))) * 1e9 AS ideal_ns,
             sum(duration_ns) AS kernel_ns, sum(flops) AS flops
      FROM kernel k WHERE point_id = {0} AND (flops > 0 OR read_bytes + write_bytes > 0))",
                                               focus.point_id, kRoofOfKernel, kBandwidth)));
  const double ideal_ns = rows.Number(0, "ideal_ns");
  const double kernel_ns = rows.Number(0, "kernel_ns");
  if (!(ideal_ns > 0) || !(kernel_ns > 0)) return std::vector<Sentence>{};
  std::string text = fmt::format(
      "Under the roofs its kernels could take {} instead of {}: they run at {} of the limit",
      wording::FormatQuantity(ideal_ns, "ns"), wording::FormatQuantity(kernel_ns, "ns"),
      wording::Percent(ideal_ns / kernel_ns));
  if (ideal_ns > kernel_ns) text += " (above 1: their operands come from caches, faster than DRAM)";
  return std::vector<Sentence>{{text + ".", "rooflines"}};
}

Found Functions(const Focus& focus) { return FunctionSentences(focus.database, focus.point_id); }

Found Outliers(const Focus& focus) { return OutlierSentences(focus.database, focus.point_id); }

Found Memory(const Focus& focus) {
  XSP_TRY(const Rows rows, Rows::Of(focus.database, fmt::format(R"(
      SELECT sum(allocated_bytes) AS total, max_by(layer_index, allocated_bytes) AS layer,
             max_by(type, allocated_bytes) AS type, max(allocated_bytes) AS most,
             (SELECT peak_bytes FROM point WHERE point_id = {0}) AS peak
      FROM layer WHERE point_id = {0})",
                                                                focus.point_id)));
  if (!(rows.Number(0, "total") > 0)) return std::vector<Sentence>{};
  std::string text = fmt::format("Layers allocate {} a call, most in layer {} (`{}`, {})",
                                 wording::FormatQuantity(rows.Number(0, "total"), "byte"),
                                 rows.Integer(0, "layer"), wording::ShortName(rows.Text(0, "type")),
                                 wording::FormatQuantity(rows.Number(0, "most"), "byte"));
  if (rows.Number(0, "peak") > 0)
    text += fmt::format("; at most {} of it live at once",
                        wording::FormatQuantity(rows.Number(0, "peak"), "byte"));
  return std::vector<Sentence>{{text + ".", "layers"}};
}

Found Reorders(const Focus& focus) {
  XSP_TRY(const Rows rows, Rows::Of(focus.database, fmt::format(R"(
      SELECT count(*) AS calls, sum(duration_ns) AS ns,
             (SELECT sum(duration_ns) FROM kernel WHERE point_id = {0}) AS total,
             (SELECT count(*) FROM kernel WHERE point_id = {0} AND type = 'primitive') AS primitives
      FROM kernel WHERE point_id = {0} AND name LIKE 'reorder%')",
                                                                focus.point_id)));
  const double share = rows.Number(0, "ns") / rows.Number(0, "total");
  if (!(share >= 0.03)) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("Layout reorders take {} of kernel time ({} of {} primitives): data is copied "
                   "between memory formats, no arithmetic is done.",
                   wording::Percent(share), rows.Integer(0, "calls"),
                   rows.Integer(0, "primitives")),
       "analysis-A10"}};
}

Found SlowImplementations(const Focus& focus) {
  XSP_TRY(const Rows rows, Rows::Of(focus.database, fmt::format(R"(
      SELECT count(*) AS calls, sum(duration_ns) AS ns, any_value(name) AS name,
             (SELECT sum(duration_ns) FROM kernel WHERE point_id = {0}) AS total
      FROM kernel WHERE point_id = {0} AND (implementation LIKE 'ref%' OR implementation LIKE '%:ref:%'))",
                                                                focus.point_id)));
  const double share = rows.Number(0, "ns") / rows.Number(0, "total");
  if (!(share >= 0.01)) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("{} kernels fell back to a reference implementation (`{}`): {} of kernel time.",
                   rows.Integer(0, "calls"), wording::ShortName(rows.Text(0, "name")),
                   wording::Percent(share)),
       "kernels"}};
}

Found PrecisionChanged(const Focus& focus) {
  XSP_TRY(const Rows rows, Rows::Of(focus.database, fmt::format(R"(
      SELECT dtype, sum(flops) AS flops, (SELECT sum(flops) FROM kernel WHERE point_id = {0}) AS total
      FROM kernel WHERE point_id = {0} AND flops > 0 AND dtype IN ('bfloat16', 'float16', 'int8', 'uint8')
      GROUP BY dtype ORDER BY flops DESC LIMIT 1)",
                                                                focus.point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("{} of the FLOPs ran in {}.",
                   wording::Percent(rows.Number(0, "flops") / rows.Number(0, "total")),
                   rows.Text(0, "dtype")),
       "kernels"}};
}

/// Kernels of replayed graphs have lost their operators; what gave them back is worth a word.
Found ReplayedGraphs(const Focus& focus) {
  XSP_TRY(const std::optional<Attribution> found, FindAttribution(focus.database));
  if (!found || !found->has_replays) return std::vector<Sentence>{};
  return std::vector<Sentence>{{found->sentence, "method-matching"}};
}

Found NothingToSee(const Focus& focus) {
  return NothingToSeeSentences(focus.database, focus.point_id);
}

Found Disagreement(const Focus& focus) {
  return DisagreementSentences(focus.database, focus.point_id);
}

Found Distortion(const Focus& focus) { return DistortionSentences(focus.database, focus.point_id); }

Found TopLayers(const Focus& focus) { return TopLayerSentences(focus.database, focus.point_id); }

Found OutsideKernels(const Focus& focus) {
  return OutsideKernelSentences(focus.database, focus.point_id);
}

Found HostWaits(const Focus& focus) { return HostWaitSentences(focus.database, focus.point_id); }

/// A maker of sentences that is not yet a rule of findings/, at its place among the rules.
struct Finder {
  Found (*find)(const Focus&);
  int rank;
  bool rests_on_shares = false;
  bool of_point = true;  ///< Else of all points: it names itself what it is about.
  bool is_first = false;
};

constexpr Finder kFinders[] = {
    {.find = NothingToSee, .rank = 10, .is_first = true},
    {.find = Disagreement, .rank = 20, .is_first = true},
    {.find = Distortion, .rank = 30, .rests_on_shares = true, .is_first = true},
    {.find = Backends, .rank = 40},
    {.find = Evaluation, .rank = 50},
    {.find = BestBatch, .rank = 60},
    {.find = HostWaits, .rank = 100},
    {.find = Functions, .rank = 130},
    {.find = ReplayedGraphs, .rank = 140},
    {.find = OperatingSystem, .rank = 150, .of_point = false},
    {.find = Outliers, .rank = 160, .rests_on_shares = true},
    {.find = TopKernels, .rank = 170, .rests_on_shares = true},
    {.find = Bound, .rank = 180, .rests_on_shares = true},
    {.find = RoofDistance, .rank = 190, .rests_on_shares = true},
    {.find = Reorders, .rank = 200, .rests_on_shares = true},
    {.find = SlowImplementations, .rank = 210, .rests_on_shares = true},
    {.find = PrecisionChanged, .rank = 220},
    {.find = OutsideKernels, .rank = 230, .rests_on_shares = true},
    {.find = TopLayers, .rank = 240, .rests_on_shares = true},
    {.find = Memory, .rank = 250},
};

/// A sentence and its place: those about trust first, then by gain, then by rank.
struct Placed {
  bool is_first;
  double gain_ns;  ///< 0: not known.
  int rank;
  Sentence sentence;

  auto order() const { return std::make_tuple(!is_first, is_first ? 0 : -gain_ns, rank); }
};

/// Of the makers that are not yet rules.
Status AppendFound(const Focus& focus, bool shares_hold, std::vector<Placed>& placed) {
  for (const Finder& finder : kFinders) {
    if (finder.rests_on_shares && !shares_hold) continue;
    XSP_TRY(std::vector<Sentence> found, finder.find(focus));
    for (Sentence& sentence : found)
      placed.push_back(
          {finder.is_first, 0, finder.rank,
           finder.of_point ? OfBackend(std::move(sentence), focus) : std::move(sentence)});
  }
  return Ok{};
}

}  // namespace

Result<std::vector<Sentence>> Sentences(const store::Database& database, std::int64_t point_id,
                                        const std::vector<findings::Rule>& rules) {
  XSP_TRY(const findings::Focus point, findings::FocusOn(database, point_id));
  if (point.point_id == 0) return std::vector<Sentence>{};
  XSP_TRY(const findings::Findings findings, findings::FindAll(rules, database, point_id));
  std::vector<Placed> placed;
  bool shares_hold = true;
  for (const findings::Finding& finding : findings.found) {
    shares_hold &= finding.rule->id != "interference";
    placed.push_back({finding.rule->is_first,
                      finding.evidence.gain ? finding.evidence.gain->ns : 0,
                      finding.rule->rank,
                      {finding.sentence, finding.rule->see}});
  }
  XSP_RETURN_IF_ERROR(
      AppendFound({database, point_id, point.of, point.backend}, shares_hold, placed));
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.order() < b.order(); });
  constexpr std::size_t kMostSentences = 9;
  std::vector<Sentence> sentences;
  for (Placed& one : placed)
    if (sentences.size() < kMostSentences) sentences.push_back(std::move(one.sentence));
  return sentences;
}

Result<Summary> Summarise(const store::Database& database,
                          const std::vector<findings::Rule>& rules) {
  Summary summary;
  XSP_TRY(summary.point_id, findings::BestPoint(database));
  XSP_TRY(summary.badges, Badges(database));
  XSP_TRY(summary.sentences, Sentences(database, summary.point_id, rules));
  return summary;
}

}  // namespace xsp::report
