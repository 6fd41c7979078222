#include "store/export.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "core/csv.h"
#include "core/utf8.h"

namespace xsp::store {
namespace {

/// The shortest text that reads back as `value`; with a point or an exponent, so that it stays a
/// floating point number.
std::string Number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string CsvText(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of("\",\r\n") == std::string_view::npos &&
                     text.front() != ' ' && text.back() != ' ';
  if (plain) return std::string(text);
  return core::QuotedCsvField(text);
}

struct CsvCell {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return Number(value); }
  std::string operator()(const std::string& value) const { return CsvText(value); }
};

std::string JsonText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : core::ToCleanUtf8(text)) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
          quoted += c;
        }
    }
  }
  return quoted + "\"";
}

struct JsonCell {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const {
    return std::isfinite(value) ? Number(value) : "null";
  }
  std::string operator()(const std::string& value) const { return JsonText(value); }
};

std::vector<std::string> UniqueKeys(const std::vector<std::string>& columns) {
  std::set<std::string> used;
  std::vector<std::string> keys;
  for (const std::string& column : columns) {
    std::string key = column;
    for (int n = 2; !used.insert(key).second; ++n) key = fmt::format("{}_{}", column, n);
    keys.push_back(JsonText(key));
  }
  return keys;
}

}  // namespace

std::string ToCsv(const Table& table) {
  std::string csv;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    csv += (i == 0 ? "" : ",") + CsvText(table.columns[i]);
  }
  csv += "\r\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      csv += (i == 0 ? "" : ",") + std::visit(CsvCell{}, row[i]);
    }
    csv += "\r\n";
  }
  return csv;
}

std::string ToJson(const Table& table) {
  const std::vector<std::string> keys = UniqueKeys(table.columns);
  std::string json = "[";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    json += row == 0 ? "\n  {" : ",\n  {";
    for (std::size_t i = 0; i < keys.size() && i < table.rows[row].size(); ++i) {
      json += (i == 0 ? "" : ", ") + keys[i] + ": " + std::visit(JsonCell{}, table.rows[row][i]);
    }
    json += "}";
  }
  return json + (table.rows.empty() ? "]\n" : "\n]\n");
}

}  // namespace xsp::store
