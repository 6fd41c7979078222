#include "ingest/primitives/problem.h"

#include <charconv>
#include <cstdint>

namespace xsp::primitives {
namespace {

constexpr std::int64_t kLargestDimension = 1'000'000'000'000'000;
constexpr std::size_t kMostDims = 16;
constexpr std::size_t kMostLists = 4096;  // A concat of more inputs than this is no real one.

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }

std::size_t SkipWhile(std::string_view text, std::size_t at, bool (*accept)(char)) {
  while (at < text.size() && accept(text[at])) ++at;
  return at;
}

}  // namespace

std::optional<double> ParseDimension(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || value < 0 || value > kLargestDimension)
    return std::nullopt;
  return static_cast<double>(value);
}

std::optional<KeyedProblem> KeyedProblem::Parse(std::string_view text) {
  KeyedProblem problem;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '_') {
      ++at;
      continue;
    }
    const std::size_t digits = SkipWhile(text, at, IsLetter);
    std::size_t next = SkipWhile(text, digits, IsDigit);
    if (digits == at || next == digits) return std::nullopt;
    const auto value = ParseDimension(text.substr(digits, next - digits));
    if (!value.has_value()) return std::nullopt;
    problem.values_.emplace_back(text.substr(at, digits - at), *value);
    // A real number (lrn's beta0.75, beta1e-05) is no dimension: its fraction is passed over.
    if (next < text.size() && text[next] == '.') next = SkipWhile(text, next + 1, IsDigit);
    at = next;
  }
  if (problem.values_.empty()) return std::nullopt;
  return problem;
}

std::optional<double> KeyedProblem::Find(std::string_view key) const {
  for (const auto& [name, value] : values_)
    if (name == key) return value;
  return std::nullopt;
}

std::optional<Dims> ParseDims(std::string_view text) {
  Dims dims;
  while (true) {
    const std::size_t cut = text.find('x');
    const auto value = ParseDimension(text.substr(0, cut));
    if (!value.has_value() || dims.size() == kMostDims) return std::nullopt;
    dims.push_back(*value);
    if (cut == std::string_view::npos) return dims;
    text.remove_prefix(cut + 1);
  }
}

std::optional<std::vector<Dims>> ParseDimsList(std::string_view text) {
  std::vector<Dims> lists;
  while (true) {
    const std::size_t cut = text.find_first_of(": ");
    auto dims = ParseDims(text.substr(0, cut));
    if (!dims.has_value() || lists.size() == kMostLists) return std::nullopt;
    lists.push_back(std::move(*dims));
    if (cut == std::string_view::npos) return lists;
    text.remove_prefix(cut + 1);
  }
}

double Elements(const Dims& dims) {
  double product = 1;
  for (const double dim : dims) product *= dim;
  return product;
}

}  // namespace xsp::primitives
