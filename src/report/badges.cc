#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/attribution.h"
#include "report/quantity.h"
#include "report/rows.h"
#include "report/summary.h"

namespace xsp::report {
namespace {

/// Green up to `green`, amber up to `amber`, else red; `value` grows with the harm.
std::string StatusUpTo(double value, double green, double amber) {
  return value <= green ? "green" : value <= amber ? "amber" : "red";
}

Result<Badge> Distortion(const store::Database& database) {
  // The rungs whose times are shown: layer latencies and kernel durations. The details pass costs
  // more, but its times are thrown away.
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT r.rung, p.batch, CASE WHEN p.point_id IN (SELECT point_id FROM comparison) THEN p.backend END AS backend,
             r.overhead_ratio AS ratio, r.overhead_ratio_low AS low,
             r.overhead_ratio_high AS high
      FROM run r JOIN point p USING (point_id)
      WHERE r.overhead_ratio IS NOT NULL AND r.rung IN ('layer', 'library', 'kernel', 'recorded')
      ORDER BY abs(r.overhead_ratio) DESC LIMIT 1)"));
  if (rows.empty()) {
    return Badge{"distortion", "unknown", "not known",
                 "One rung alone says nothing of what its profiling costs.", "method-ladder"};
  }
  const double ratio = rows.Number(0, "ratio");
  std::string batch =
      rows.IsNull(0, "batch") ? "" : fmt::format(" at batch {}", rows.Integer(0, "batch"));
  if (!rows.IsNull(0, "backend")) batch += fmt::format(" on {}", rows.Text(0, "backend"));
  if (rows.Text(0, "rung") == "recorded") {
    return Badge{"distortion", StatusUpTo(std::abs(ratio), 0.03, 0.10), Percent(ratio),
                 fmt::format("Recording changes the wall time of the whole program by {} (95 % "
                             "interval {} to {}).",
                             Percent(ratio), Percent(rows.Number(0, "low")),
                             Percent(rows.Number(0, "high"))),
                 "method-ladder"};
  }
  const std::string interval =
      rows.IsNull(0, "low")
          ? " (against another process: the two may differ by chance)"
          : fmt::format(" (95 % interval {} to {})", Percent(rows.Number(0, "low")),
                        Percent(rows.Number(0, "high")));
  return Badge{
      "distortion", StatusUpTo(std::abs(ratio), 0.03, 0.10), Percent(ratio),
      fmt::format("The {} rung changes the latency of a call by {}{}{}, more than any other rung "
                  "whose times are shown; model latencies are from runs without it.",
                  rows.Text(0, "rung"), Percent(ratio), interval, batch),
      "method-ladder"};
}

/// How much time disturbances cost, and how far two processes that did the same differ: what the
/// share of disturbed samples means.
Result<std::string> NoiseInTime(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT (SELECT sum(s.waited_ns) / sum(s.latency_ns * p.cores)
              FROM sample s JOIN run r USING (run_id) JOIN point p USING (point_id)
              WHERE r.rung <> 'details' AND s.waited_ns IS NOT NULL) AS waited,
             (SELECT max(abs(deeper.baseline_ns / run.latency_ns - 1))
              FROM run JOIN run deeper USING (point_id)
              WHERE (run.rung, deeper.rung) IN (('model', 'layer'), ('layer', 'kernel'))) AS apart)"));
  std::string text;
  if (!rows.IsNull(0, "waited"))
    text += fmt::format(" Threads waited for a core for {} of the cores' time.",
                        Percent(rows.Number(0, "waited")));
  if (!rows.IsNull(0, "apart"))
    text += fmt::format(
        " The same calls in another process of this experiment took up to {} more or less: smaller "
        "differences between runs say nothing.",
        Percent(rows.Number(0, "apart")));
  return text;
}

