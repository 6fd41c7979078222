#include "answer/suite/vectors_cache.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

namespace xsp::suite {
namespace {

using nlohmann::json;
using store::Cell;

/// Raised when the files change their form.
constexpr int kFormat = 1;

std::string TextOf(const analyze::Analysis& analysis) {
  std::string text = fmt::format("{}\n{}\n{}", kFormat, analysis.id, analysis.sql);
  for (const analyze::Column& column : analysis.columns) {
    text += fmt::format("\n{} {}", column.name, column.provenance);
    for (const std::string& source : column.sources) text += " " + source;
  }
  return text;
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

VectorsCache::VectorsCache(const analyze::Analysis& analysis) : kept_("vectors", TextOf(analysis)) {
  for (const analyze::Column& column : analysis.columns) columns_.push_back(column.name);
}

std::optional<ExperimentVectors> VectorsCache::Find(const std::string& fingerprint) const {
  const json kept = kept_.Find(fingerprint);
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
  return kept_.Keep(fingerprint, {{"provenance", vectors.provenance}, {"rows", std::move(rows)}});
}

}  // namespace xsp::suite
