#include "answer/findings/evidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nearest_word.h"

namespace xsp::findings {
namespace {

constexpr std::string_view kAbstain = "abstain";

std::string FileOf(const Rule& rule, std::string_view name = "evidence.sql") {
  return (rule.folder / name).string();
}

bool IsOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::map<std::string, std::string, std::less<>> NumbersOf(const Rule& rule, std::int64_t point_id) {
  std::map<std::string, std::string, std::less<>> numbers = {{"point", fmt::to_string(point_id)}};
  for (const Threshold& threshold : rule.thresholds)
    numbers[threshold.name] = fmt::format("{}", threshold.value);
  return numbers;
}

/// Takes the column out of `table`; the cell of the first row, NULL where there is none.
store::Cell Take(store::Table& table, std::string_view name) {
  const auto column = std::find(table.columns.begin(), table.columns.end(), name);
  if (column == table.columns.end()) return std::monostate();
  const auto index = column - table.columns.begin();
  table.columns.erase(column);
  store::Cell first = std::monostate();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    auto& row = table.rows[i];
    if (i == 0) first = std::move(row[static_cast<std::size_t>(index)]);
    row.erase(row.begin() + index);
  }
  return first;
}

Result<std::string> Filled(const Rule& rule, const std::string& sql, std::string_view file_name,
                           std::int64_t point_id) {
  const auto numbers = NumbersOf(rule, point_id);
  std::string filled;
  for (std::size_t at = 0; at < sql.size();) {
    // A '$' that no name follows is the end of a regular expression.
    if (sql[at] != '$' || at + 1 == sql.size() ||
        !std::isalpha(static_cast<unsigned char>(sql[at + 1]))) {
      filled += sql[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < sql.size() && IsOfName(sql[end])) ++end;
    const std::string name = sql.substr(at + 1, end - at - 1);
    const auto number = numbers.find(name);
    if (number == numbers.end()) {
      std::vector<std::string_view> known;
      for (const auto& [word, value] : numbers) known.push_back(word);
      const std::string_view meant = core::NearestWord(name, known);
      return Error{ErrorKind::kBadInput,
                   fmt::format("${} is neither the point nor a threshold of finding.yaml: {}:{}",
                               name, FileOf(rule, file_name),
                               1 + std::count(sql.begin(),
                                              sql.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
                   meant.empty() ? fmt::format("There are: {}", fmt::join(known, ", "))
                                 : fmt::format("Did you mean ${}?", meant)};
    }
    filled += number->second;
    at = end;
  }
  return filled;
}

}  // namespace

Result<std::string> SqlFor(const Rule& rule, std::int64_t point_id) {
  return Filled(rule, rule.sql, "evidence.sql", point_id);
}

Result<std::string> GainSqlFor(const Rule& rule, std::int64_t point_id) {
  return Filled(rule, rule.gain ? rule.gain->sql : std::string(), "gain.sql", point_id);
}

Result<Evidence> FindEvidence(const Rule& rule, const store::Database& database,
                              std::int64_t point_id) {
  Evidence evidence;
  XSP_TRY(evidence.sql, SqlFor(rule, point_id));
  auto table = database.Query(evidence.sql);
  if (!table.ok()) {
    return Error{table.error().kind, fmt::format("{}: {}", table.error().what, FileOf(rule)),
                 table.error().hint};
  }
  evidence.table = std::move(table).value();
  const store::Cell abstain = Take(evidence.table, kAbstain);
  if (const auto* reason = std::get_if<std::string>(&abstain)) evidence.abstain = *reason;
  std::vector<std::string> declared;
  for (const Column& column : rule.columns) declared.push_back(column.name);
  if (evidence.table.columns != declared) {
    return Error{
        ErrorKind::kBadInput,
        fmt::format("evidence has other columns than finding.yaml declares: {}: has {}; declared "
                    "are {}",
                    FileOf(rule), fmt::join(evidence.table.columns, ", "),
                    fmt::join(declared, ", ")),
        "Make the columns of finding.yaml those of evidence.sql, in the same order."};
  }
  return evidence;
}

}  // namespace xsp::findings
