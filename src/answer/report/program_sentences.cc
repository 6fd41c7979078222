#include "answer/report/program_sentences.h"

#include <fmt/format.h>

#include <string>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

/// Of the time from the first call to the last, from which waiting or other work is worth a word.
constexpr double kMuchOfLoop = 0.1;
/// Of the program's time: compiling, and what lies outside of the loop. Every program starts.
constexpr double kMuchCompiling = 0.05;
constexpr double kMostOfProgram = 0.5;
constexpr std::int64_t kFewestCalls = 2;

/// The thread with the most time in model calls, what it does from the first to the last of them,
/// and the whole program around it.
Result<Rows> Program(const store::Database& database, std::int64_t run_id) {
  return Rows::Of(database, fmt::format(R"(
      WITH spans AS (
        SELECT id, parent_id, level, type, name, track_id, start_ns, duration_ns, start_ns + duration_ns AS end_ns
        FROM span
        WHERE run_id = {0} AND duration_ns IS NOT NULL
          AND (level = 'model' OR type = 'compile' OR name LIKE 'enumerate(DataLoader)%')),
      calls AS (
        SELECT * FROM spans WHERE level = 'model' AND parent_id = 0 AND track_id = (
          SELECT track_id FROM spans WHERE level = 'model' AND parent_id = 0
          GROUP BY track_id ORDER BY sum(duration_ns) DESC, track_id LIMIT 1)),
      loop AS (
        SELECT count(*) AS calls, bool_and(type = 'train') AS trains, sum(duration_ns) AS calls_ns,
               min(start_ns) AS first_ns, max(end_ns) AS last_ns, any_value(track_id) AS track_id FROM calls),
      waits AS (
        SELECT sum(w.duration_ns) AS waits_ns, any_value(w.name) AS wait
        FROM spans w JOIN loop l ON w.track_id = l.track_id AND w.start_ns >= l.first_ns AND w.end_ns <= l.last_ns
        WHERE w.name LIKE 'enumerate(DataLoader)%'
          AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.start_ns <= w.start_ns AND c.end_ns >= w.end_ns)),
      compiled AS (
        SELECT count(*) AS compilations, sum(c.duration_ns) AS compile_ns
        FROM spans c LEFT JOIN spans above ON above.id = c.parent_id
        WHERE c.type = 'compile' AND above.type IS DISTINCT FROM 'compile'),
      program AS (
        SELECT min(time_ns) AS begin_ns, max(until_ns) AS end_ns
        FROM system_series WHERE run_id = {0})
      SELECT *, end_ns - begin_ns AS program_ns
      FROM loop, waits, compiled, program WHERE calls > 0)",
                                        run_id));
}

std::string Name(const Rows& rows, bool several) {
  const std::string_view what = rows.Truth(0, "trains") ? "training step" : "model call";
  return fmt::format("{}{}", what, several ? "s" : "");
}

/// From the first call to the last.
void SayLoop(const Rows& rows, std::vector<Sentence>& sentences) {
  const double loop_ns = rows.Number(0, "last_ns") - rows.Number(0, "first_ns");
  const double calls_ns = rows.Number(0, "calls_ns");
  const double waits_ns = rows.IsNull(0, "waits_ns") ? 0 : rows.Number(0, "waits_ns");
  const double rest_ns = loop_ns - calls_ns - waits_ns;
  if (rows.Integer(0, "calls") < kFewestCalls || !(loop_ns > 0)) return;
  const bool waits = waits_ns >= kMuchOfLoop * loop_ns;
  if (!waits && !(rest_ns >= kMuchOfLoop * loop_ns)) return;
  std::string text =
      fmt::format("From the first {} to the end of the last {} pass: {} in {} of them",
                  Name(rows, false), wording::FormatQuantity(loop_ns, "ns"),
                  wording::Percent(calls_ns / loop_ns), rows.Integer(0, "calls"));
  if (waits_ns > 0)
    text += fmt::format(", {} waiting for data (`enumerate(DataLoader)`)",
                        wording::Percent(waits_ns / loop_ns));
  if (rest_ns > 0) text += fmt::format(", {} elsewhere", wording::Percent(rest_ns / loop_ns));
  if (waits) text += ". More `num_workers` of the loader, or less work for each sample, would help";
  sentences.push_back({text + ".", "timeline"});
}

void SayCompilation(const Rows& rows, std::vector<Sentence>& sentences) {
  const std::int64_t count = rows.Integer(0, "compilations");
  const double share = rows.Number(0, "compile_ns") / rows.Number(0, "program_ns");
  if (count == 0 || !(share >= kMuchCompiling)) return;
  sentences.push_back(
      {fmt::format("Compiling takes {}, {} of the program's {}, in {} compilation{}.",
                   wording::FormatQuantity(rows.Number(0, "compile_ns"), "ns"),
                   wording::Percent(share),
                   wording::FormatQuantity(rows.Number(0, "program_ns"), "ns"), count,
                   count == 1 ? "" : "s"),
       "timeline"});
}

/// Before the first call and after the last.
void SayRest(const Rows& rows, std::vector<Sentence>& sentences) {
  const double before_ns = rows.Number(0, "first_ns") - rows.Number(0, "begin_ns");
  const double after_ns = rows.Number(0, "end_ns") - rows.Number(0, "last_ns");
  const double program_ns = rows.Number(0, "program_ns");
  if (!(before_ns >= 0) || !(after_ns >= 0) ||
      !(before_ns + after_ns >= kMostOfProgram * program_ns))
    return;
  sentences.push_back(
      {fmt::format("Of the program's {}, {} pass before its first {} and {} after the last.",
                   wording::FormatQuantity(program_ns, "ns"),
                   wording::FormatQuantity(before_ns, "ns"), Name(rows, false),
                   wording::FormatQuantity(after_ns, "ns")),
       "timeline"});
}

}  // namespace

Result<std::vector<Sentence>> ProgramSentences(const store::Database& database,
                                               std::int64_t point_id) {
  std::vector<Sentence> sentences;
  XSP_TRY(const Rows recorded,
          Rows::Of(database, fmt::format("SELECT run_id FROM run WHERE point_id = {} "
                                         "AND rung = 'recorded' ORDER BY run_id LIMIT 1",
                                         point_id)));
  if (recorded.empty()) return sentences;
  XSP_TRY(const Rows rows, Program(database, recorded.Integer(0, "run_id")));
  if (rows.empty()) return sentences;
  SayLoop(rows, sentences);
  SayCompilation(rows, sentences);
  SayRest(rows, sentences);
  return sentences;
}

}  // namespace xsp::report
