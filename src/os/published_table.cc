#include "os/published_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <sstream>
#include <utility>

#include "core/csv.h"
#include "os/files.h"

namespace xsp::os {

namespace {

/// Runs of letters and digits, in lower case.
std::set<std::string, std::less<>> Words(std::string_view text) {
  std::set<std::string, std::less<>> words;
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      word += static_cast<char>(std::tolower(byte));
    } else if (!word.empty()) {
      words.insert(std::exchange(word, ""));
    }
  }
  if (!word.empty()) words.insert(word);
  return words;
}

}  // namespace

Result<PublishedTable> PublishedTable::Read(const std::filesystem::path& path,
                                            std::initializer_list<std::string_view> columns) {
  auto text = os::ReadFile(path, 1 << 20);
  if (!text.ok()) {
    return Error{
        ErrorKind::kEnvironment, "no device table: " + text.error().what,
        fmt::format("Set XSP_HOME to the folder that holds machine/{}.", path.filename().string())};
  }
  PublishedTable table;
  std::istringstream lines(std::move(text).value());
  core::CsvReader reader(lines, ',', '#');
  for (core::CsvReader::Row read; reader.Next(read);) {
    if (read.damaged) {
      return Error{ErrorKind::kEnvironment,
                   fmt::format("device table is damaged: the quotes of line {} are not closed, or "
                               "text follows them: {}",
                               read.line, path.string()),
                   "Install XSP again, or mend the line."};
    }
    Row row = std::move(read.fields);
    if (table.header_.empty()) {
      table.header_ = std::move(row);
      continue;
    }
    if (row.size() != table.header_.size()) {
      return Error{ErrorKind::kEnvironment,
                   fmt::format("device table is damaged: {} has {} of {} fields: {}", row.front(),
                               row.size(), table.header_.size(), path.string()),
                   "Install XSP again, or mend the line."};
    }
    table.rows_.push_back(std::move(row));
  }
  for (const std::string_view column : columns) {
    if (std::find(table.header_.begin(), table.header_.end(), column) == table.header_.end()) {
      return Error{ErrorKind::kEnvironment,
                   fmt::format("device table has no column {}: {}", column, path.string()),
                   "Install XSP again."};
    }
  }
  return table;
}

std::string_view PublishedTable::Text(const Row& row, std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) return {};
  return row[static_cast<std::size_t>(found - header_.begin())];
}

std::optional<double> PublishedTable::Number(const Row& row, std::string_view column) const {
  const std::string_view field = Text(row, column);
  double figure = 0;
  const auto parsed = std::from_chars(field.data(), field.data() + field.size(), figure);
  if (parsed.ec != std::errc() || parsed.ptr != field.data() + field.size()) return std::nullopt;
  return figure;
}

const PublishedTable::Row* PublishedTable::BestMatch(std::string_view name) const {
  const auto have = Words(name);
  const Row* best = nullptr;
  std::size_t best_words = 0;
  for (const Row& row : rows_) {
    const auto wanted = Words(Text(row, "match"));
    const bool matches = std::includes(have.begin(), have.end(), wanted.begin(), wanted.end());
    if (matches && wanted.size() > best_words) {
      best = &row;
      best_words = wanted.size();
    }
  }
  return best;
}

}  // namespace xsp::os
