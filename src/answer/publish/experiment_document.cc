#include "answer/publish/experiment_document.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "answer/report/columns_json.h"
#include "answer/report/experiment_facts.h"
#include "core/json_text.h"
#include "derive/history/measured_run.h"
#include "os/files.h"

namespace xsp::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using store::Cell;
using store::Table;

/// Layers of a document: enough for ResNet-50 at ten batch sizes, and small enough to load at once.
constexpr std::size_t kMaxLayers = 2000;

json JsonOf(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth;
  const auto* number = std::get_if<double>(&cell);
  return number && std::isfinite(*number) ? json(*number) : json(nullptr);
}

/// The index of a column; its size where it is missing.
std::size_t ColumnOf(const Table& table, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
}

json CellOf(const Table& table, std::size_t row, std::string_view column) {
  const std::size_t index = ColumnOf(table, column);
  return index < table.columns.size() ? JsonOf(table.rows[row][index]) : json(nullptr);
}

/// An object for each row, of these columns.
json Objects(const TablesByName& tables, const std::string& name,
             const std::vector<std::string_view>& columns) {
  json rows = json::array();
  const auto table = tables.find(name);
  if (table == tables.end()) return rows;
  for (std::size_t row = 0; row < table->second.rows.size(); ++row) {
    json object = json::object();
    for (const std::string_view column : columns)
      object[std::string(column)] = CellOf(table->second, row, column);
    rows.push_back(std::move(object));
  }
  return rows;
}

/// These columns alone.
Table Projected(const Table& table, const std::vector<std::string_view>& columns) {
  Table part;
  std::vector<std::size_t> indices;
  for (const std::string_view column : columns) {
    const std::size_t index = ColumnOf(table, column);
    if (index == table.columns.size()) continue;
    indices.push_back(index);
    part.columns.emplace_back(column);
  }
  for (const auto& row : table.rows) {
    std::vector<Cell>& cells = part.rows.emplace_back();
    for (const std::size_t index : indices) cells.push_back(row[index]);
  }
  return part;
}

/// The slowest `count` rows in their order.
void KeepSlowest(Table& layers, std::size_t count) {
  if (layers.rows.size() <= count) return;
  const auto number = [&](std::size_t row, std::string_view column) {
    const std::size_t index = ColumnOf(layers, column);
    const auto* value =
        index < layers.columns.size() ? std::get_if<double>(&layers.rows[row][index]) : nullptr;
    return value ? *value : 0.0;
  };
  std::vector<double> time;  // That of the device where the host's is not known.
  for (std::size_t row = 0; row < layers.rows.size(); ++row) {
    const double latency_ns = number(row, "latency_ns");
    time.push_back(latency_ns > 0 ? latency_ns : number(row, "device_ns"));
  }
  std::vector<std::size_t> order(layers.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](std::size_t a, std::size_t b) { return time[a] > time[b]; });
  order.resize(count);
  std::ranges::sort(order);
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t row : order) rows.push_back(std::move(layers.rows[row]));
  layers.rows = std::move(rows);
}

json LayersOf(const TablesByName& tables) {
  const auto found = tables.find("layer");
  if (found == tables.end()) return {{"total", 0}, {"columns", json::object()}};
  Table layers = Projected(found->second, {"point_id", "layer_index", "name", "path", "type",
                                           "latency_ns", "device_ns"});
  const std::size_t total = layers.rows.size();
  KeepSlowest(layers, kMaxLayers);
  return {{"total", total}, {"columns", report::ColumnsJson(layers)}};
}

/// The folder of the deepest run that is whole; empty: none.
std::string DeepestRun(const TablesByName& tables) {
  const auto found = tables.find("run");
  if (found == tables.end()) return {};
  std::string path;
  std::int64_t highest = -1;
  const Table& runs = found->second;
  for (std::size_t row = 0; row < runs.rows.size(); ++row) {
    const json id = CellOf(runs, row, "run_id");
    if (CellOf(runs, row, "status") == "failed" || CellOf(runs, row, "rung") == "details") continue;
    if (!id.is_number_integer() || id.get<std::int64_t>() <= highest) continue;
    highest = id.get<std::int64_t>();
    path = CellOf(runs, row, "path").get<std::string>();
  }
  return path;
}

Result<json> ReadObject(const fs::path& file) {
  XSP_TRY(const std::string text, os::ReadFile(file));
  json object = core::ParseJson(text);
  if (!object.is_object())
    return Error{ErrorKind::kBadInput, "not a JSON object: " + file.string(),
                 "The experiment is damaged; measure or import it again."};
  return object;
}

/// Texts of a member that may be a text or a list of them.
json TextsOf(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return json::array();
  if (found->is_string()) return json::array({*found});
  return found->is_array() ? *found : json::array();
}

std::string TextOf(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Result<ExperimentDocument> DocumentOf(const store::CatalogueEntry& experiment,
                                      const TablesByName& tables) {
  XSP_TRY(const json stored, ReadObject(experiment.path / "experiment.json"));
  const std::string run_name = DeepestRun(tables);
  json run = json::object();
  std::string machine = "not known";
  if (!run_name.empty()) {
    const fs::path folder = experiment.path / run_name;
    if (auto read = ReadObject(folder / "run.json"); read.ok()) run = std::move(read).value();
    if (const auto measured = history::ReadMeasuredRun(folder); measured.ok())
      machine = measured.value().machine;
  }
  ExperimentDocument result;
  result.entry = {{"name", experiment.name},
                  {"created", experiment.created},
                  {"model", experiment.model},
                  {"backend", experiment.backend},
                  {"status", experiment.status},
                  {"kind", TextOf(stored, "kind")},
                  {"tags", experiment.tags},
                  {"runs", experiment.runs},
                  {"machine", machine},
                  {"points", Objects(tables, "point",
                                     {"point_id", "model", "backend", "device", "precision",
                                      "batch", "settings", "latency_ns", "latency_low_ns",
                                      "latency_high_ns", "peak_bytes", "status"})}};
  result.document = {
      {"name", experiment.name},
      {"command", TextOf(stored, "command")},
      {"conditions", TextsOf(stored, "conditions")},
      {"imported_from", TextsOf(stored, "imported_from")},
      {"run_rows", Objects(tables, "run",
                           {"run_id", "point_id", "rung", "status", "path", "samples", "latency_ns",
                            "latency_low_ns", "latency_high_ns", "message"})},
      {"layers", LayersOf(tables)},
      {"roofs",
       Objects(tables, "roof", {"kind", "name", "dtype", "cores", "value", "provenance", "used"})},
      {"stack", report::StackGroups(run)}};
  return result;
}

}  // namespace xsp::publish
