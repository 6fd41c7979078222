#include "derive/history/metric_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <variant>

#include "core/nearest_word.h"
#include "store/sql_text.h"

namespace xsp::history {
namespace {

using store::Cell;

std::string TextOf(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? std::string() : *text;
}

PointId IdOf(const std::vector<Cell>& row) {
  return {static_cast<std::size_t>(std::get<std::int64_t>(row[0])), std::get<std::int64_t>(row[1])};
}

std::string TimesQuery(const Metric& metric) {
  if (metric.kind == Metric::Kind::kDevice)
    return "SELECT experiment, point_id, sum(duration_ns) FROM kernel "
           "WHERE type IN ('kernel', 'memcpy', 'memset') GROUP BY ALL";
  return fmt::format(
      "SELECT experiment, point_id, sum(coalesce(device_ns, latency_ns)) FROM layer "
      "WHERE {0} IN (name, path, node) GROUP BY ALL",
      store::Quoted(metric.layer));
}

}  // namespace

Result<std::map<PointId, RunOfPoint>> ReadRuns(store::ManyExperiments& experiments) {
  XSP_TRY(
      const store::Table read,
      experiments.Query(
          {"run"},
          "SELECT experiment, point_id, "
          "min_by(path, (status <> 'done', rung <> 'model', process_pair IS NOT NULL, run_id)), "
          "count(*) FILTER (rung = 'model' AND process_pair IS NULL AND status = 'done'), "
          "min_by(message, run_id) FILTER (status = 'failed') FROM run GROUP BY ALL"));
  std::map<PointId, RunOfPoint> runs;
  for (const auto& row : read.rows)
    runs[IdOf(row)] = {TextOf(row[2]), TextOf(row[4]), std::get<std::int64_t>(row[3])};
  return runs;
}

Result<std::map<PointId, double>> ReadTimes(store::ManyExperiments& experiments,
                                            const Metric& metric) {
  std::map<PointId, double> times;
  const bool is_layer = metric.kind == Metric::Kind::kLayer;
  if (!is_layer && metric.kind != Metric::Kind::kDevice) return times;
  XSP_TRY(const store::Table read,
          experiments.Query({is_layer ? "layer" : "kernel"}, TimesQuery(metric)));
  for (const auto& row : read.rows)
    if (const auto* sum = std::get_if<double>(&row[2])) times[IdOf(row)] = *sum;
  return times;
}

MetricValue ValueOf(const Metric& metric, const store::PointRow& row,
                    const std::map<PointId, double>& times, const PointId& id) {
  constexpr double kNsPerSecond = 1e9;
  using Kind = Metric::Kind;
  if (metric.kind == Kind::kMemory) return {row.peak_bytes.value_or(kNotKnown)};
  if (metric.kind == Kind::kDevice || metric.kind == Kind::kLayer) {
    const auto found = times.find(id);
    return {found == times.end() ? kNotKnown : found->second};
  }
  const double ns = row.latency_ns.value_or(kNotKnown);
  const double low = row.latency_low_ns.value_or(kNotKnown);
  const double high = row.latency_high_ns.value_or(kNotKnown);
  if (metric.kind == Kind::kLatency) return {ns, low, high};
  const double items = row.batch ? static_cast<double>(*row.batch) * kNsPerSecond : kNotKnown;
  return {items / ns, items / high, items / low};
}

Error NoSuchLayer(const std::filesystem::path& experiment, const Metric& metric) {
  const Error error{ErrorKind::kBadInput, fmt::format("no such layer: {}", metric.layer), ""};
  auto opened = store::ManyExperiments::Open({experiment});
  if (!opened.ok()) return error;
  const auto read =
      opened.value().Query({"layer"}, "SELECT DISTINCT name FROM layer ORDER BY name");
  if (!read.ok()) return error;
  std::vector<std::string> names;
  for (const auto& row : read.value().rows) names.push_back(TextOf(row[0]));
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (known.empty())
    return {error.kind, error.what,
            "The newest experiment has no layers: measure with --depth layer."};
  return {error.kind, error.what,
          fmt::format("The nearest layers are: {}.",
                      fmt::join(core::NearestWords(metric.layer, known, 3), ", "))};
}

}  // namespace xsp::history
