#include "answer/report/evaluation_sentences.h"

#include <fmt/format.h>

#include <string>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

/// "top_1 76.1 %, same_top_1 100 % (against PyTorch 2.15.0)"; empty: no score.
Result<std::string> ScoresText(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT metric, reference, value FROM accuracy WHERE point_id = {} AND value IS NOT NULL
        AND metric IN ('top_1', 'top_5', 'ap', 'ap_50', 'bleu', 'exact_match', 'same_top_1', 'same_text')
      ORDER BY reference NULLS FIRST, metric)",
                                                          point_id)));
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = rows.Number(i, "value");
    text += fmt::format(
        "{}{} {}", text.empty() ? "" : ", ", rows.Text(i, "metric"),
        rows.Text(i, "metric") == "bleu" ? fmt::format("{:.1f}", value) : wording::Percent(value));
    if (!rows.IsNull(i, "reference"))
      text += fmt::format(" (against {})", rows.Text(i, "reference"));
  }
  return text;
}

Result<std::vector<Sentence>> Accuracy(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT p.backend, e.* FROM evaluation e JOIN point p USING (point_id) WHERE point_id = {})",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  XSP_TRY(const std::string scores, ScoresText(database, point_id));
  std::string text =
      fmt::format("{} predicted {} of {} samples of {}{}{}.", rows.Text(0, "backend"),
                  rows.Integer(0, "predicted"), rows.Integer(0, "samples"), rows.Text(0, "dataset"),
                  scores.empty() ? "" : ": ", scores);
  if (rows.Integer(0, "failed") > 0)
    text += fmt::format(" {} could not be taken, the first is {}.", rows.Integer(0, "failed"),
                        rows.Text(0, "first_failure"));
  return std::vector<Sentence>{{text, "analysis-accuracy"}};
}

Result<std::vector<Sentence>> Cost(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT sum(mean_ns) AS all_ns, sum(mean_ns) FILTER (WHERE stage = 'preprocess') AS before_ns,
             sum(mean_ns) FILTER (WHERE stage = 'predict') AS model_ns,
             arg_max(step, mean_ns) FILTER (WHERE stage = 'preprocess') AS costliest,
             max(mean_ns) FILTER (WHERE stage = 'preprocess') AS costliest_ns
      FROM pipeline_step WHERE point_id = {} HAVING sum(mean_ns) > 0)",
                                                          point_id)));
  if (rows.empty() || rows.IsNull(0, "before_ns") || rows.IsNull(0, "model_ns"))
    return std::vector<Sentence>{};
  const double all = rows.Number(0, "all_ns");
  return std::vector<Sentence>{
      {fmt::format("A sample takes {} from reading to prediction on one thread: {} before the "
                   "model (the largest part {}, {}), {} in it.",
                   wording::FormatQuantity(all, "ns"),
                   wording::Percent(rows.Number(0, "before_ns") / all), rows.Text(0, "costliest"),
                   wording::FormatQuantity(rows.Number(0, "costliest_ns"), "ns"),
                   wording::Percent(rows.Number(0, "model_ns") / all)),
       "analysis-pipeline"}};
}

}  // namespace

Result<std::vector<Sentence>> EvaluationSentences(const store::Database& database,
                                                  std::int64_t point_id) {
  XSP_TRY(std::vector<Sentence> sentences, Accuracy(database, point_id));
  XSP_TRY(const std::vector<Sentence> cost, Cost(database, point_id));
  sentences.insert(sentences.end(), cost.begin(), cost.end());
  return sentences;
}

}  // namespace xsp::report
