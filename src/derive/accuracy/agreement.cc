#include "derive/accuracy/agreement.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "derive/accuracy/classification.h"

namespace xsp::accuracy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool BothFinite(float a, float b) { return std::isfinite(a) && std::isfinite(b); }

// Natural logarithms of a row's distribution, or nothing where it has none.
std::optional<std::vector<double>> LogDistribution(std::span<const float> row, OutputKind kind) {
  std::vector<double> logs(row.begin(), row.end());
  if (kind == OutputKind::kProbabilities) {
    double sum = 0;
    for (const double value : logs) {
      if (value < 0) return std::nullopt;
      sum += value;
    }
    if (sum == 0) return std::nullopt;
    for (double& value : logs) value = value == 0 ? -kInfinity : std::log(value / sum);
    return logs;
  }
  // The largest is subtracted first, so that no exponential overflows.
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - largest);
  for (double& value : logs) value -= largest + std::log(sum);
  return logs;
}

std::optional<double> Divergence(std::span<const float> reference, std::span<const float> candidate,
                                 OutputKind kind) {
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (!BothFinite(reference[i], candidate[i])) return std::nullopt;
  const auto p = LogDistribution(reference, kind);
  const auto q = LogDistribution(candidate, kind);
  if (!p.has_value() || !q.has_value()) return std::nullopt;
  double divergence = 0;
  for (std::size_t i = 0; i < p->size(); ++i)
    if ((*p)[i] != -kInfinity) divergence += std::exp((*p)[i]) * ((*p)[i] - (*q)[i]);
  // Rounding can leave a hair below 0, which no divergence is.
  return std::max(divergence, 0.0);
}

void AddRow(std::span<const float> reference, std::span<const float> candidate,
            const AgreementOptions& options, Agreement& sums) {
  const auto expected = TopK(reference, options.k);
  const auto got = TopK(candidate, options.k);
  if (!expected.empty() && !got.empty() && expected[0] == got[0]) sums.label_agreement += 1;
  double shared = 0;
  for (const std::size_t label : expected)
    shared += std::find(got.begin(), got.end(), label) != got.end() ? 1 : 0;
  sums.top_k_overlap += shared / static_cast<double>(std::min(options.k, reference.size()));
  if (const auto divergence = Divergence(reference, candidate, options.kind)) {
    ++sums.divergence_rows;
    sums.mean_divergence_nats += *divergence;
    sums.max_divergence_nats = std::max(sums.max_divergence_nats, *divergence);
  }
}

double Relative(double error, double denominator) {
  if (error == 0) return 0;
  return denominator == 0 ? kInfinity : error / denominator;
}

double Cosine(double product, double a, double b) {
  if (a == 0 && b == 0) return 1;
  if (a == 0 || b == 0) return 0;
  return std::clamp(product / (std::sqrt(a) * std::sqrt(b)), -1.0, 1.0);
}

void AddElements(std::span<const float> reference, std::span<const float> candidate,
                 double relative_floor, Agreement& result) {
  double largest = 0;
  for (const float value : reference)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  double product = 0, square_reference = 0, square_candidate = 0;
  std::size_t comparable = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double a = reference[i], b = candidate[i];
    if (!BothFinite(reference[i], candidate[i])) {
      const bool same = a == b || (std::isnan(a) && std::isnan(b));
      ++(same ? result.non_finite_same : result.non_finite_different);
      continue;
    }
    ++comparable;
    const double error = std::abs(b - a);
    const double relative = Relative(error, std::max(std::abs(a), relative_floor * largest));
    result.max_absolute_error = std::max(result.max_absolute_error, error);
    result.mean_absolute_error += error;
    result.max_relative_error = std::max(result.max_relative_error, relative);
    result.mean_relative_error += relative;
    product += a * b;
    square_reference += a * a;
    square_candidate += b * b;
  }
  result.cosine_similarity = Cosine(product, square_reference, square_candidate);
  if (comparable == 0) return;
  result.mean_absolute_error /= static_cast<double>(comparable);
  result.mean_relative_error /= static_cast<double>(comparable);
}

}  // namespace

Result<Agreement> CompareOutputs(std::span<const float> reference, std::span<const float> candidate,
                                 std::size_t row_length, const AgreementOptions& options) {
  if (reference.size() != candidate.size())
    return Error{
        ErrorKind::kBadInput,
        fmt::format("outputs differ in size: {} and {} values", reference.size(), candidate.size()),
        "compare the same output for the same inputs"};
  if (reference.empty() || row_length == 0 || reference.size() % row_length != 0)
    return Error{ErrorKind::kBadInput,
                 fmt::format("an output is no table of rows: {} values, {} a row", reference.size(),
                             row_length),
                 "a row holds the values of one sample"};
  if (options.k == 0)
    return Error{ErrorKind::kUsage, "top-k overlap needs a k of at least 1: 0", ""};
  if (!std::isfinite(options.relative_floor) || options.relative_floor < 0)
    return Error{
        ErrorKind::kUsage,
        fmt::format("the floor of relative errors is no share: {}", options.relative_floor),
        "use 0 or a small positive number"};
  Agreement result;
  result.elements = reference.size();
  result.rows = reference.size() / row_length;
  AddElements(reference, candidate, options.relative_floor, result);
  for (std::size_t row = 0; row < result.rows; ++row)
    AddRow(reference.subspan(row * row_length, row_length),
           candidate.subspan(row * row_length, row_length), options, result);
  const auto rows = static_cast<double>(result.rows);
  result.label_agreement /= rows;
  result.top_k_overlap /= rows;
  if (result.divergence_rows > 0)
    result.mean_divergence_nats /= static_cast<double>(result.divergence_rows);
  return result;
}

}  // namespace xsp::accuracy
