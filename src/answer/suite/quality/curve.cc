#include "answer/suite/quality/curve.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"

namespace xsp::suite::quality {
namespace {

using store::Cell;

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What makes another word of the one behind it: "val_accuracy", "train-accuracy", "val/accuracy".
bool JoinsWords(char c) { return IsWord(c) || c == '-' || c == '/' || c == '.'; }

/// `value`, which is written as `digits`, in hundredths.
double OfPercent(std::string_view digits, double value) {
  if (digits.find_first_of("eE") != std::string_view::npos) return value / 100;
  // By the exponent, as 99.9 / 100 is not 0.999.
  const std::string text = std::string(digits) + "e-2";
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The number that `text` begins with; kMissing: it is not finite.
std::optional<double> NumberAt(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return std::nullopt;
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.data()));
  const std::string_view rest = text.substr(digits.size());
  // "3rd" is no number.
  if (!rest.empty() && IsWord(rest.front())) return std::nullopt;
  if (error != std::errc() || !std::isfinite(value)) return kMissing;
  return rest.starts_with('%') || rest.starts_with(" %") ? OfPercent(digits, value) : value;
}

bool Meets(double quality, const Target& target) {
  return target.lower_is_better ? quality <= target.value : quality >= target.value;
}

const Point* Best(const Curve& curve, const Target& target) {
  const Point* best = nullptr;
  for (const Point& point : curve.points)
    if (best == nullptr ||
        (target.lower_is_better ? point.quality < best->quality : point.quality > best->quality))
      best = &point;
  return best;
}

std::string Spoken(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

std::string TargetText(const Target& target) {
  return fmt::format("{} {} {:g}", target.metric, target.lower_is_better ? "at most" : "at least",
                     target.value);
}

Table TargetTable(const std::vector<Curve>& curves, const Target& target, double price) {
  Table table =
      EmptyTable("targets", "Time and cost to " + TargetText(target),
                 {{"source", "", "", ""},
                  {"reached", "", "Whether a measurement met the target", ""},
                  {"time_s", "s", "Time until the first measurement that met it", "measured"},
                  {"epochs", "", "Epoch of that measurement", ""},
                  {"cost", "", "Time times the price per hour, in the currency of the price", ""},
                  {"best", "", "The best measurement of all", ""},
                  {"best_time_s", "s", "When that was", ""},
                  {"measurements", "1", "", ""}});
  for (const Curve& curve : curves) {
    const Point* reached = Reached(curve, target);
    const Point* best = Best(curve, target);
    const double seconds = reached == nullptr ? kMissing : reached->seconds;
    table.rows.rows.push_back({curve.source, reached != nullptr, NumberCell(seconds),
                               NumberCell(reached == nullptr ? kMissing : reached->epoch),
                               NumberCell(price > 0 ? seconds / 3600 * price : kMissing),
                               NumberCell(best == nullptr ? kMissing : best->quality),
                               NumberCell(best == nullptr ? kMissing : best->seconds),
                               static_cast<std::int64_t>(curve.points.size())});
  }
  return table;
}

Table CurveTable(const std::vector<Curve>& curves, const Target& target) {
  Table table = EmptyTable("curve", "Every measurement of " + target.metric,
                           {{"source", "", "", ""},
                            {"epoch", "", "", ""},
                            {"time_s", "s", "From the start of training", "measured"},
                            {"quality", "", target.metric, "measured"}});
  for (const Curve& curve : curves)
    for (const Point& point : curve.points)
      table.rows.rows.push_back(
          {curve.source, NumberCell(point.epoch), point.seconds, point.quality});
  return table;
}

void Say(const std::vector<Curve>& curves, const Target& target, double price, Answer& answer) {
  const Curve* fastest = nullptr;
  for (const Curve& curve : curves) {
    const Point* reached = Reached(curve, target);
    const Point* best = Best(curve, target);
    if (reached != nullptr) {
      const std::string cost = price > 0 ? fmt::format(", which costs {:.3g} at {:g} per hour",
                                                       reached->seconds / 3600 * price, price)
                                         : "";
      const std::string epoch =
          std::isnan(reached->epoch) ? "" : fmt::format(" (epoch {:g})", reached->epoch);
      answer.sentences.push_back(fmt::format("{} reaches {} after {}{}{}.", curve.source,
                                             TargetText(target), Spoken(reached->seconds), epoch,
                                             cost));
      if (fastest == nullptr || reached->seconds < Reached(*fastest, target)->seconds)
        fastest = &curve;
    } else {
      answer.sentences.push_back(
          fmt::format("{} does not reach {} in {}: the best is {:.4g}, after {}.", curve.source,
                      TargetText(target), core::Counted(curve.points.size(), "measurement"),
                      best->quality, Spoken(best->seconds)));
    }
  }
  if (curves.size() > 1 && fastest != nullptr)
    answer.sentences.insert(
        answer.sentences.begin(),
        fmt::format("{} is the first at {}.", fastest->source, TargetText(target)));
}

}  // namespace

struct LineReader::Expression {
  regex_t compiled;
  bool is_compiled = false;  ///< Nothing may be freed of one that is not.
  Expression() = default;
  ~Expression() {
    if (is_compiled) regfree(&compiled);
  }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
};

LineReader::LineReader(std::string metric, std::unique_ptr<Expression> expression)
    : metric_(std::move(metric)), expression_(std::move(expression)) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

Result<LineReader> LineReader::Make(const Target& target, const std::string& pattern) {
  if (pattern.empty()) return LineReader(target.metric, nullptr);
  auto expression = std::make_unique<Expression>();
  const int failed = regcomp(&expression->compiled, pattern.c_str(), REG_EXTENDED);
  if (failed != 0) {
    char why[200];
    regerror(failed, &expression->compiled, why, sizeof(why));
    return Error{ErrorKind::kUsage, fmt::format("not a pattern: {}: {}", pattern, why),
                 "it is a POSIX extended regular expression: 'top1 = ([0-9.]+)'"};
  }
  expression->is_compiled = true;
  if (expression->compiled.re_nsub < 1)
    return Error{ErrorKind::kUsage, "the pattern has no group for the number: " + pattern,
                 "put it in parentheses: 'top1 = ([0-9.]+)'"};
  return LineReader(target.metric, std::move(expression));
}

std::optional<Point> LineReader::Read(const std::string& line) const {
  std::optional<double> quality;
  if (expression_ == nullptr) {
    quality = NumberAfter(line, metric_);
  } else {
    regmatch_t found[2];
    if (regexec(&expression_->compiled, line.c_str(), 2, found, 0) == 0 && found[1].rm_so >= 0)
      quality = NumberAt(
          std::string_view(line).substr(static_cast<std::size_t>(found[1].rm_so),
                                        static_cast<std::size_t>(found[1].rm_eo - found[1].rm_so)));
  }
  if (!quality) return std::nullopt;
  return Point{0, NumberAfter(line, "epoch").value_or(kMissing), *quality};
}

std::optional<double> NumberAfter(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos;
       at = line.find(name, at + 1)) {
    if (at > 0 && JoinsWords(line[at - 1])) continue;
    std::string_view rest = line.substr(at + name.size());
    const std::size_t begin = rest.find_first_not_of(" \t=:");
    if (begin == 0 || begin == std::string_view::npos) continue;
    if (const auto number = NumberAt(rest.substr(begin))) return number;
  }
  return std::nullopt;
}

