#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "answer/report/attribution.h"
#include "answer/report/rows.h"
#include "answer/report/summary.h"
#include "answer/wording/quantity.h"
#include "core/counted.h"

namespace xsp::report {
namespace {

/// Green up to `green`, amber up to `amber`, else red; `value` grows with the harm.
std::string StatusUpTo(double value, double green, double amber) {
  return value <= green ? "green" : value <= amber ? "amber" : "red";
}

Result<Badge> Distortion(const store::Database& database) {
  // The rungs whose times are shown: layer latencies and kernel durations. The details pass costs
  // more, but its times are discarded. Calls that other programs held up leave wide intervals,
  // which reach to gains that no profiling has.
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT r.rung, p.batch, CASE WHEN p.point_id IN (SELECT point_id FROM comparison) THEN p.backend END AS backend,
             r.overhead_ratio AS ratio, r.overhead_ratio_low AS low, r.overhead_ratio_high AS high,
             r.overhead_basis AS basis,
             coalesce((high - low) / 2 > 0.10 AND low < 0, false) AS is_vague,
             count(*) FILTER (WHERE is_vague) OVER () AS vague_runs
      FROM run r JOIN point p USING (point_id)
      WHERE r.overhead_ratio IS NOT NULL AND r.rung IN ('layer', 'library', 'kernel', 'recorded')
      ORDER BY is_vague, abs(r.overhead_ratio) DESC LIMIT 1)"));
  if (rows.empty()) {
    XSP_TRY(const Rows profiled, Rows::Of(database, R"(
        SELECT count(*) AS runs FROM run
        WHERE samples > 0 AND process_pair IS NULL AND rung IN ('layer', 'library', 'kernel'))"));
    const bool measured = profiled.Integer(0, "runs") > 0;
    return Badge{"distortion", "unknown", "not known",
                 measured ? "This backend cannot switch profiling within a process, and what two "
                            "processes differ in is larger than what profiling costs: `xsp run "
                            "--processes 5` compares pairs of processes."
                          : "One rung alone does not show what its profiling costs.",
                 "method-ladder"};
  }
  const double ratio = rows.Number(0, "ratio");
  std::string batch =
      rows.IsNull(0, "batch") ? "" : fmt::format(" at batch {}", rows.Integer(0, "batch"));
  if (!rows.IsNull(0, "backend")) batch += fmt::format(" on {}", rows.Text(0, "backend"));
  const std::string interval =
      rows.IsNull(0, "low")
          ? " (one comparison, without an interval)"
          : fmt::format(" (95 % interval {} to {})", wording::Percent(rows.Number(0, "low")),
                        wording::Percent(rows.Number(0, "high")));
  if (rows.Truth(0, "is_vague")) {
    return Badge{"distortion", "unknown", "not known",
                 fmt::format("What profiling costs does not show: calls differ too much. The {} "
                             "rung changes the latency of a call by {} to {} (95 % interval){}.",
                             rows.Text(0, "rung"), wording::Percent(rows.Number(0, "low")),
                             wording::Percent(rows.Number(0, "high")), batch),
                 "method-ladder"};
  }
  const std::int64_t vague_runs = rows.Integer(0, "vague_runs");
  const std::string others =
      vague_runs == 0 ? ""
                      : fmt::format(" Calls of {} differ too much to show what their rung costs.",
                                    core::Counted(vague_runs, "other run"));
  const std::string status = StatusUpTo(std::abs(ratio), 0.03, 0.10);
  if (rows.Text(0, "rung") == "recorded" && rows.Text(0, "basis") != "whole program") {
    return Badge{
        "distortion", status, wording::Percent(ratio),
        fmt::format(
            "The framework's profiler changes the latency of a call by {}: the first calls ran "
            "with it, later ones without. They did not alternate, so there is no interval.",
            wording::Percent(ratio)),
        "method-ladder"};
  }
  if (rows.Text(0, "rung") == "recorded") {
    return Badge{"distortion", status, wording::Percent(ratio),
                 fmt::format("Recording changes the wall time of the whole program by {}{}.",
                             wording::Percent(ratio), interval),
                 "method-ladder"};
  }
  return Badge{
      "distortion", status, wording::Percent(ratio),
      fmt::format("The {} rung changes the latency of a call by {}{}{}, more than any other rung "
                  "whose times are shown; model latencies are from runs without it.{}",
                  rows.Text(0, "rung"), wording::Percent(ratio), interval, batch, others),
      "method-ladder"};
}

/// How much time was lost to others, of the calls whose times are shown, and how far two processes
/// that did the same differ.
struct Noise {
  std::int64_t samples = 0, disturbed = 0, whole_runs = 0;
  double lost_share = 0;  ///< Of a call's time: the mean of the calls.
  double apart = 1;       ///< Of a process, over another: at least 1, which is also "not known".
};

Result<Noise> ReadNoise(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      WITH own AS (
        SELECT s.* FROM sample s JOIN run r USING (run_id)
        WHERE coalesce(s.rung, r.rung) = r.rung AND r.rung NOT IN ('details', 'counters', 'imported', 'recorded'))
      SELECT count(*) AS samples, count(*) FILTER (WHERE disturbed) AS disturbed,
             coalesce(avg(least(coalesce(waited_ns, 0) / nullif(latency_ns, 0), 1)), 0) AS lost,
             (SELECT count(*) FROM run WHERE rung NOT IN ('details', 'counters') AND samples > 0 AND samples = disturbed)
               AS whole_runs,
             coalesce((SELECT max(greatest(deeper.baseline_ns / run.latency_ns, run.latency_ns / deeper.baseline_ns))
                       FROM run JOIN run deeper USING (point_id)
                       WHERE (run.rung, deeper.rung) IN (('model', 'layer'), ('layer', 'kernel'))
                         AND run.process_pair IS NULL), 1) AS apart
      FROM own)"));
  return Noise{rows.Integer(0, "samples"), rows.Integer(0, "disturbed"),
               rows.Integer(0, "whole_runs"), rows.Number(0, "lost"), rows.Number(0, "apart")};
}

/// How narrow the widest interval of a point's latency is.
Result<std::optional<std::pair<double, std::string>>> WidestInterval(
    const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT (latency_high_ns - latency_low_ns) / 2 / latency_ns AS half, batch
      FROM point WHERE latency_low_ns IS NOT NULL AND latency_ns > 0 ORDER BY half DESC LIMIT 1)"));
  std::optional<std::pair<double, std::string>> widest;
  if (!rows.empty())
    widest.emplace(rows.Number(0, "half"),
                   rows.IsNull(0, "batch")
                       ? std::string()
                       : fmt::format(", widest at batch {}", rows.Integer(0, "batch")));
  return widest;
}

