#include "answer/report/work_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

using Found = Result<std::vector<Sentence>>;

/// A median of fewer steps says little.
constexpr std::int64_t kFewSteps = 4;
/// Times the median, below which the slowest step is not worth a word.
constexpr double kSlowest = 1.25;
/// Of the device's kernel time, below which no operator stands out.
constexpr double kMuch = 0.2;
/// Kernels below this length are often over before the next one is launched.
constexpr double kShortNs = 10'000;
/// Of the time from the first to the last kernel of a sequence.
constexpr double kWaits = 0.3;
/// Of the device's whole time, below which a sequence does not matter.
constexpr double kMatters = 0.1;

/// What all steps take on average, in words, where the point's latency (a trimmed mean) is another.
constexpr double kMeanDiffers = 0.05;

/// How a training step is divided, as analysis `phases` has it. Its time is the latency that the
/// other sentences speak of, where that is of the same steps.
Found TrainingPhases(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH whole AS (
        SELECT sum(steps) AS steps, sum(steps_ns) AS ns, max(samples) AS samples
        FROM (SELECT run_id, rank, any_value(steps) AS steps, any_value(steps_ns) AS steps_ns
              FROM training_phase GROUP BY run_id, rank) JOIN run USING (run_id)
        WHERE point_id = {0})
      SELECT phase AS name, sum(host_ns) / any_value(w.ns) AS share, any_value(w.ns / w.steps) AS mean_ns,
             CASE WHEN any_value(w.steps = w.samples) THEN any_value(point.latency_ns) END AS latency_ns,
             any_value(w.steps) AS steps
      FROM training_phase JOIN run USING (run_id) JOIN point USING (point_id), whole w
      WHERE point_id = {0} GROUP BY phase ORDER BY share DESC, name LIMIT 4)",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  std::vector<std::string> phases;
  for (std::size_t i = 0; i < rows.size(); ++i)
    phases.push_back(
        fmt::format("{} {}", rows.Text(i, "name"), wording::Percent(rows.Number(i, "share"))));
  const double mean_ns = rows.Number(0, "mean_ns");
  const double latency_ns = rows.Number(0, "latency_ns");
  const bool has_latency = latency_ns > 0;
  std::string text = fmt::format("A training step takes {}",
                                 wording::FormatQuantity(has_latency ? latency_ns : mean_ns, "ns"));
  if (!has_latency) {
    text += " on average";
  } else if (std::abs(mean_ns / latency_ns - 1) > kMeanDiffers) {
    text += fmt::format(
        " (trimmed mean; all {} steps, the first with its warm-up included, take {} "
        "on average); of all steps",
        rows.Integer(0, "steps"), wording::FormatQuantity(mean_ns, "ns"));
  }
  return std::vector<Sentence>{
      {fmt::format("{}: {}.", text, fmt::join(phases, ", ")), "analysis-phases"}};
}

Found SlowSteps(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH steps AS (
        SELECT s.*, median(duration_ns) OVER (PARTITION BY run_id, rank) AS median_ns,
               count(*) OVER (PARTITION BY run_id, rank) AS of_rank,
               -- A call that lost time to other programs is slow for no reason of its own.
               is_slow AND NOT EXISTS (SELECT 1 FROM sample c WHERE c.run_id = s.run_id AND c.disturbed
                                         AND c.latency_ns = s.duration_ns) AS tells
        FROM step s JOIN run USING (run_id) WHERE point_id = {0})
      SELECT count(*) AS steps, count(*) FILTER (tells) AS slow,
             -- Measured calls are no steps of a program.
             (SELECT bool_and(rung NOT IN ('imported', 'recorded')) FROM run WHERE point_id = {0}) AS are_calls, min(of_rank) AS of_rank,
             arg_max(step, duration_ns / median_ns) FILTER (tells) AS step,
             max(duration_ns / median_ns) FILTER (tells) AS ratio,
             arg_max(changed, duration_ns / median_ns) FILTER (tells) AS changed,
             arg_max(changed_ns, duration_ns / median_ns) FILTER (tells) AS changed_ns
      FROM steps)",
                                                          point_id)));
  if (rows.Integer(0, "slow") == 0 || rows.Integer(0, "of_rank") < kFewSteps ||
      rows.Number(0, "ratio") < kSlowest)
    return std::vector<Sentence>{};
  const std::string_view step = rows.Truth(0, "are_calls") ? "call" : "step";
  std::string text = fmt::format(
      "{} of {} {}s took more than 10 % longer than the median; {} {} took {} times as long",
      rows.Integer(0, "slow"), rows.Integer(0, "steps"), step, step, rows.Integer(0, "step"),
      wording::FormatQuantity(rows.Number(0, "ratio"), ""));
  if (!rows.IsNull(0, "changed"))
    text += fmt::format(", with {} more in `{}`",
                        wording::FormatQuantity(rows.Number(0, "changed_ns"), "ns"),
                        rows.Text(0, "changed"));
  return std::vector<Sentence>{{text + ".", "analysis-steps"}};
}

