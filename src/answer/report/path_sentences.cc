#include "answer/report/path_sentences.h"

#include <fmt/format.h>

#include <string>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"
#include "answer/wording/short_name.h"

namespace xsp::report {
namespace {

/// Of the path: what is more of it than this decides how long it takes.
constexpr double kMostOfPath = 0.6;
/// Of the path: a name worth naming.
constexpr double kNameMatters = 0.1;
/// A rank stands out that comes last this much more often than its turn...
constexpr double kOutOfTurn = 1.5;
/// ... in at least this many collectives, ...
constexpr std::int64_t kFewCalls = 10;
/// ... when waiting for the last costs the others this share of their devices' time.
constexpr double kPathWaitMatters = 0.05;
/// Clocks that disagree by more than this share of the mean wait leave nothing to say.
constexpr double kClocksAgree = 0.1;

std::string SubjectOf(const std::string& kind) {
  if (kind == "host") return "The host is";
  if (kind == "compute") return "Computing kernels are";
  if (kind == "communication") return "Communication is";
  if (kind == "copy") return "Copies are";
  return fmt::format("Waiting between work ({}) is", kind);
}

/// What faster kernels would gain where the path is the host's. A trace that leaves out the calls
/// that wait for the device shows their time as the host's own.
std::string GainOf(double compute_share, bool shows_waiting) {
  if (!shows_waiting) return "; no call that waits for the device is recorded on it";
  constexpr double kNothing = 0.0005;
  if (compute_share < kNothing) return "; faster kernels would gain nothing";
  return fmt::format("; faster kernels would gain at most {}", wording::Percent(compute_share));
}

Result<std::vector<Sentence>> CriticalPath(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH path AS (SELECT c.* FROM critical_path c JOIN run USING (run_id) WHERE point_id = {}),
      named AS (
        SELECT kind, name, sum(duration_ns) AS ns FROM path GROUP BY kind, name)
      SELECT kind, sum(ns) AS ns, sum(sum(ns)) OVER () AS whole_ns,
             max(ns) FILTER (name NOT LIKE '(%') AS top_ns,
             arg_max(name, ns) FILTER (name NOT LIKE '(%') AS top,
             sum(coalesce(sum(ns) FILTER (kind = 'compute'), 0)) OVER () AS compute_ns,
             sum(coalesce(sum(ns) FILTER (kind = 'synchronisation'), 0)) OVER () AS waiting_ns
      FROM named GROUP BY kind ORDER BY ns DESC, kind LIMIT 1)",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  const double whole = rows.Number(0, "whole_ns");
  const double share = rows.Number(0, "ns") / whole;
  if (!(share >= kMostOfPath)) return std::vector<Sentence>{};
  const std::string kind = rows.Text(0, "kind");
  std::string text =
      fmt::format("{} {} of the critical path", SubjectOf(kind), wording::Percent(share));
  if (!rows.IsNull(0, "top_ns") && rows.Number(0, "top_ns") / whole >= kNameMatters)
    text += fmt::format(", `{}` alone {}", wording::ShortName(rows.Text(0, "top")),
                        wording::Percent(rows.Number(0, "top_ns") / whole));
  if (kind == "host")
    text += GainOf(rows.Number(0, "compute_ns") / whole, rows.Number(0, "waiting_ns") > 0);
  return std::vector<Sentence>{{text + ".", "analysis-critical_path"}};
}

Result<std::vector<Sentence>> Stragglers(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH placed AS (
        SELECT c.*, start_ns + duration_ns AS end_ns,
               max(start_ns + duration_ns) OVER (
                 PARTITION BY run_id, operation, process_group,
                              CASE WHEN process_group IS NULL THEN stream END, instance,
                              start_ns + arrival_skew_ns) AS last_end_ns
        FROM collective c JOIN run USING (run_id)
        WHERE point_id = {0} AND arrival_skew_ns IS NOT NULL),
      ranks AS (
        SELECT run_id, rank, count(*) AS calls, sum(arrival_skew_ns) AS waited_ns,
               count(*) FILTER (arrival_skew_ns = 0) AS last_calls,
               median(last_end_ns - end_ns) AS end_skew_ns
        FROM placed GROUP BY run_id, rank),
      timed AS (
        SELECT r.*, d.device_ns FROM ranks r
        JOIN (SELECT run_id, rank, sum(total_ns) AS device_ns FROM device_time
              WHERE step IS NULL GROUP BY run_id, rank) d
          ON d.run_id = r.run_id AND d.rank IS NOT DISTINCT FROM r.rank),
      whole AS (
        SELECT run_id, count(*) AS ranks, sum(waited_ns) AS waited_ns,
               sum(device_ns) AS device_ns, sum(calls) AS calls, max(end_skew_ns) AS end_skew_ns
        FROM timed GROUP BY run_id)
      SELECT t.rank, w.ranks, t.calls, t.last_calls / t.calls AS last_share,
             (w.waited_ns - t.waited_ns) / (w.device_ns - t.device_ns) AS waited_share,
             w.end_skew_ns / (w.waited_ns / w.calls) AS clock_share
      FROM timed t JOIN whole w USING (run_id)
      WHERE w.ranks > 1 AND t.rank IS NOT NULL ORDER BY last_share DESC, t.rank LIMIT 1)",
                                                          point_id)));
  if (rows.empty() || rows.Integer(0, "calls") < kFewCalls) return std::vector<Sentence>{};
  const double last = rows.Number(0, "last_share");
  const double turn = 1.0 / static_cast<double>(rows.Integer(0, "ranks"));
  const double waited = rows.Number(0, "waited_share");
  const bool stands_out = last >= kOutOfTurn * turn && waited >= kPathWaitMatters &&
                          rows.Number(0, "clock_share") <= kClocksAgree;
  if (!stands_out) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("Rank {} comes last to {} of the collectives; in collectives the other ranks of "
                   "this import wait {} of their devices' time for whoever is last.",
                   rows.Integer(0, "rank"), wording::Percent(last), wording::Percent(waited)),
       "analysis-communication"}};
}

}  // namespace

Result<std::vector<Sentence>> PathSentences(const store::Database& database,
                                            std::int64_t point_id) {
  XSP_TRY(std::vector<Sentence> sentences, CriticalPath(database, point_id));
  XSP_TRY(const std::vector<Sentence> stragglers, Stragglers(database, point_id));
  sentences.insert(sentences.end(), stragglers.begin(), stragglers.end());
  return sentences;
}

}  // namespace xsp::report
