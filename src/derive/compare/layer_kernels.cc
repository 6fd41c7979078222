#include "derive/compare/layer_kernels.h"

#include "store/typed_table.h"

namespace xsp::compare {
namespace {

template <typename T>
T ValueOf(const store::Cell& cell) {
  T value{};
  store::FromCell(cell, value);
  return value;
}

}  // namespace

Result<std::vector<LayerKernel>> ReadLayerKernels(const store::Database& experiment) {
  XSP_TRY(const store::Table table, experiment.Query(R"(
SELECT k.point_id, k.layer_index, l.name, l.type, k.name, k.type, coalesce(k.implementation, ''),
       coalesce(k.problem, ''), coalesce(k.dtype, ''), k.flops, k.read_bytes, k.write_bytes,
       k.duration_ns, p.precision
FROM kernel k JOIN layer l USING (point_id, layer_index) JOIN point p USING (point_id)
WHERE k.duration_ns > 0 ORDER BY k.point_id, k.kernel_index)"));
  std::vector<LayerKernel> kernels;
  kernels.reserve(table.rows.size());
  for (const auto& row : table.rows) {
    LayerKernel& one = kernels.emplace_back();
    one.point_id = ValueOf<std::int64_t>(row[0]);
    one.layer_index = ValueOf<std::int64_t>(row[1]);
    one.layer = ValueOf<std::string>(row[2]);
    one.layer_type = ValueOf<std::string>(row[3]);
    one.name = ValueOf<std::string>(row[4]);
    one.type = ValueOf<std::string>(row[5]);
    one.implementation = ValueOf<std::string>(row[6]);
    one.problem = ValueOf<std::string>(row[7]);
    one.dtype = ValueOf<std::string>(row[8]);
    one.flops = ValueOf<std::optional<double>>(row[9]);
    one.read_bytes = ValueOf<std::optional<double>>(row[10]);
    one.write_bytes = ValueOf<std::optional<double>>(row[11]);
    one.duration_ns = ValueOf<double>(row[12]);
    one.precision = ValueOf<std::string>(row[13]);
  }
  return kernels;
}

Result<std::map<std::int64_t, CriticalPath>> ReadCriticalPaths(const store::Database& experiment) {
  XSP_TRY(const store::Table table, experiment.Query(R"(
WITH path AS (SELECT point_id, c.* FROM critical_path c JOIN run USING (run_id)),
of_rank AS (
  SELECT point_id, run_id, coalesce(rank, -1) AS rank, count(DISTINCT coalesce(step, -1)) AS steps,
         sum(duration_ns) / steps AS whole_ns
  FROM path GROUP BY ALL),
longest AS (
  SELECT * FROM of_rank
  QUALIFY row_number() OVER (PARTITION BY point_id ORDER BY whole_ns DESC, run_id, rank) = 1)
SELECT l.point_id, any_value(whole_ns)::DOUBLE, CASE WHEN kind = 'compute' THEN p.name END AS kernel,
       (sum(duration_ns) / any_value(steps))::DOUBLE
FROM longest l JOIN path p ON p.run_id = l.run_id AND coalesce(p.rank, -1) = l.rank
GROUP BY l.point_id, kernel)"));
  std::map<std::int64_t, CriticalPath> paths;
  for (const auto& row : table.rows) {
    CriticalPath& path = paths[ValueOf<std::int64_t>(row[0])];
    path.whole_ns = ValueOf<double>(row[1]);
    const auto kernel = ValueOf<std::optional<std::string>>(row[2]);
    if (kernel) path.compute_ns[*kernel] += ValueOf<double>(row[3]);
  }
  return paths;
}

}  // namespace xsp::compare
