#include "machine/device_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/paths.h"

namespace xsp::machine {

namespace {

using Row = std::vector<std::string_view>;

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

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

struct Table {
  Row header;
  std::vector<Row> rows;

  std::size_t Column(std::string_view name) const {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  }
};

Result<Table> Parse(std::string_view text, const std::filesystem::path& path) {
  Table table;
  for (const std::string_view line : Split(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    Row row = Split(line, ',');
    if (table.header.empty()) {
      table.header = std::move(row);
      continue;
    }
    if (row.size() != table.header.size()) {
      return Error{ErrorKind::kEnvironment,
                   fmt::format("device table is damaged: {} has {} of {} fields: {}", row.front(),
                               row.size(), table.header.size(), path.string()),
                   "Install XSP again, or mend the line."};
    }
    table.rows.push_back(std::move(row));
  }
  for (const char* column : {"device", "match", "dram_gb_per_s", "source"}) {
    if (table.Column(column) == table.header.size()) {
      return Error{ErrorKind::kEnvironment,
                   fmt::format("device table has no column {}: {}", column, path.string()),
                   "Install XSP again."};
    }
  }
  return table;
}

const Row* BestMatch(const Table& table, std::string_view device_name) {
  const auto have = Words(device_name);
  const std::size_t column = table.Column("match");
  const Row* best = nullptr;
  std::size_t best_words = 0;
  for (const Row& row : table.rows) {
    const auto wanted = Words(row[column]);
    const bool matches = std::includes(have.begin(), have.end(), wanted.begin(), wanted.end());
    if (matches && wanted.size() > best_words) {
      best = &row;
      best_words = wanted.size();
    }
  }
  return best;
}

}  // namespace

Result<std::vector<Roof>> DataSheetRoofs(std::string_view device_name) {
  return DataSheetRoofsFrom(base::DataRoot() / "machine" / "devices.csv", device_name);
}

Result<std::vector<Roof>> DataSheetRoofsFrom(const std::filesystem::path& path,
                                             std::string_view device_name) {
  const auto text = base::ReadFile(path, 1 << 20);
  if (!text.ok()) {
    return Error{ErrorKind::kEnvironment, "no device table: " + text.error().what,
                 "Set XSP_HOME to the folder that holds machine/devices.csv."};
  }
  XSP_TRY(const Table table, Parse(text.value(), path));
  const Row* const row = BestMatch(table, device_name);
  if (row == nullptr) {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("no data-sheet roofs are known for the device: {}", device_name),
                 "Add a line for it to machine/devices.csv."};
  }
  const std::string how =
      fmt::format("{}: {}", (*row)[table.Column("device")], (*row)[table.Column("source")]);
  std::vector<Roof> roofs;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string_view field = (*row)[i];
    double figure = 0;
    const auto parsed = std::from_chars(field.data(), field.data() + field.size(), figure);
    if (parsed.ec != std::errc() || parsed.ptr != field.data() + field.size()) continue;
    const auto name = Split(table.header[i], '_');
    if (table.header[i] == "dram_gb_per_s") {
      roofs.push_back({"bandwidth", "DRAM", "", "", 0, figure * 1e9, "data_sheet", how, true});
    } else if (name.size() == 2 && (name[1] == "vector" || name[1] == "tensor")) {
      roofs.push_back({"flops", fmt::format("{} {}", name[0], name[1]), std::string(name[0]),
                       std::string(name[1]), 0, figure * 1e12, "data_sheet", how, true});
    }
  }
  return roofs;
}

}  // namespace xsp::machine
