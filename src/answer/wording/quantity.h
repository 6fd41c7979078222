#ifndef XSP_ANSWER_WORDING_QUANTITY_H_
#define XSP_ANSWER_WORDING_QUANTITY_H_

#include <span>
#include <string>
#include <string_view>

namespace xsp::wording {

/// How the numbers of one column are shown: divided by `factor`, in `unit`. People read tables with
/// one prefix a column; exact values are in JSON and CSV.
struct Scale {
  double factor = 1;
  std::string unit;  ///< "ms", "MB", "GFLOP/s", "%", or empty for a plain number.
};

/// The scale for `values` in a stored unit ("ns", "byte", "flop", "flop/s", "byte/s", "1", ...):
/// the SI prefix with which the median of the magnitudes lies in [1, 1000). Bytes are decimal (1 MB
/// = 10^6 bytes). A unit of "1" stays a plain number unless `is_share`, which shows per cent.
Scale ChooseScale(std::span<const double> values, std::string_view unit, bool is_share = false);

/// `value` in `scale` to three significant digits, without its unit: "39.6", "0.012", "1240".
/// NaN and infinities: "-".
std::string Format(double value, const Scale& scale);

/// One number with its own prefix and unit: "39.6 ms", "8.18 GFLOP", "71 %".
std::string FormatQuantity(double value, std::string_view unit, bool is_share = false);

/// A ratio to four significant digits, a large one as a whole number: "0.7871", "2.5", "12731".
std::string FormatRatio(double ratio);

/// A share as people read it: 0.392 is "39.2 %".
std::string Percent(double share);

/// True for columns that hold a part of a whole, told by name ("latency_share", "kernel_fraction").
bool IsShare(std::string_view column_name);

}  // namespace xsp::wording

#endif  // XSP_ANSWER_WORDING_QUANTITY_H_
