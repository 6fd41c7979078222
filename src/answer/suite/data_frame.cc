#include "answer/suite/data_frame.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "core/counted.h"

namespace xsp::suite {
namespace {

using store::Cell;

std::optional<std::size_t> Find(const store::Table& table, const std::string& column) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), column);
  if (found == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns.begin());
}

Result<std::size_t> Asked(const store::Table& table, const std::string& column) {
  if (const auto found = Find(table, column)) return *found;
  return Error{ErrorKind::kBadInput, "the table has no such column: " + column,
               fmt::format("its columns: {}", fmt::join(table.columns, ", "))};
}

bool IsText(const store::Table& table, std::size_t column) {
  return std::ranges::any_of(table.rows, [column](const auto& row) {
    return std::holds_alternative<std::string>(row[column]);
  });
}

struct Places {
  std::vector<std::size_t> labels;
  std::optional<std::size_t> group;
  std::vector<std::size_t> metrics;
};

/// Whether all of `text` is one number.
bool IsNumber(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

/// Says which columns of numbers are text by a few of their cells, and so are no metrics.
void SayMixed(const store::Table& table, const Places& places,
              std::vector<std::string>* treatments) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (std::ranges::find(places.labels, c) != places.labels.end() || places.group == c) continue;
    const auto first = FirstText(table, c);
    const bool numbers = std::ranges::any_of(table.rows, [c](const auto& row) {
      const auto* text = std::get_if<std::string>(&row[c]);
      return text != nullptr && IsNumber(*text);
    });
    if (first && numbers)
      treatments->push_back(
          fmt::format("Column {} is not a metric, because it contains text: {} in row {}. Leave "
                      "unknown values empty.",
                      table.columns[c], TextOf(table.rows[*first][c]), *first + 1));
  }
}

/// As NumberOf(); a truth is a metric, too.
double MetricOf(const Cell& cell) {
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? 1 : 0;
  return NumberOf(cell);
}

Result<Places> PlacesOf(const store::Table& table, const DataFrameColumns& columns) {
  Places places;
  for (const std::string& name : columns.labels) {
    XSP_TRY(const std::size_t place, Asked(table, name));
    places.labels.push_back(place);
  }
  for (std::size_t i = 0; places.labels.empty() && i < table.columns.size(); ++i)
    if (IsText(table, i)) places.labels.push_back(i);
  if (places.labels.empty())
    return Error{
        ErrorKind::kBadInput, "no column of the table names the workloads",
        fmt::format("name one by --label; its columns: {}", fmt::join(table.columns, ", "))};
  if (!columns.group.empty()) {
    XSP_TRY(places.group, Asked(table, columns.group));
  }
  for (const std::string& name : columns.metrics) {
    XSP_TRY(const std::size_t place, Asked(table, name));
    if (IsText(table, place))
      return Error{ErrorKind::kBadInput, "not a column of numbers: " + name,
                   "metrics are numbers; omit text columns from --metrics"};
    places.metrics.push_back(place);
  }
  for (std::size_t i = 0; columns.metrics.empty() && i < table.columns.size(); ++i) {
    const bool taken = std::ranges::find(places.labels, i) != places.labels.end();
    if (!taken && places.group != i && !IsText(table, i)) places.metrics.push_back(i);
  }
  if (places.metrics.empty())
    return Error{ErrorKind::kBadInput, "no column of the table is a metric",
                 fmt::format("its columns: {}", fmt::join(table.columns, ", "))};
  return places;
}

/// Keeps the rows and metrics of `frame` that are true.
DataFrame Kept(const DataFrame& frame, const std::vector<bool>& rows,
               const std::vector<bool>& metrics) {
  DataFrame kept;
  for (std::size_t m = 0; m < frame.metrics.size(); ++m)
    if (metrics[m]) kept.metrics.push_back(frame.metrics[m]);
  for (std::size_t r = 0; r < frame.rows(); ++r) {
    if (!rows[r]) continue;
    kept.labels.push_back(frame.labels[r]);
    kept.groups.push_back(frame.groups[r]);
    std::vector<double>& values = kept.values.emplace_back();
    for (std::size_t m = 0; m < frame.metrics.size(); ++m)
      if (metrics[m]) values.push_back(frame.values[r][m]);
  }
  return kept;
}

}  // namespace

