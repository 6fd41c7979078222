#ifndef XSP_INGEST_PRIMITIVES_PROBLEM_H_
#define XSP_INGEST_PRIMITIVES_PROBLEM_H_

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace xsp::primitives {

// Dimensions are held as double: exact to 2^53, and no hostile product overflows into undefined
// behaviour. A dimension above 10^15 is refused.

/// A problem in key-number form: "g32mb2_ic32oc32_ih20oh20kh3sh1dh0ph1".
class KeyedProblem {
 public:
  /// Nothing when the text has anything but keys, numbers and underscores (run-time sizes "*").
  static std::optional<KeyedProblem> Parse(std::string_view text);

  /// The number behind `key`, or nothing. The text's views must still be alive.
  std::optional<double> Find(std::string_view key) const;
  double Get(std::string_view key, double otherwise) const { return Find(key).value_or(otherwise); }

 private:
  std::vector<std::pair<std::string_view, double>> values_;
};

using Dims = std::vector<double>;

/// "2x32x20x20" -> {2, 32, 20, 20}. Nothing when it is not of this form.
std::optional<Dims> ParseDims(std::string_view text);

/// "4x256:256x128" -> both lists. Nothing when one of them cannot be read or there is none.
std::optional<std::vector<Dims>> ParseDimsList(std::string_view text);

/// Product of all dimensions; 1 for none.
double Elements(const Dims& dims);

/// Reads a decimal integer of the whole text, 0 ... 10^15.
std::optional<double> ParseDimension(std::string_view text);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_PROBLEM_H_
