#include "answer/suite/report/workload_places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "answer/suite/data_frame.h"

namespace xsp::suite::report {
namespace {

std::optional<std::size_t> ColumnOf(const Table& table, const std::string& name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == name) return i;
  return std::nullopt;
}

/// The known values of a column.
std::vector<double> ValuesOf(const Table& table, std::size_t column) {
  std::vector<double> values;
  for (const auto& row : table.rows.rows)
    if (const double value = NumberOf(row[column]); std::isfinite(value)) values.push_back(value);
  return values;
}

/// A metric in both tables.
struct Metric {
  std::string name;
  std::size_t own, other;
  double lowest, highest, deviation;
};

double Deviation(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return values.size() < 2 ? 0 : std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::vector<Metric> MetricsOf(const Table& own, const Table& other) {
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < own.columns.size(); ++i) {
    const auto there = ColumnOf(other, own.columns[i].name);
    if (!there || other.columns[*there].unit != own.columns[i].unit) continue;
    const auto values = ValuesOf(other, *there);
    if (values.empty() || ValuesOf(own, i).empty()) continue;
    const auto [lowest, highest] = std::ranges::minmax(values);
    metrics.push_back({own.columns[i].name, i, *there, lowest, highest, Deviation(values)});
  }
  return metrics;
}

std::string LabelOf(const Table& table, std::size_t row) {
  return TextOf(table.rows.rows[row].front());
}

}  // namespace

std::vector<std::string> SharedMetrics(const Table& own, const Table& other) {
  std::vector<std::string> names;
  for (const Metric& metric : MetricsOf(own, other)) names.push_back(metric.name);
  return names;
}

std::vector<Place> PlacesAmong(const Table& own, const Table& other) {
  const std::vector<Metric> metrics = MetricsOf(own, other);
  std::vector<Place> places;
  for (std::size_t r = 0; r < own.rows.rows.size(); ++r) {
    Place place{LabelOf(own, r), "", std::numeric_limits<double>::infinity(), {}};
    for (const Metric& metric : metrics) {
      const double value = NumberOf(own.rows.rows[r][metric.own]);
      if (value < metric.lowest || value > metric.highest) place.beyond.push_back(metric.name);
    }
    for (std::size_t o = 0; o < other.rows.rows.size(); ++o) {
      double squares = 0, count = 0;
      for (const Metric& metric : metrics) {
        const double here = NumberOf(own.rows.rows[r][metric.own]);
        const double there = NumberOf(other.rows.rows[o][metric.other]);
        if (std::isnan(here) || std::isnan(there) || metric.deviation == 0) continue;
        squares += std::pow((here - there) / metric.deviation, 2);
        ++count;
      }
      const double distance = std::sqrt(squares / count);
      if (count > 0 && distance < place.distance)
        place.distance = distance, place.nearest = LabelOf(other, o);
    }
    if (!place.nearest.empty()) places.push_back(std::move(place));
  }
  return places;
}

}  // namespace xsp::suite::report
