#include "answer/suggest/predictable_points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/counted.h"
#include "core/nearest_word.h"
#include "derive/roofs/cpu_table.h"
#include "derive/roofs/device_table.h"
#include "os/paths.h"
#include "os/published_table.h"
#include "store/rows/kernel_row.h"
#include "store/rows/roof_row.h"
#include "store/typed_table.h"

namespace xsp::suggest {
namespace {

using PlaceOfPoint = std::pair<std::int64_t, std::int64_t>;  ///< Experiment and point.

std::int64_t IndexIn(const std::vector<store::Cell>& row) {
  return std::get<std::int64_t>(row.front());
}

constexpr const char* kDataSheet = "data-sheet";
constexpr const char* kMeasuredRoofs = "measured";

/// The name of the machine in its data sheet: the text before the colon of `how`.
std::string SheetName(const std::vector<roofs::Roof>& roofs) {
  return roofs.empty() ? std::string() : roofs.front().how.substr(0, roofs.front().how.find(':'));
}

std::optional<PeakRates> SheetOf(const StoredExperiment& experiment, const Identity& identity) {
  const bool is_cpu = identity.device == "cpu";
  const auto sheet =
      is_cpu ? roofs::CpuDataSheet(experiment.machine_cpu,
                                   {.cores = static_cast<int>(identity.cores.value_or(0))})
             : roofs::DataSheetRoofs(experiment.machine_gpu);
  if (!sheet.ok() || sheet.value().empty()) return {};
  return PeakRatesOf(SheetName(sheet.value()), kDataSheet, sheet.value());
}

Result<std::map<std::int64_t, std::vector<roofs::Roof>>> ReadRoofs(store::ManyExperiments& tables) {
  XSP_TRY(const store::Table table, tables.Query({"roof"}, "SELECT * FROM roof WHERE used"));
  XSP_TRY(const std::vector<store::RoofRow> rows, store::ToRows<store::RoofRow>(table));
  std::map<std::int64_t, std::vector<roofs::Roof>> roofs;
  for (std::size_t i = 0; i < rows.size(); ++i)
    roofs[IndexIn(table.rows[i])].push_back({rows[i].kind, rows[i].name, rows[i].dtype.value_or(""),
                                             rows[i].unit.value_or(""),
                                             static_cast<int>(rows[i].cores.value_or(0)),
                                             rows[i].value, rows[i].provenance, rows[i].how, true});
  return roofs;
}

/// Latencies of runs by experiment and run.
Result<std::map<PlaceOfPoint, double>> ReadCallTimes(store::ManyExperiments& tables) {
  XSP_TRY(
      const store::Table table,
      tables.Query({"run"}, "SELECT experiment, run_id, latency_ns FROM run WHERE latency_ns > 0"));
  std::map<PlaceOfPoint, double> times;
  for (const auto& row : table.rows)
    times[{IndexIn(row), std::get<std::int64_t>(row[1])}] = std::get<double>(row[2]);
  return times;
}

Result<std::map<PlaceOfPoint, PointWork>> ReadWork(store::ManyExperiments& tables) {
  XSP_TRY(const auto calls, ReadCallTimes(tables));
  XSP_TRY(const store::Table table,
          tables.Query({"kernel"},
                       "SELECT * FROM kernel WHERE duration_ns > 0 ORDER BY experiment, "
                       "point_id, kernel_index"));
  XSP_TRY(const std::vector<store::KernelRow> rows, store::ToRows<store::KernelRow>(table));
  std::map<PlaceOfPoint, PointWork> work;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const store::KernelRow& row = rows[i];
    const std::int64_t experiment = IndexIn(table.rows[i]);
    PointWork& of_point = work[{experiment, row.point_id}];
    KernelWork kernel{*row.duration_ns, row.flops.value_or(std::nan("")), std::nan(""),
                      row.dtype.value_or(""), row.unit.value_or("")};
    if (row.read_bytes || row.write_bytes)
      kernel.bytes = row.read_bytes.value_or(0) + row.write_bytes.value_or(0);
    of_point.kernels.push_back(std::move(kernel));
    if (const auto call = calls.find({experiment, row.source_run.value_or(0)}); call != calls.end())
      of_point.call_ns = call->second;
  }
  return work;
}

Result<std::vector<std::string>> SheetNames(const char* file, const char* column) {
  XSP_TRY(const os::PublishedTable table,
          os::PublishedTable::Read(os::DataRoot() / "machine" / file, {column}));
  std::vector<std::string> names;
  for (const os::PublishedTable::Row& row : table.rows())
    names.emplace_back(table.Text(row, column));
  return names;
}

}  // namespace

