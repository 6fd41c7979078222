#include "store/table_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "store/duckdb_connection.h"
#include "store/views.h"

namespace xsp::store {
namespace {

constexpr const char* kHint = "give a CSV file with a header line, or a Parquet file";

Error NoTable(const std::filesystem::path& file, const std::string& why) {
  return {ErrorKind::kBadInput, fmt::format("not a table: {}: {}", file.string(), why), kHint};
}

/// What stands in a CSV file's records: how many fields, where. Quoted fields hold anything.
class CsvRecords {
 public:
  explicit CsvRecords(const std::filesystem::path& file) : in_(file, std::ios::binary) {}

  struct Record {
    std::int64_t line;     ///< Where it begins, from 1.
    std::int64_t fields;   ///< By the delimiter.
    bool is_open = false;  ///< The file ends within quotes.
  };

  /// The next record that is not empty.
  std::optional<Record> Next(char delimiter) {
    while (true) {
      Record record{line_, 1};
      bool quoted = false, any = false;
      int c = in_.get();
      for (; c != EOF && (quoted || c != '\n'); c = in_.get()) {
        if (c == '\n') ++line_;
        if (c == '"') quoted = !quoted;
        if (c == delimiter && !quoted) ++record.fields;
        any = any || c != '\r';
      }
      ++line_;
      record.is_open = quoted;
      if (any) return record;
      if (c == EOF) return std::nullopt;
    }
  }

 private:
  std::ifstream in_;
  std::int64_t line_ = 1;
};

/// The delimiter of which the header line has most; a comma where it has none.
char DelimiterOf(const std::filesystem::path& file) {
  char best = ',';
  std::int64_t most = 1;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const auto header = CsvRecords(file).Next(delimiter);
    if (header && header->fields > most) best = delimiter, most = header->fields;
  }
  return best;
}

/// Whether every record has as many fields as the header. The engine, left to itself, takes other
/// lines for the header, or a whole line for one field.
Status CheckRecords(const std::filesystem::path& file, char delimiter) {
  CsvRecords records(file);
  const auto header = records.Next(delimiter);
  if (!header) return NoTable(file, "the file is empty");
  for (std::optional<CsvRecords::Record> record = header; record;
       record = records.Next(delimiter)) {
    if (record->is_open)
      return NoTable(file, fmt::format("the quotes of line {} are not closed", record->line));
    if (record->fields != header->fields)
      return NoTable(file,
                     fmt::format("line {} has {} field{}, the header line {}", record->line,
                                 record->fields, record->fields == 1 ? "" : "s", header->fields));
  }
  return Ok{};
}

/// What the engine says before it lists its own settings, as one line.
std::string InShort(std::string message) {
  for (const char* end : {"\n\n", "\nThe search space", "\nPossible "})
    message = message.substr(0, message.find(end));
  std::ranges::replace(message, '\n', ' ');
  return message;
}

}  // namespace

Result<Table> ReadTableFile(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return Error{ErrorKind::kBadInput, "no such file: " + file.string(), kHint};
  std::array<char, 4> magic = {};
  std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
  const std::string_view begin(magic.data(), magic.size());
  const bool parquet = begin == "PAR1";
  std::string options;
  if (!parquet)
    options =
        ", header = true, sample_size = -1, auto_type_candidates = ['NULL', 'BOOLEAN', 'BIGINT', "
        "'DOUBLE', 'VARCHAR']";
  // What is packed is looked at by the engine alone.
  if (const bool packed = begin.starts_with("\x1f\x8b") || begin == "\x28\xb5\x2f\xfd";
      !parquet && !packed) {
    const char delimiter = DelimiterOf(file);
    XSP_RETURN_IF_ERROR(CheckRecords(file, delimiter));
    options += fmt::format(
        ", delim = '{}', quote = '\"', escape = '\"', comment = '', skip = 0, null_padding = false",
        delimiter);
  }
  XSP_TRY(const DuckDb db, DuckDb::Open());
  auto table = db.Query(fmt::format("SELECT * FROM {}({}{})", parquet ? "read_parquet" : "read_csv",
                                    Quoted(WithoutWildcards(file.string())), options),
                        ErrorKind::kBadInput);
  if (!table.ok()) return NoTable(file, InShort(table.error().what));
  return table;
}

}  // namespace xsp::store
