#include "api/operations/sweep_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "store/many_experiments.h"
#include "store/rows/point_row.h"
#include "store/typed_table.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using sweeps::SweptPoint;

template <typename T>
json OrNull(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

json TextOrNull(const std::string& text) { return text.empty() ? json() : json(text); }

json PointJson(const SweptPoint& swept) {
  const sweeps::Point& point = swept.point;
  return {{"name", point.name},
          {"model", point.model},
          {"backend", TextOrNull(point.backend)},
          {"batch", point.batch},
          {"precision", point.precision},
          {"machine", TextOrNull(point.machine)},
          {"settings", point.settings},
          {"status", swept.status},
          {"experiment", TextOrNull(swept.experiment)},
          {"why", TextOrNull(swept.why)},
          {"hint", TextOrNull(swept.hint)},
          {"exit_status", swept.failure ? json(static_cast<int>(*swept.failure)) : json()},
          {"seconds", OrNull(swept.estimate.seconds)},
          {"basis", swept.estimate.basis}};
}

/// The rows of each experiment's points, by its name.
using PointRows = std::map<std::string, std::vector<store::PointRow>>;

Result<PointRows> ReadPoints(const std::filesystem::path& store,
                             const std::vector<SweptPoint>& points) {
  std::set<std::string> names;
  for (const SweptPoint& point : points)
    if (!point.experiment.empty()) names.insert(point.experiment);
  std::vector<std::filesystem::path> folders;
  for (const std::string& name : names) folders.push_back(store / name);
  PointRows rows;
  if (folders.empty()) return rows;
  XSP_TRY(auto experiments, store::ManyExperiments::Open(folders));
  XSP_TRY(const store::Table table, experiments.Query({"point"}, "SELECT * FROM point"));
  XSP_TRY(std::vector<store::PointRow> read, store::ToRows<store::PointRow>(table));
  for (std::size_t i = 0; i < read.size(); ++i) {
    const auto index = static_cast<std::size_t>(std::get<std::int64_t>(table.rows[i][0]));
    rows[folders[index].filename().string()].push_back(std::move(read[i]));
  }
  return rows;
}

/// Of the batch size that was measured: an experiment may hold several, and a scenario has its own.
const store::PointRow* RowOf(const PointRows& rows, const SweptPoint& swept) {
  const auto found = rows.find(swept.experiment);
  if (found == rows.end()) return nullptr;
  for (const store::PointRow& row : found->second)
    if (row.batch && *row.batch == swept.completed.batches.front()) return &row;
  return found->second.empty() ? nullptr : &found->second.front();
}

void AddFigures(const store::PointRow& row, json& point) {
  point["latency_ns"] = OrNull(row.latency_ns);
  point["latency_low_ns"] = OrNull(row.latency_low_ns);
  point["latency_high_ns"] = OrNull(row.latency_high_ns);
  if (row.batch && row.latency_ns && *row.latency_ns > 0)
    point["throughput"] = static_cast<double>(*row.batch) * 1e9 / *row.latency_ns;
}

/// Of the kind of all failures, if they are of one.
int ExitStatusOf(const std::vector<SweptPoint>& points, bool is_interrupted) {
  if (is_interrupted) return static_cast<int>(ErrorKind::kInterrupted);
  std::set<ErrorKind> kinds;
  for (const SweptPoint& point : points)
    if (point.failure) kinds.insert(*point.failure);
  if (kinds.empty()) return 0;
  return static_cast<int>(kinds.size() == 1 ? *kinds.begin() : ErrorKind::kEnvironment);
}

void NoteFailures(const std::vector<SweptPoint>& points, Document& document) {
  for (const SweptPoint& point : points) {
    if (!point.failure) continue;
    document.notes.push_back(fmt::format("error: {}: {}", point.point.name, point.why));
    if (!point.hint.empty()) document.notes.push_back("hint: " + point.hint);
  }
}

}  // namespace

Document PlanDocument(const std::string& sweep, const std::vector<SweptPoint>& points,
                      double seconds) {
  json list = json::array();
  std::int64_t unknown = 0, bounds = 0;
  for (const SweptPoint& point : points) {
    list.push_back(PointJson(point));
    if (point.status != "missing") continue;
    unknown += point.estimate.basis == "unknown" ? 1 : 0;
    bounds += point.estimate.basis == "upper bound" ? 1 : 0;
  }
  Document document{.content = json{{"sweep", sweep},
                                    {"points", std::move(list)},
                                    {"seconds", seconds},
                                    {"seconds_unknown", unknown},
                                    {"upper_bounds", bounds}}};
  NoteFailures(points, document);
  return document;
}

Result<Document> ResultDocument(const std::string& sweep, const std::filesystem::path& store,
                                const std::vector<SweptPoint>& points, bool is_interrupted) {
  XSP_TRY(const PointRows rows, ReadPoints(store, points));
  json list = json::array();
  for (const SweptPoint& swept : points) {
    json point = PointJson(swept);
    point["seconds"] = swept.seconds;
    point.erase("basis");
    for (const char* figure : {"latency_ns", "latency_low_ns", "latency_high_ns", "throughput"})
      point[figure] = json();
    if (const store::PointRow* row = RowOf(rows, swept); row != nullptr) AddFigures(*row, point);
    list.push_back(std::move(point));
  }
  Document document;
  document.exit_status = ExitStatusOf(points, is_interrupted);
  document.content = json{{"sweep", sweep},
                          {"points", std::move(list)},
                          {"status", is_interrupted              ? "interrupted"
                                     : document.exit_status == 0 ? "done"
                                                                 : "partial"}};
  NoteFailures(points, document);
  return document;
}

}  // namespace xsp::api
