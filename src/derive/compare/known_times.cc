#include "derive/compare/known_times.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "store/typed_table.h"

namespace xsp::compare {
namespace {

using store::Cell;

/// Layers with their work, which is that of the kernel with the most FLOPs. {0} stands for the
/// columns that lead a table, {1} for the time of a layer and what else it is to be selected with.
constexpr std::string_view kLayers = R"(
WITH on_device AS (
  SELECT DISTINCT {0}point_id, true AS is_device FROM device_time
  JOIN (SELECT {0}run_id, point_id FROM run) USING ({0}run_id) WHERE step IS NULL AND busy_ns > 0),
main AS (
  SELECT {0}point_id, layer_index, arg_max(kernel_index, coalesce(flops, -1)) AS kernel_index
  FROM kernel WHERE layer_index IS NOT NULL GROUP BY {0}point_id, layer_index),
work AS (
  SELECT {0}point_id, k.layer_index, dtype, flops, read_bytes, write_bytes, implementation
  FROM kernel k JOIN (SELECT {0}point_id, kernel_index FROM main) USING ({0}point_id, kernel_index)),
timed AS (
  SELECT {0}point_id, l.layer_index, l.name, l.type, coalesce(l.shape, '') AS shape,
         coalesce(w.dtype, l.dtype, '') AS dtype, coalesce(w.flops, l.flops) AS flops,
         coalesce(w.read_bytes, l.read_bytes) AS read_bytes,
         coalesce(w.write_bytes, l.write_bytes) AS write_bytes,
         coalesce(w.implementation, '') AS implementation, p.backend, p.cores,
         coalesce(d.is_device, false) AS is_device,
         CASE WHEN is_device THEN 0 WHEN r.threads > 0 THEN r.threads
              ELSE coalesce(p.cores, 1000000) END AS threads,
         coalesce(CASE WHEN is_device THEN l.device_ns ELSE l.latency_ns END, 0) AS time_ns,
         coalesce(2 * r.disturbed > r.samples, false) AS is_disturbed
  FROM layer l JOIN (SELECT {0}point_id, backend, cores FROM point) p USING ({0}point_id)
  LEFT JOIN (SELECT {0}run_id AS source_run, threads, samples, disturbed FROM run) r USING ({0}source_run)
  LEFT JOIN work w USING ({0}point_id, layer_index)
  LEFT JOIN on_device d USING ({0}point_id))
)";

template <typename T>
T Get(const Cell& cell) {
  T value{};
  store::FromCell(cell, value);
  return value;
}

/// From the columns type, shape, dtype, flops, read_bytes, write_bytes, threads, time_ns.
WorkTime TimeFrom(const std::vector<Cell>& row) {
  return {{Get<std::string>(row[0]), Get<std::string>(row[1]), Get<std::string>(row[2]),
           Get<std::optional<double>>(row[3]), Get<std::optional<double>>(row[4]),
           Get<std::optional<double>>(row[5])},
          Get<double>(row[7]),
          Get<std::int64_t>(row[6])};
}

}  // namespace

Result<std::vector<KnownTime>> ReadKnownTimes(store::ManyExperiments& experiments,
                                              const TimesWanted& wanted) {
  std::string sql = fmt::format(kLayers, "experiment, ") + R"(
SELECT type, shape, dtype, flops, read_bytes, write_bytes, threads::BIGINT, min(time_ns),
       arg_min(experiment, time_ns), arg_min(point_id, time_ns), arg_min(backend, time_ns),
       arg_min(name, time_ns), arg_min(implementation, time_ns)
FROM timed WHERE time_ns > 0)";
  sql += wanted.on_device ? " AND is_device" : " AND NOT is_device";
  if (!wanted.with_disturbed) sql += " AND NOT is_disturbed";
  if (!wanted.on_device && wanted.cores > 0) sql += fmt::format(" AND cores = {}", wanted.cores);
  sql += " GROUP BY type, shape, dtype, flops, read_bytes, write_bytes, threads";
  XSP_TRY(const store::Table table,
          experiments.Query({"point", "run", "layer", "kernel", "device_time"}, sql));
  std::vector<KnownTime> times;
  times.reserve(table.rows.size());
  for (const auto& row : table.rows)
    times.push_back({TimeFrom(row), static_cast<std::size_t>(Get<std::int64_t>(row[8])),
                     Get<std::int64_t>(row[9]), Get<std::string>(row[10]),
                     Get<std::string>(row[11]), Get<std::string>(row[12])});
  return times;
}

Result<std::vector<BoundedLayer>> ReadBoundedLayers(const store::Database& experiment) {
  XSP_TRY(const store::Table table, experiment.Query(fmt::format(kLayers, "") + R"(
SELECT type, shape, dtype, flops, read_bytes, write_bytes, threads::BIGINT, time_ns, point_id,
       layer_index, name, bound_ns, coalesce(resource, '')
FROM timed JOIN (SELECT point_id, layer_index, bound_ns, resource FROM layer_bound)
  USING (point_id, layer_index)
ORDER BY point_id, layer_index)"));
  std::vector<BoundedLayer> layers;
  layers.reserve(table.rows.size());
  for (const auto& row : table.rows)
    layers.push_back({Get<std::int64_t>(row[8]), Get<std::int64_t>(row[9]),
                      Get<std::string>(row[10]), TimeFrom(row), Get<std::optional<double>>(row[11]),
                      Get<std::string>(row[12])});
  return layers;
}

}  // namespace xsp::compare
