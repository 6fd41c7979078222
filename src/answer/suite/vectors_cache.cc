#include "answer/suite/vectors_cache.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <variant>

#include "os/files.h"
#include "os/paths.h"
#include "os/sha256.h"
#include "store/schema.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using store::Cell;

/// Raised when the files change their form.
constexpr int kFormat = 1;
constexpr std::size_t kKeyDigits = 16;

std::string KeyOf(const analyze::Analysis& analysis) {
  std::string text = fmt::format("{} {}\n{}\n{}", XSP_VERSION, kFormat, analysis.id, analysis.sql);
  for (const analyze::Column& column : analysis.columns) {
    text += fmt::format("\n{} {}", column.name, column.provenance);
    for (const std::string& source : column.sources) text += " " + source;
  }
  for (const store::SharedView& view : store::SharedViews()) text += view.Select(false);
  return os::Sha256(text).substr(0, kKeyDigits);
}

json ToJson(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return nullptr;
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return std::get<std::string>(cell);
}

/// Nothing: no cell is kept so.
std::optional<Cell> CellOf(const json& value) {
  if (value.is_null()) return std::monostate();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::nullopt;
}

bool IsFinite(const store::Table& table) {
  for (const auto& row : table.rows)
    for (const Cell& cell : row)
      if (const auto* number = std::get_if<double>(&cell); number && !std::isfinite(*number))
        return false;
  return true;
}

}  // namespace

VectorsCache::VectorsCache(const analyze::Analysis& analysis)
    : folder_(os::CacheFolder() / "vectors" / KeyOf(analysis)) {
  for (const analyze::Column& column : analysis.columns) columns_.push_back(column.name);
}

fs::path VectorsCache::FileOf(const std::string& fingerprint) const {
  return folder_ / (fingerprint + ".json");
}

std::optional<ExperimentVectors> VectorsCache::Find(const std::string& fingerprint) const {
  const auto text = os::ReadFile(FileOf(fingerprint));
  if (!text.ok()) return std::nullopt;
  const json kept = json::parse(text.value(), nullptr, false);
  if (!kept.is_object() || !kept.contains("provenance") || !kept.contains("rows"))
    return std::nullopt;
  ExperimentVectors vectors{.provenance = {}, .table = {columns_, {}}};
  for (const json& one : kept["provenance"]) {
    if (!one.is_string()) return std::nullopt;
    vectors.provenance.push_back(one.get<std::string>());
  }
  for (const json& row : kept["rows"]) {
    if (!row.is_array() || row.size() != columns_.size()) return std::nullopt;
    std::vector<Cell> cells;
    for (const json& value : row) {
      std::optional<Cell> cell = CellOf(value);
      if (!cell) return std::nullopt;
      cells.push_back(*std::move(cell));
    }
    vectors.table.rows.push_back(std::move(cells));
  }
  if (vectors.provenance.size() != columns_.size()) return std::nullopt;
  return vectors;
}

Status VectorsCache::Keep(const std::string& fingerprint, const ExperimentVectors& vectors) const {
  if (!IsFinite(vectors.table)) return Ok{};
  json rows = json::array();
  for (const auto& row : vectors.table.rows) {
    json cells = json::array();
    for (const Cell& cell : row) cells.push_back(ToJson(cell));
    rows.push_back(std::move(cells));
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 "cannot create " + folder_.string() + ": " + error.message(),
                 "XSP_CACHE names another folder for what can be computed again."};
  const json kept = {{"provenance", vectors.provenance}, {"rows", std::move(rows)}};
  return os::WriteFileAtomically(FileOf(fingerprint),
                                 kept.dump(-1, ' ', false, json::error_handler_t::replace),
                                 os::Durable::kLater);
}

}  // namespace xsp::suite
