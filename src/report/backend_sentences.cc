#include "report/backend_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <vector>

#include "report/quantity.h"
#include "report/rows.h"

namespace xsp::report {
namespace {

constexpr double kSameLabels = 1;

/// "ONNX Runtime 2.08 (1.89 to 2.28)".
std::string RatioText(const Rows& rows, std::size_t row) {
  return fmt::format(
      "{} {} ({} to {})", rows.Text(row, "backend"), Format(rows.Number(row, "ratio"), {}),
      Format(rows.Number(row, "ratio_low"), {}), Format(rows.Number(row, "ratio_high"), {}));
}

/// "OpenVINO ran in bfloat16, PyTorch and ONNX Runtime in float32."; empty: all in the same.
std::string PrecisionsText(const Rows& rows) {
  std::map<std::string, std::vector<std::string>> backends;
  for (std::size_t i = 0; i < rows.size(); ++i)
    backends[rows.Text(i, "precision")].push_back(rows.Text(i, "backend"));
  if (backends.size() < 2) return {};
  std::string text;
  for (const auto& [precision, names] : backends)
    text += fmt::format("{} {}in {}", text.empty() ? "" : ",",
                        fmt::format("{} {}", fmt::join(names, ", "), text.empty() ? "ran " : ""),
                        precision);
  return text + ".";
}

Result<std::vector<Sentence>> Fastest(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH peers AS (
        SELECT p.* FROM point p JOIN point mine ON mine.point_id = {}
          AND p.model = mine.model AND p.batch IS NOT DISTINCT FROM mine.batch
        WHERE p.point_id IN (SELECT point_id FROM comparison)),
      fastest AS (SELECT arg_min(point_id, latency_ns) AS id FROM peers)
      SELECT p.backend, p.batch, p.precision, p.latency_ns, c.ratio, c.ratio_low, c.ratio_high,
             c.verdict
      FROM peers p JOIN fastest f ON true
      LEFT JOIN comparison c ON c.point_id = p.point_id AND c.against_point_id = f.id
      ORDER BY p.latency_ns, p.point_id)",
                                                          point_id)));
  if (rows.size() < 2) return std::vector<Sentence>{};
  std::string text = fmt::format(
      "{} is the fastest{}: {} a call", rows.Text(0, "backend"),
      rows.IsNull(0, "batch") ? "" : fmt::format(" at batch {}", rows.Integer(0, "batch")),
      FormatQuantity(rows.Number(0, "latency_ns"), "ns"));
  std::string slower, alike;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    // What is not told apart for want of a second process is still a ratio.
    const bool is_alike = rows.Text(i, "verdict") == "no difference found";
    std::string& list = is_alike ? alike : slower;
    list += (list.empty() ? "" : ", ") + (is_alike ? rows.Text(i, "backend") : RatioText(rows, i));
  }
  if (!alike.empty()) text += fmt::format("; no difference found to {}", alike);
  if (!slower.empty()) text += fmt::format(". Times its latency, with 95 % intervals: {}", slower);
  text += "." + PrecisionsText(rows);
  return std::vector<Sentence>{{text, "analysis-backends"}};
}

Result<std::vector<Sentence>> Results(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT p.backend, r.backend AS reference, min(a.label_agreement) AS labels,
             max(a.max_absolute_error) AS error, min(a.cosine_similarity) AS cosine,
             min(a.message) AS message
      FROM agreement a JOIN point p USING (point_id)
      JOIN point r ON r.point_id = a.against_point_id
      JOIN point mine ON mine.point_id = {}
        AND p.model = mine.model AND p.batch IS NOT DISTINCT FROM mine.batch
      GROUP BY p.point_id, p.backend, r.backend ORDER BY p.point_id)",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  std::string same, text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows.IsNull(i, "message")) {
      text += fmt::format(" {}: {}.", rows.Text(i, "backend"), rows.Text(i, "message"));
    } else if (rows.Number(i, "labels") >= kSameLabels) {
      same += fmt::format("{}{} (largest difference {}, cosine {})", same.empty() ? "" : ", ",
                          rows.Text(i, "backend"), Format(rows.Number(i, "error"), {}),
                          Format(rows.Number(i, "cosine"), {}));
    } else {
      text += fmt::format(" {} names another largest class for {} of the rows.",
                          rows.Text(i, "backend"), Percent(1 - rows.Number(i, "labels")));
    }
  }
  const std::string head =
      same.empty() ? fmt::format("Results against {}:", rows.Text(0, "reference"))
                   : fmt::format("Results agree with {} on the largest class of every row: {}.",
                                 rows.Text(0, "reference"), same);
  return std::vector<Sentence>{{head + text, "analysis-backends"}};
}

}  // namespace

Result<std::vector<Sentence>> BackendSentences(const store::Database& database,
                                               std::int64_t point_id) {
  XSP_TRY(std::vector<Sentence> sentences, Fastest(database, point_id));
  XSP_TRY(const std::vector<Sentence> results, Results(database, point_id));
  sentences.insert(sentences.end(), results.begin(), results.end());
  return sentences;
}

}  // namespace xsp::report