Result<Target> ParseTarget(const std::string& text, bool lower_is_better) {
  const auto at = text.find('=');
  const auto value = at == std::string::npos ? std::nullopt : NumberAt(text.substr(at + 1));
  if (at == 0 || !value || std::isnan(*value))
    return Error{ErrorKind::kUsage, "not a target: " + text, "--target accuracy=0.75"};
  return Target{text.substr(0, at), *value, lower_is_better};
}

const Point* Reached(const Curve& curve, const Target& target) {
  for (const Point& point : curve.points)
    if (Meets(point.quality, target)) return &point;
  return nullptr;
}

std::string HeldBack(const Curve& curve, double end_s) {
  constexpr double kAtOnce_s = 1e-3;
  const auto all = std::ssize(curve.points);
  if (all < 2) return {};
  auto at_once = std::ranges::count_if(
      curve.points, [end_s](const Point& point) { return point.seconds >= end_s - kAtOnce_s; });
  if (curve.points.back().seconds - curve.points.front().seconds <= kAtOnce_s) at_once = all;
  if (at_once < 2) return {};
  return fmt::format(
      "{} of {} measurements came within 1 ms: the program probably buffers its output, and the "
      "times are then not those of the measurements. Use `stdbuf -oL` before its command to write "
      "each line immediately.",
      at_once, all);
}

Answer Summarise(const std::vector<Curve>& curves, const Target& target, double price_per_hour) {
  Answer answer{"quality", "Time and cost to " + TargetText(target), {}, {}, {}, {}};
  answer.tables = {TargetTable(curves, target, price_per_hour), CurveTable(curves, target)};
  Say(curves, target, price_per_hour, answer);
  answer.charts.push_back({"curve", target.metric + " over time", "curve",
                           fmt::format(R"json({{
    "layer": [{{"mark": {{"type": "line", "point": true}},
               "encoding": {{"x": {{"field": "time_s", "type": "quantitative", "title": "time (s)"}},
                            "y": {{"field": "quality", "type": "quantitative", "scale": {{"zero": false}}, "title": "quality"}},
                            "color": {{"field": "source", "type": "nominal", "title": null, "legend": {{"orient": "top"}}}}}}}},
              {{"data": {{"values": [{{}}]}}, "mark": {{"type": "rule", "strokeDash": [4, 3], "tooltip": null}}, "encoding": {{"y": {{"datum": {0}}}}}}},
              {{"data": {{"values": [{{}}]}}, "mark": {{"type": "text", "align": "left", "dx": 4, "dy": -6, "tooltip": null}},
               "encoding": {{"x": {{"value": 0}}, "y": {{"datum": {0}}}, "text": {{"value": "target {0}"}}}}}}]}})json",
                                       target.value)});
  return answer;
}

}  // namespace xsp::suite::quality
