#include "answer/report/function_sentences.h"

#include <fmt/format.h>

#include <string>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"
#include "answer/wording/short_name.h"

namespace xsp::report {
namespace {

/// Fewer samples tell a share of a tenth to no better than a third of it.
constexpr std::int64_t kFewestSamples = 100;
constexpr double kWorthNaming = 0.05;

}  // namespace

Result<std::vector<Sentence>> FunctionSentences(const store::Database& database,
                                                std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH own AS (
        SELECT c.kind, c.frame, any_value(c.module) AS module, sum(c.self_samples) AS samples
        FROM call_tree c JOIN run r USING (run_id) WHERE r.point_id = {} GROUP BY c.kind, c.frame),
      shared AS (SELECT *, sum(samples) OVER (PARTITION BY kind) AS whole FROM own)
      SELECT kind, frame, module, samples / whole AS share, whole FROM shared
      WHERE samples > 0 AND frame <> '(smaller)' ORDER BY kind = 'native' DESC, samples DESC, frame LIMIT 3)",
                                                          point_id)));
  if (rows.empty() || rows.Integer(0, "whole") < kFewestSamples ||
      rows.Number(0, "share") < kWorthNaming)
    return std::vector<Sentence>{};
  const bool native = rows.Text(0, "kind") == "native";
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.Text(i, "kind") != rows.Text(0, "kind") || rows.Number(i, "share") < kWorthNaming)
      break;
    text += fmt::format("{}`{}` ({}) {}", text.empty() ? "" : ", ",
                        wording::ShortName(rows.Text(i, "frame")), rows.Text(i, "module"),
                        wording::Percent(rows.Number(i, "share")));
  }
  return std::vector<Sentence>{
      {fmt::format("Functions with the most {} of their own: {} (of {} samples).",
                   native ? "CPU time" : "time (threads that wait included)", text,
                   rows.Integer(0, "whole")),
       "analysis-flame_graph"}};
}

}  // namespace xsp::report
