#include "store/table_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "core/counted.h"
#include "core/csv.h"
#include "store/duckdb_connection.h"
#include "store/sql_text.h"
#include "store/views.h"

namespace xsp::store {
namespace {

constexpr const char* kHint = "give a CSV file with a header line, or a Parquet file";

Error NoTable(const std::filesystem::path& file, const std::string& why) {
  return {ErrorKind::kBadInput, fmt::format("not a table: {}: {}", file.string(), why), kHint};
}

/// The delimiter of which the header line has most; a comma where it has none.
char DelimiterOf(const std::filesystem::path& file) {
  char best = ',';
  std::size_t most = 1;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    std::ifstream in(file, std::ios::binary);
    core::CsvReader::Row header;
    if (!core::CsvReader(in, delimiter).Next(header)) continue;
    if (header.damaged || header.stray_quote) continue;  // A delimiter that stands within quotes.
    if (header.fields.size() > most) best = delimiter, most = header.fields.size();
  }
  return best;
}

/// Whether every record has as many fields as the header. The engine, left to itself, takes other
/// lines for the header, or a whole line for one field.
Status CheckRecords(const std::filesystem::path& file, char delimiter) {
  std::ifstream in(file, std::ios::binary);
  core::CsvReader reader(in, delimiter);
  std::size_t columns = 0;
  for (core::CsvReader::Row row; reader.Next(row);) {
    if (row.damaged)
      return NoTable(file, fmt::format("the quotes of line {} are not closed, or text follows them",
                                       row.line));
    if (columns == 0) columns = row.fields.size();
    if (row.fields.size() != columns)
      return NoTable(file, fmt::format("line {} has {}, the header line {}", row.line,
                                       core::Counted(row.fields.size(), "field"), columns));
  }
  if (columns == 0) return NoTable(file, "the file is empty");
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
