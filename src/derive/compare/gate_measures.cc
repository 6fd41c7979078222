#include "derive/compare/gate_measures.h"

#include <fmt/format.h>

#include "store/database.h"

namespace xsp::compare {
namespace {

/// SQL for the runs of a side's processes: ids and peaks.
std::string ProcessesSql(const Side& side) {
  if (side.source.run_id)
    return fmt::format("SELECT run_id, peak_resident_bytes FROM run WHERE run_id = {}",
                       *side.source.run_id);
  // The rung of unprofiled calls has no quote in it; that of the side comes from a file.
  std::string rung;
  for (const char c : side.run.rung) rung += c == '\'' ? std::string("''") : std::string(1, c);
  return fmt::format(
      "WITH own AS (SELECT * FROM run WHERE point_id = {} AND status = 'done' AND process_pair IS "
      "NULL) SELECT run_id, peak_resident_bytes FROM own WHERE rung = (SELECT CASE WHEN "
      "count(*) FILTER (rung = 'model') > 0 THEN 'model' ELSE '{}' END FROM own)",
      side.source.point_id, rung);
}

}  // namespace

Result<SideMeasures> ReadMeasures(const Side& side) {
  SideMeasures measures;
  measures.allocated_peak_bytes = side.point.peak_bytes;
  XSP_TRY(const store::Database database, store::Database::Open({side.source.experiment}));
  const std::string processes = ProcessesSql(side);
  XSP_TRY(const store::Table peaks,
          database.Query(fmt::format("SELECT peak_resident_bytes::DOUBLE FROM ({}) ORDER BY run_id",
                                     processes)));
  for (const std::vector<store::Cell>& row : peaks.rows)
    if (const auto* bytes = std::get_if<double>(&row[0]); bytes != nullptr && *bytes > 0)
      measures.resident_peak_bytes.push_back(*bytes);
  XSP_TRY(const store::Table energy,
          database.Query(fmt::format(
              "SELECT e.part, e.energy_joules / e.spans FROM energy e JOIN ({}) USING (run_id) "
              "WHERE e.point_id = {} AND e.scope = 'call' AND e.spans > 0 AND e.energy_joules > 0 "
              "ORDER BY e.part, run_id",
              processes, side.source.point_id)));
  for (const std::vector<store::Cell>& row : energy.rows)
    measures.call_joules[std::get<std::string>(row[0])].push_back(std::get<double>(row[1]));
  return measures;
}

}  // namespace xsp::compare