Result<Badge> Noise(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT count(*) AS samples, count(*) FILTER (WHERE s.disturbed) AS disturbed,
             (SELECT count(*) FROM run WHERE rung <> 'details' AND samples > 0 AND samples = disturbed) AS whole_runs
      FROM sample s JOIN run r USING (run_id) WHERE r.rung NOT IN ('details', 'imported', 'recorded'))"));
  const auto samples = rows.Integer(0, "samples");
  const auto disturbed = rows.Integer(0, "disturbed");
  if (samples == 0) {
    return Badge{"noise", "unknown", "not known",
                 "Nothing says which model calls were disturbed: none was timed here.",
                 "method-samples"};
  }
  const double share = static_cast<double>(disturbed) / static_cast<double>(samples);
  std::string sentence = fmt::format("None of {} samples was disturbed.", samples);
  if (disturbed > 0) {
    sentence = fmt::format("{} of {} samples were disturbed by something else on the machine",
                           disturbed, samples);
    // A run without one undisturbed sample keeps its disturbed ones (match/): its means hold them.
    const auto whole_runs = rows.Integer(0, "whole_runs");
    sentence +=
        whole_runs == 0
            ? " and left out of the means."
            : fmt::format("; {} runs have no other, so their means rest on them.", whole_runs);
  }
  XSP_TRY(const std::string in_time, NoiseInTime(database));
  return Badge{"noise", StatusUpTo(share, 0.10, 0.30), Percent(share), sentence + in_time,
               "method-samples"};
}

Result<Badge> AttributionBadge(const store::Database& database) {
  XSP_TRY(const std::optional<Attribution> found, FindAttribution(database));
  if (!found) {
    return Badge{"attribution", "unknown", "not known", "No kernel was recorded.",
                 "method-matching"};
  }
  return Badge{"attribution", StatusUpTo(1 - found->share, 0.01, 0.10), Percent(found->share),
               found->sentence, "method-matching"};
}

/// What the system monitor could not see of the machine is no record of the program that was lost.
Result<Badge> Losses(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT coalesce(sum(count), 0) AS lost, count(DISTINCT name) AS kinds FROM diagnostic
      WHERE name NOT LIKE 'correlate%' AND name NOT LIKE 'monitor%'
        AND name NOT LIKE 'sampling%')"));
  XSP_TRY(const Rows failed,
          Rows::Of(database, "SELECT count(*) AS runs FROM run WHERE status <> 'done'"));
  const auto lost = rows.Integer(0, "lost");
  const auto bad_runs = failed.Integer(0, "runs");
  if (bad_runs > 0) {
    return Badge{"losses", "red", fmt::format("{} {}", bad_runs, bad_runs == 1 ? "run" : "runs"),
                 fmt::format("{} did not finish; what they would show is missing.",
                             bad_runs == 1 ? "One run" : fmt::format("{} runs", bad_runs)),
                 "method-losses"};
  }
  return Badge{"losses", lost == 0 ? "green" : "amber",
               fmt::format("{} {}", lost, lost == 1 ? "record" : "records"),
               lost == 0 ? "Nothing was dropped and everything could be read."
                         : fmt::format("{} records of {} kinds could not be kept or read as they "
                                       "stood.",
                                       lost, rows.Integer(0, "kinds")),
               "method-losses"};
}

}  // namespace

Result<bool> WasOnlyMonitored(const store::Database& database) {
  XSP_TRY(const Rows rows,
          Rows::Of(database, "SELECT bool_and(rung = 'monitor') AS monitored FROM run"));
  return rows.Truth(0, "monitored");
}

Result<std::vector<Badge>> Badges(const store::Database& database) {
  XSP_TRY(const bool monitored, WasOnlyMonitored(database));
  if (monitored) {
    XSP_TRY(Badge losses, Losses(database));
    return std::vector<Badge>{std::move(losses)};
  }
  XSP_TRY(Badge distortion, Distortion(database));
  XSP_TRY(Badge noise, Noise(database));
  XSP_TRY(Badge attribution, AttributionBadge(database));
  XSP_TRY(Badge losses, Losses(database));
  return std::vector<Badge>{std::move(distortion), std::move(noise), std::move(attribution),
                            std::move(losses)};
}

}  // namespace xsp::report
