#ifndef XSP_ANSWER_SUITE_QUALITY_CURVE_H_
#define XSP_ANSWER_SUITE_QUALITY_CURVE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/data_frame.h"
#include "core/result.h"

namespace xsp::suite::quality {

/// What is to be reached.
struct Target {
  std::string metric;            ///< "accuracy"
  double value = 0;              ///< 0.75
  bool lower_is_better = false;  ///< As a loss or a perplexity.
};

/// "accuracy=0.75", "accuracy=75%". Error: kUsage.
Result<Target> ParseTarget(const std::string& text, bool lower_is_better);

/// One measurement of quality.
struct Point {
  double seconds = 0;  ///< From the start of training.
  double epoch = kMissing;
  double quality = 0;
};

/// The training of one source.
struct Curve {
  std::string source;
  std::vector<Point> points;  ///< By time.
};

/// The number that follows the word `name` in `line`, with blanks, "=" or ":" between them; of 71%
/// 0.71; kMissing for one that is not finite (nan, inf). "-", "/" and "." before the name make
/// another word of it: train-accuracy, val/accuracy.
std::optional<double> NumberAfter(std::string_view line, std::string_view name);

/// Finds measurements of quality in lines: by the name of the metric, or by a POSIX extended
/// regular expression whose first group is the number.
class LineReader {
 public:
  /// Errors: kUsage for an expression that is none, or has no group.
  static Result<LineReader> Make(const Target& target, const std::string& pattern);
  LineReader(LineReader&&) noexcept;
  ~LineReader();

  /// Quality (kMissing: it is reported, but as no finite number), with the epoch that the line
  /// names; nullopt: the line has none.
  std::optional<Point> Read(const std::string& line) const;

 private:
  struct Expression;
  LineReader(std::string metric, std::unique_ptr<Expression> expression);
  std::string metric_;
  std::unique_ptr<Expression> expression_;  ///< Null: by the name.
};

/// When the target was first met; null: never. Points without a number never meet it.
const Point* Reached(const Curve& curve, const Target& target);

/// A sentence for the reader when the lines of a program that ran here came all at once, or several
/// within a millisecond of its end at `end_s`: it held them back, and their times are not those of
/// the measurements. Empty: they came one by one.
std::string HeldBack(const Curve& curve, double end_s);

/// Tables `targets` and `curve`, the curve as a chart, sentences. `price_per_hour` 0: no cost.
Answer Summarise(const std::vector<Curve>& curves, const Target& target, double price_per_hour);

}  // namespace xsp::suite::quality

#endif  // XSP_ANSWER_SUITE_QUALITY_CURVE_H_
