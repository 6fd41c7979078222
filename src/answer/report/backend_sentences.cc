#include "answer/report/backend_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

constexpr double kSameLabels = 1;
/// Cosine of two outputs as vectors: rounding of lower precisions stays above the first, other
/// results lie below the second.
constexpr double kCosineOfSame = 0.999, kCosineOfOther = 0.9;

/// "ONNX Runtime 2.08 (1.89 to 2.28)".
std::string RatioText(const Rows& rows, std::size_t row) {
  return fmt::format("{} {} ({} to {})", rows.Text(row, "backend"),
                     wording::Format(rows.Number(row, "ratio"), {}),
                     wording::Format(rows.Number(row, "ratio_low"), {}),
                     wording::Format(rows.Number(row, "ratio_high"), {}));
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
  const std::string at =
      rows.IsNull(0, "batch") ? "" : fmt::format(" at batch {}", rows.Integer(0, "batch"));
  const std::string latency = wording::FormatQuantity(rows.Number(0, "latency_ns"), "ns");
  std::vector<std::string> slower, alike;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    // Without a second process there is no verdict, but still a ratio.
    const bool is_alike = rows.Text(i, "verdict") == "no difference found";
    if (is_alike) alike.push_back(rows.Text(i, "backend"));
    if (!is_alike) slower.push_back(RatioText(rows, i));
  }
  std::string text;
  if (alike.empty()) {
    text = fmt::format("{} is the fastest{}: {} a call", rows.Text(0, "backend"), at, latency);
  } else if (slower.empty()) {
    text = fmt::format("No difference in speed was found{} between {} ({} a call) and {}", at,
                       rows.Text(0, "backend"), latency, fmt::join(alike, ", "));
  } else {
    text = fmt::format("{} ({} a call) and {} are the fastest{}, with no difference found",
                       rows.Text(0, "backend"), latency, fmt::join(alike, ", "), at);
  }
  if (!slower.empty())
    text += fmt::format(". Times the latency of {}, with 95 % intervals: {}",
                        rows.Text(0, "backend"), fmt::join(slower, ", "));
  text += "." + PrecisionsText(rows);
  return std::vector<Sentence>{{text, "analysis-backends"}};
}

/// What a backend's results are beside the reference's, by what fits the output: the largest class
/// of rows of class scores, else error and cosine.
struct Comparison {
  std::string same;         ///< "OpenVINO (largest difference 0.1, cosine 1.00)"; empty: not so.
  std::string different;    ///< A sentence.
  bool is_another = false;  ///< Results of another computation.
};

Comparison Compare(const Rows& rows, std::size_t i) {
  const std::string backend = rows.Text(i, "backend");
  if (!rows.IsNull(i, "message"))
    return {"", fmt::format("{}: {}.", backend, rows.Text(i, "message")), true};
  const double cosine = rows.Number(i, "cosine");
  // Four digits: 0.9985 is not 0.999.
  const std::string distance = fmt::format("largest difference {}, cosine {:.4g}",
                                           wording::Format(rows.Number(i, "error"), {}), cosine);
  const bool is_another = cosine < kCosineOfOther;
  const double labels = rows.Number(i, "labels");
  const bool agrees =
      rows.Truth(i, "has_classes") ? labels >= kSameLabels : cosine >= kCosineOfSame;
  if (agrees && !is_another) return {fmt::format("{} ({})", backend, distance), "", false};
  std::string text = rows.Truth(i, "has_classes") && labels < kSameLabels
                         ? fmt::format("{} names another largest class for {} of the rows ({}).",
                                       backend, wording::Percent(1 - labels), distance)
                         : fmt::format("{} {} ({}).", backend,
                                       is_another ? "gives other results" : "differs", distance);
  return {"", std::move(text), is_another};
}

/// `is_another`: some backend computes something else, which comes before its speed.
Result<std::vector<Sentence>> Results(const store::Database& database, std::int64_t point_id,
                                      bool& is_another) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT p.backend, r.backend AS reference, min(a.label_agreement) AS labels,
             max(a.max_absolute_error) AS error, min(a.cosine_similarity) AS cosine,
             min(a.message) AS message,
             -- [rows, classes]: of maps and of single columns the largest element says nothing.
             bool_and(regexp_matches(coalesce(a.shape, '[1,2]'), '^\[[0-9]+, ?([2-9]|[0-9]{{2,}})\]$')) AS has_classes
      FROM agreement a JOIN point p USING (point_id)
      JOIN point r ON r.point_id = a.against_point_id
      JOIN point mine ON mine.point_id = {}
        AND p.model = mine.model AND p.batch IS NOT DISTINCT FROM mine.batch
      GROUP BY p.point_id, p.backend, r.backend ORDER BY p.point_id)",
                                                          point_id)));
  if (rows.empty()) return std::vector<Sentence>{};
  std::vector<std::string> same, different, others;
  bool has_classes = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Comparison compared = Compare(rows, i);
    if (compared.is_another) others.push_back(rows.Text(i, "backend"));
    if (compared.different.empty()) {
      has_classes &= rows.Truth(i, "has_classes");
      same.push_back(std::move(compared.same));
    } else {
      different.push_back(std::move(compared.different));
    }
  }
  std::string text = same.empty()
                         ? fmt::format("Results against {}:", rows.Text(0, "reference"))
                         : fmt::format("Results agree with {}{}: {}.", rows.Text(0, "reference"),
                                       has_classes ? " on the largest class of every row" : "",
                                       fmt::join(same, ", "));
  for (const std::string& sentence : different) text += " " + sentence;
  is_another = !others.empty();
  if (is_another)
    text += fmt::format(" Until that is explained, the speed of {} means nothing.",
                        fmt::join(others, ", "));
  return std::vector<Sentence>{{text, "analysis-backends"}};
}

}  // namespace

Result<std::vector<Sentence>> BackendSentences(const store::Database& database,
                                               std::int64_t point_id) {
  bool is_another = false;
  XSP_TRY(std::vector<Sentence> results, Results(database, point_id, is_another));
  XSP_TRY(std::vector<Sentence> sentences, Fastest(database, point_id));
  if (is_another) std::swap(results, sentences);
  sentences.insert(sentences.end(), results.begin(), results.end());
  return sentences;
}

}  // namespace xsp::report
