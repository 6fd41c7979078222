#include "derive/compare/side.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "derive/compare/measured_points.h"
#include "store/directory.h"
#include "store/rows/kernel_row.h"
#include "store/run_reader.h"
#include "store/typed_table.h"

namespace xsp::compare {
namespace {

/// One experiment with what is read of it.
struct OpenedSide {
  SideSource source;
  store::Database database;
  MeasuredTables tables;
  const store::PointRow* point;
  std::vector<store::LayerRow> layers;  ///< Of the point.
  bool has_device;                      ///< So far as the table kernel tells.
};

Result<std::int64_t> Number(const store::Database& database, const std::string& sql) {
  XSP_TRY(const store::Table table, database.Query(sql));
  if (table.rows.empty()) return std::int64_t{0};
  const auto* number = std::get_if<std::int64_t>(&table.rows.front().front());
  return number == nullptr ? std::int64_t{0} : *number;
}

Result<OpenedSide> OpenSide(const SideSource& source) {
  XSP_TRY(store::Database database, store::Database::Open({source.experiment}));
  XSP_TRY(MeasuredTables tables, ReadMeasuredCalls(database));
  OpenedSide opened{source, std::move(database), std::move(tables), nullptr, {}, false};
  for (const store::PointRow& point : opened.tables.point)
    if (point.point_id == source.point_id) opened.point = &point;
  if (opened.point == nullptr)
    return Error{ErrorKind::kBadInput,
                 fmt::format("no such point: {} of {}", source.point_id, source.name), ""};
  XSP_TRY(opened.layers, ReadLayersOf(opened.database, source.point_id));
  XSP_TRY(const std::int64_t kernels,
          Number(opened.database,
                 fmt::format("SELECT count(*) FROM kernel WHERE point_id = {} AND type IN "
                             "('kernel', 'memcpy', 'memset')",
                             source.point_id)));
  opened.has_device = kernels > 0;
  return opened;
}

const store::RunRow* RunOf(const OpenedSide& opened, std::int64_t run_id) {
  for (const store::RunRow& run : opened.tables.run)
    if (run.run_id == run_id && run.point_id == opened.source.point_id) return &run;
  return nullptr;
}

/// The run whose values the table has of the point; 0: none.
Result<std::int64_t> SourceRun(const OpenedSide& opened, const char* table) {
  return Number(opened.database,
                fmt::format("SELECT source_run FROM {} WHERE point_id = {} AND source_run IS NOT "
                            "NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
                            table, opened.source.point_id));
}

Result<const store::RunRow*> ChooseRun(const OpenedSide& opened, Basis basis) {
  const store::RunRow* run = nullptr;
  if (opened.source.run_id) {
    run = RunOf(opened, *opened.source.run_id);
  } else {
    XSP_TRY(const std::int64_t run_id,
            SourceRun(opened, basis == Basis::kDevice ? "kernel" : "layer"));
    run = RunOf(opened, run_id);
    for (const store::RunRow& any : opened.tables.run) {
      if (run != nullptr) break;
      if (any.point_id == opened.source.point_id && any.status == "done") run = &any;
    }
  }
  if (run == nullptr)
    return Error{ErrorKind::kBadInput,
                 fmt::format("no run to compare: point {} of {}", opened.source.point_id,
                             opened.source.name),
                 "`xsp show` lists the runs of an experiment, and why they failed."};
  return run;
}

Result<SideTrees> ReadTrees(const OpenedSide& opened, const store::RunRow& run,
                            const store::RunReader& reader, CallDetail detail) {
  XSP_TRY(const trace::Trace trace, reader.ReadSpans(opened.source.experiment / run.path));
  return ReadSideTrees(trace, opened.layers, detail);
}

Result<std::optional<DeviceTime>> ReadDeviceTime(const OpenedSide& opened, std::int64_t run_id) {
  XSP_TRY(
      const store::Table table,
      opened.database.Query(fmt::format(
          "WITH own AS (SELECT * FROM device_time WHERE run_id = {}), "
          "chosen AS (SELECT * FROM own WHERE (step IS NOT NULL) = "
          "(SELECT bool_or(step IS NOT NULL) FROM own)) "
          "SELECT count(DISTINCT (coalesce(rank, -1), coalesce(step, -1))), sum(total_ns)::DOUBLE, "
          "sum(idle_ns)::DOUBLE, sum(compute_ns)::DOUBLE, sum(communication_ns)::DOUBLE, "
          "sum(exposed_communication_ns)::DOUBLE, sum(copy_ns)::DOUBLE FROM chosen",
          run_id)));
  const std::vector<store::Cell>& row = table.rows.front();
  DeviceTime time;
  time.steps = std::get<std::int64_t>(row[0]);
  if (time.steps == 0) return std::optional<DeviceTime>();
  double* const fields[] = {&time.total_ns,
                            &time.idle_ns,
                            &time.compute_ns,
                            &time.communication_ns,
                            &time.exposed_communication_ns,
                            &time.copy_ns};
  for (std::size_t i = 0; i < std::size(fields); ++i)
    if (const auto* sum = std::get_if<double>(&row[i + 1]))
      *fields[i] = *sum / static_cast<double>(time.steps);
  return std::optional(time);
}

/// Other processes of the run's rung and point that completed.
std::vector<const store::RunRow*> OtherProcesses(const OpenedSide& opened,
                                                 const store::RunRow& run) {
  std::vector<const store::RunRow*> others;
  for (const store::RunRow& other : opened.tables.run)
    if (other.point_id == run.point_id && other.rung == run.rung && other.run_id != run.run_id &&
        other.status == "done")
      others.push_back(&other);
  return others;
}

Result<Side> Read(const OpenedSide& opened, Basis basis, const store::RunReader& reader) {
  XSP_TRY(const store::RunRow* run, ChooseRun(opened, basis));
  Side side;
  side.source = opened.source;
  side.point = *opened.point;
  side.run = *run;
  const bool has_others = !opened.source.run_id && !OtherProcesses(opened, *run).empty();
  XSP_TRY(side.trees,
          ReadTrees(opened, *run, reader, has_others ? CallDetail::kTypical : CallDetail::kMeans));
  if (side.trees.calls == 0)
    return Error{ErrorKind::kBadInput,
                 fmt::format("nothing to compare: {} has no model call, layer or kernel that ended",
                             opened.source.name),
                 ""};
  XSP_TRY(side.device_time, ReadDeviceTime(opened, run->run_id));
  XSP_TRY(const store::Directory folder, store::Inspect(opened.source.experiment / run->path));
  side.facts = FactsOf(side.point, folder.json, side.trees);
  const auto disturbance = folder.json.find("disturbance");
  side.session = SessionOf(opened.source.experiment);
  side.was_busy = disturbance != folder.json.end() && disturbance->is_object() &&
                  disturbance->value("busy", nlohmann::json()) == true;
  // A side that names a run is that process alone.
  if (opened.source.run_id) return side;
  side.calls = ModelCalls(opened.tables, opened.source.point_id);
  return side;
}

/// Reads the trees of all processes, where both sides have several.
Status ReadProcesses(const OpenedSide& opened, const store::RunReader& reader, Side& side) {
  for (const store::RunRow* other : OtherProcesses(opened, side.run)) {
    XSP_TRY(SideTrees trees, ReadTrees(opened, *other, reader, CallDetail::kTypical));
    if (trees.calls > 0) side.processes.push_back(std::move(trees));
  }
  return Ok{};
}

}  // namespace

std::string SessionOf(const std::filesystem::path& experiment) {
  const auto folder = store::Inspect(experiment);
  if (!folder.ok() || !folder.value().json.is_object()) return {};
  const auto session = folder.value().json.find("session");
  return session != folder.value().json.end() && session->is_string() ? session->get<std::string>()
                                                                      : std::string();
}

Result<Sides> ReadSides(const SideSource& a, const SideSource& b) {
  XSP_TRY(const store::RunReader reader, store::RunReader::Create());
  XSP_TRY(const OpenedSide of_a, OpenSide(a));
  XSP_TRY(const OpenedSide of_b, OpenSide(b));
  Sides sides;
  if (of_a.has_device && of_b.has_device) {
    XSP_TRY(sides.a, Read(of_a, Basis::kDevice, reader));
    XSP_TRY(sides.b, Read(of_b, Basis::kDevice, reader));
    if (sides.a.trees.device_spans > 0 && sides.b.trees.device_spans > 0)
      sides.basis = Basis::kDevice;
  }
  if (sides.basis == Basis::kHost) {
    XSP_TRY(sides.a, Read(of_a, Basis::kHost, reader));
    XSP_TRY(sides.b, Read(of_b, Basis::kHost, reader));
  }
  const bool have_several = !a.run_id && !b.run_id && !OtherProcesses(of_a, sides.a.run).empty() &&
                            !OtherProcesses(of_b, sides.b.run).empty();
  if (have_several) {
    XSP_RETURN_IF_ERROR(ReadProcesses(of_a, reader, sides.a));
    XSP_RETURN_IF_ERROR(ReadProcesses(of_b, reader, sides.b));
  }
  return sides;
}

}  // namespace xsp::compare