Result<DataFrame> DataFrameOf(const store::Table& table, const DataFrameColumns& columns,
                              std::vector<std::string>* treatments) {
  if (table.rows.empty())
    return Error{ErrorKind::kBadInput, "the table has no rows", "it needs one row per workload"};
  XSP_TRY(const Places places, PlacesOf(table, columns));
  if (columns.metrics.empty()) SayMixed(table, places, treatments);
  DataFrame frame;
  for (const std::size_t place : places.metrics)
    frame.metrics.push_back({table.columns[place], "", ""});
  std::set<std::string> known;
  std::int64_t infinite = 0;
  for (const auto& row : table.rows) {
    std::string label;
    for (const std::size_t place : places.labels)
      label += (label.empty() ? "" : "-") + TextOf(row[place]);
    if (label.empty())
      return Error{ErrorKind::kBadInput,
                   fmt::format("row {} of the table names no workload", frame.rows() + 1),
                   "fill its label, or name other columns by --label A,B"};
    if (!known.insert(label).second)
      return Error{ErrorKind::kBadInput, "two workloads have the same label: " + label,
                   "name more columns, which together identify a workload, by --label A,B"};
    frame.labels.push_back(std::move(label));
    frame.groups.push_back(places.group ? TextOf(row[*places.group]) : "");
    std::vector<double>& values = frame.values.emplace_back();
    for (const std::size_t place : places.metrics) {
      const double value = MetricOf(row[place]);
      if (std::isinf(value)) ++infinite;
      values.push_back(std::isfinite(value) ? value : kMissing);
    }
  }
  if (infinite > 0)
    treatments->push_back(fmt::format("{} {} taken as missing.",
                                      core::Counted(infinite, "infinite value"),
                                      core::ByNumber(infinite, "is", "are")));
  return frame;
}

std::string TextOf(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
  return {};
}

double NumberOf(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return kMissing;
}

std::optional<std::size_t> FirstText(const store::Table& table, std::size_t column) {
  std::optional<std::size_t> first;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto* text = std::get_if<std::string>(&table.rows[r][column]);
    if (text == nullptr) continue;
    if (!first) first = r;
    if (!IsNumber(*text)) return r;
  }
  return first;
}

store::Cell NumberCell(double value) {
  if (std::isnan(value)) return {};
  return value;
}

Table TableOf(const DataFrame& frame, std::string id, std::string title) {
  Table table{std::move(id), std::move(title), {}, {}};
  const bool grouped = std::ranges::any_of(frame.groups, [](const auto& g) { return !g.empty(); });
  table.columns.push_back({"workload", "", "The workload", ""});
  if (grouped) table.columns.push_back({"suite", "", "Suite of the workload", ""});
  for (const Metric& metric : frame.metrics)
    table.columns.push_back({metric.name, metric.unit, "", metric.provenance});
  for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
  for (std::size_t r = 0; r < frame.rows(); ++r) {
    std::vector<Cell>& row = table.rows.rows.emplace_back();
    row.emplace_back(frame.labels[r]);
    if (grouped) row.emplace_back(frame.groups[r]);
    for (const double value : frame.values[r]) row.push_back(NumberCell(value));
  }
  return table;
}

Result<MissingRule> MissingRuleOf(const std::string& word) {
  if (word == "rows") return MissingRule::kDropRows;
  if (word == "metrics") return MissingRule::kDropMetrics;
  if (word == "mean") return MissingRule::kMean;
  return Error{ErrorKind::kUsage, "no such treatment of missing values: " + word,
               "rows (exclude workloads), metrics (exclude metrics) or mean"};
}

Result<DataFrame> Completed(const DataFrame& frame, MissingRule rule,
                            std::vector<std::string>* treatments) {
  std::vector<bool> rows(frame.rows(), true);
  std::vector<bool> metrics(frame.metrics.size(), true);
  DataFrame filled = frame;
  std::vector<std::string> touched;
  for (std::size_t m = 0; m < frame.metrics.size(); ++m) {
    double sum = 0;
    std::size_t known = 0;
    for (const auto& values : frame.values)
      if (!std::isnan(values[m])) sum += values[m], ++known;
    if (known == frame.rows()) continue;
    // A metric that nothing is known of can neither be averaged nor be a reason to drop all rows.
    if (rule != MissingRule::kDropRows || known == 0) touched.push_back(frame.metrics[m].name);
    if (rule == MissingRule::kDropMetrics || known == 0) metrics[m] = false;
    for (std::size_t r = 0; r < frame.rows() && metrics[m]; ++r) {
      if (!std::isnan(frame.values[r][m])) continue;
      if (rule == MissingRule::kDropRows) rows[r] = false;
      if (rule == MissingRule::kMean) filled.values[r][m] = sum / static_cast<double>(known);
    }
  }
  std::vector<std::string> left_out;
  for (std::size_t r = 0; r < frame.rows(); ++r)
    if (!rows[r]) left_out.push_back(frame.labels[r]);
  DataFrame kept = Kept(filled, rows, metrics);
  if (kept.rows() == 0 || kept.metrics.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("no {} has all its values", kept.rows() == 0 ? "workload" : "metric"),
                 "choose metrics that are known by --metrics, or another --missing rule"};
  if (!left_out.empty())
    treatments->push_back(
        fmt::format("{} of {} {} and {} excluded: {}.", left_out.size(),
                    core::Counted(frame.rows(), "workload"),
                    core::ByNumber(left_out.size(), "lacks values", "lack values"),
                    core::ByNumber(left_out.size(), "is", "are"), fmt::join(left_out, ", ")));
  if (!touched.empty())
    treatments->push_back(fmt::format(
        "Metrics that lack values {}: {}.",
        rule == MissingRule::kMean
            ? "are replaced by the metric's mean (metrics without any value are excluded)"
            : "are excluded",
        fmt::join(touched, ", ")));
  return kept;
}

}  // namespace xsp::suite