Result<std::vector<std::optional<PredictablePoint>>> ReadPredictablePoints(
    const std::vector<StoredExperiment>& experiments, store::ManyExperiments& tables,
    const std::vector<Candidate>& candidates) {
  XSP_TRY(const auto roofs, ReadRoofs(tables));
  XSP_TRY(auto work, ReadWork(tables));
  std::map<std::string, std::int64_t> index_of;
  for (std::size_t i = 0; i < experiments.size(); ++i)
    index_of[experiments[i].name] = static_cast<std::int64_t>(i);
  std::vector<std::optional<PredictablePoint>> points;
  for (const Candidate& candidate : candidates) {
    std::optional<PredictablePoint>& point = points.emplace_back();
    const std::int64_t index = index_of.at(candidate.experiment);
    const auto found = work.find({index, candidate.point_id});
    if (found == work.end()) continue;
    auto rates = SheetOf(experiments[static_cast<std::size_t>(index)], candidate.identity);
    if (const auto measured = roofs.find(index); !rates && measured != roofs.end())
      rates = PeakRatesOf(candidate.identity.machine, kMeasuredRoofs, measured->second);
    if (!rates) continue;
    point = PredictablePoint{candidate.identity, candidate.Of(Metric::kLatency).centre,
                             std::move(found->second), *std::move(rates)};
  }
  return points;
}

Result<PeakRates> FindPredictedMachine(std::string_view name) {
  const auto device = roofs::DataSheetRoofs(name);
  if (device.ok()) return PeakRatesOf(SheetName(device.value()), kDataSheet, device.value());
  if (device.error().kind != ErrorKind::kNotPossible) return device.error();
  const auto cpu = roofs::CpuDataSheet(name, {});
  if (cpu.ok()) return PeakRatesOf(SheetName(cpu.value()), kDataSheet, cpu.value());
  if (cpu.error().kind != ErrorKind::kNotPossible) return cpu.error();
  XSP_TRY(std::vector<std::string> names, SheetNames("devices.csv", "device"));
  XSP_TRY(const std::vector<std::string> cpus, SheetNames("cpus.csv", "cpu"));
  names.insert(names.end(), cpus.begin(), cpus.end());
  // Names that have the word come before those that are spelt like it.
  std::vector<std::string_view> with_word, all(names.begin(), names.end());
  for (const std::string& known : names)
    if (known.find(name) != std::string::npos) with_word.push_back(known);
  if (with_word.empty()) with_word = core::NearestWords(name, all, 5);
  return Error{ErrorKind::kUsage, fmt::format("no data sheet is known for the machine: {}", name),
               fmt::format("Near are: {}. machine/devices.csv and machine/cpus.csv list all.",
                           fmt::join(with_word, "; ")),
               -1, "predict"};
}

void AddPredictions(const std::vector<std::optional<PredictablePoint>>& points,
                    const PeakRates& machine, std::vector<Candidate>& candidates,
                    std::vector<std::string>& notes) {
  std::vector<PredictablePoint> known;
  for (const auto& point : points)
    if (point) known.push_back(*point);
  const PredictionError error = MeasureError(known);
  const std::size_t measured = candidates.size();
  std::size_t predicted = 0, there = 0;
  for (std::size_t i = 0; i < measured; ++i) {
    if (!points[i]) continue;
    if (points[i]->rates.machine == machine.machine) {
      ++there;
      continue;
    }
    if (auto candidate = Predict(candidates[i], *points[i], machine, error)) {
      ++predicted;
      candidates.push_back(*std::move(candidate));
    }
  }
  notes.push_back(fmt::format("{} of the store predicted for {}; {}",
                              core::Counted(predicted, "candidate"), machine.machine,
                              Describe(error)));
  if (const std::size_t rest = measured - predicted - there; rest > 0)
    notes.push_back(
        fmt::format("{} of the store cannot be predicted: no kernels with known work, or no roofs "
                    "of the machine",
                    core::Counted(rest, "candidate")));
}

}  // namespace xsp::suggest