std::string DisturbedSentence(const Noise& noise) {
  if (noise.disturbed == 0)
    return fmt::format("None of {} calls lost more than 5 % of its time to other programs.",
                       noise.samples);
  // A run without one undisturbed sample keeps its disturbed ones (match/): its means hold them.
  return fmt::format(
      "{} of {} calls lost more than 5 % of their time to other programs{}", noise.disturbed,
      noise.samples,
      noise.whole_runs == 0
          ? "; they are left out of the means."
          : fmt::format("; {} {} no other calls, so the means rest on them.", noise.whole_runs,
                        noise.whole_runs == 1 ? "run has" : "runs have"));
}

/// Green: latencies are known to 5 %, as sampling aims at, and little time was lost. Red: values
/// cannot be trusted.
Result<Badge> NoiseBadge(const store::Database& database) {
  XSP_TRY(const Noise noise, ReadNoise(database));
  if (noise.samples == 0) {
    return Badge{
        "noise", "unknown", "not known",
        "No model call was timed here, so how much other programs interfered is not known.",
        "method-samples"};
  }
  XSP_TRY(const auto widest, WidestInterval(database));
  constexpr double kNarrow = 0.055, kWide = 0.15;  // The target is 5 %; rounding is no verdict.
  constexpr double kLittle = 0.10, kMuch = 0.50;
  const double half = widest ? widest->first : 1;
  const std::string by_width = StatusUpTo(half, kNarrow, kWide);
  const std::string by_loss = StatusUpTo(noise.lost_share, kLittle, kMuch);
  const std::string status = by_width == "red" || by_loss == "red"       ? "red"
                             : by_width == "amber" || by_loss == "amber" ? "amber"
                                                                         : "green";
  std::string sentence = widest ? fmt::format("The 95 % interval of a latency is at most ±{}{}.",
                                              wording::Percent(half), widest->second)
                                : "Too few calls were made for an interval of their latency.";
  sentence += " " + DisturbedSentence(noise);
  if (noise.lost_share >= 0.01)
    sentence += fmt::format(" Calls waited for a core for {} of their time.",
                            wording::Percent(noise.lost_share));
  if (noise.apart > 1)
    sentence += fmt::format(
        " The same calls took up to {} in one process of this experiment {} in another: smaller "
        "differences between runs mean nothing.",
        noise.apart < 2 ? wording::Percent(noise.apart - 1) + " longer"
                        : fmt::format("{:.3g} times as long", noise.apart),
        noise.apart < 2 ? "than" : "as");
  return Badge{"noise", status, widest ? "±" + wording::Percent(half) : "not known", sentence,
               "method-samples"};
}

Result<Badge> AttributionBadge(const store::Database& database) {
  XSP_TRY(const std::optional<Attribution> found, FindAttribution(database));
  if (!found) {
    return Badge{"attribution", "unknown", "not known", "No kernel was recorded.",
                 "method-matching"};
  }
  return Badge{"attribution", StatusUpTo(1 - found->share, 0.01, 0.10),
               wording::Percent(found->share), found->sentence, "method-matching"};
}

/// The notes among the diagnostics of runs that were stored before they had a kind.
constexpr std::string_view kNotesByName =
    "name LIKE 'correlate%' OR name LIKE 'monitor%' OR name LIKE 'sampling%' OR "
    "name = 'xsp_recording_unknown_primitive'";

/// Notes are no losses, nor is a backend that cannot run the model beside others that can.
Result<Badge> Losses(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT coalesce(sum(count), 0) AS lost, count(DISTINCT name) AS kinds FROM diagnostic
      WHERE coalesce(kind = 'loss', NOT ({})))",
                                                          kNotesByName)));
  XSP_TRY(const Rows failed, Rows::Of(database, R"(
              WITH ran AS (SELECT DISTINCT point_id, batch FROM run JOIN point USING (point_id) WHERE run.status = 'done')
              SELECT count(*) AS runs FROM run JOIN point p USING (point_id)
              WHERE run.status <> 'done'
                AND (p.point_id IN (SELECT point_id FROM ran) OR p.batch IS NULL OR p.batch NOT IN (SELECT batch FROM ran)))"));
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
  XSP_TRY(Badge noise, NoiseBadge(database));
  XSP_TRY(Badge attribution, AttributionBadge(database));
  XSP_TRY(Badge losses, Losses(database));
  return std::vector<Badge>{std::move(distortion), std::move(noise), std::move(attribution),
                            std::move(losses)};
}

}  // namespace xsp::report