Found TopOperator(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT name, sum(count) AS calls, sum(device_self_ns) AS ns,
             (SELECT sum(device_ns) FROM tree JOIN run USING (run_id)
              WHERE point_id = {0} AND parent IS NULL) AS whole_ns
      FROM tree JOIN run USING (run_id)
      WHERE point_id = {0} AND level = 'layer' AND type NOT IN ('module', 'function', '')
      GROUP BY name ORDER BY ns DESC, name LIMIT 1)",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  const double share = rows.Number(0, "ns") / rows.Number(0, "whole_ns");
  if (!(share >= kMuch)) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("`{}` launches {} of the device's work, in {} calls.", rows.Text(0, "name"),
                   wording::Percent(share), rows.Integer(0, "calls")),
       "analysis-top_down"}};
}

Found WaitingSequence(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT s.length, s.occurrences, s.duration_ns, s.gap_ns,
             s.duration_ns / (s.length * s.occurrences) AS kernel_ns
      FROM kernel_sequence s JOIN run r ON r.run_id = s.run_id
      JOIN device_time d ON d.run_id = s.run_id AND d.step IS NULL
        AND d.rank IS NOT DISTINCT FROM s.rank AND d.device IS NOT DISTINCT FROM s.device
      WHERE r.point_id = {} AND kernel_ns < {} AND s.gap_ns >= {} * (s.duration_ns + s.gap_ns)
        AND s.duration_ns + s.gap_ns >= {} * d.total_ns
      ORDER BY s.gap_ns DESC LIMIT 1)",
                                                          point_id, kShortNs, kWaits, kMatters)));
  if (rows.empty()) return std::vector<Sentence>{};
  const double gap_ns = rows.Number(0, "gap_ns");
  return std::vector<Sentence>{
      {fmt::format("The same {} kernels follow each other {} times, {} each, with {} ({}) between "
                   "them: launched together (a replayed graph) or fused they would not wait.",
                   rows.Integer(0, "length"), rows.Integer(0, "occurrences"),
                   wording::FormatQuantity(rows.Number(0, "kernel_ns"), "ns"),
                   wording::FormatQuantity(gap_ns, "ns"),
                   wording::Percent(gap_ns / (gap_ns + rows.Number(0, "duration_ns")))),
       "analysis-kernel_sequences"}};
}

Found PeakMemory(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT device, sum(bytes) AS peak, arg_max(operator, bytes) AS operator, max(bytes) AS most,
             (sum(bytes) FILTER (operator = '(before recording)')) AS held
      FROM (SELECT h.run_id, rank, device, operator, sum(bytes) AS bytes
            FROM memory_holder h JOIN run USING (run_id)
            WHERE point_id = {} AND device IS NOT NULL GROUP BY ALL)
      GROUP BY run_id, rank, device ORDER BY peak DESC LIMIT 1)",
                                                          point_id)));
  if (rows.empty() || !(rows.Number(0, "peak") > 0)) return std::vector<Sentence>{};
  const double peak = rows.Number(0, "peak");
  const std::string by = rows.Text(0, "operator");
  std::string text = fmt::format("At most {} are allocated on device {}",
                                 wording::FormatQuantity(peak, "byte"), rows.Integer(0, "device"));
  if (!rows.IsNull(0, "held") && rows.Number(0, "held") > 0)
    text += fmt::format(", {} of it since before the recording",
                        wording::Percent(rows.Number(0, "held") / peak));
  if (const double share = rows.Number(0, "most") / peak; share >= kMuch && !by.starts_with('('))
    text += fmt::format("; `{}` holds {}", by, wording::Percent(share));
  return std::vector<Sentence>{{text + ".", "analysis-memory_holders"}};
}

}  // namespace

Result<std::vector<Sentence>> WorkSentences(const store::Database& database,
                                            std::int64_t point_id) {
  std::vector<Sentence> sentences;
  for (auto* find : {TrainingPhases, SlowSteps, TopOperator, WaitingSequence, PeakMemory}) {
    XSP_TRY(const std::vector<Sentence> found, find(database, point_id));
    sentences.insert(sentences.end(), found.begin(), found.end());
  }
  return sentences;
}

}  // namespace xsp::report
