#ifndef XSP_APP_CLI_OUTPUT_H_
#define XSP_APP_CLI_OUTPUT_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "answer/report/terminal.h"
#include "store/table.h"

namespace CLI {
class App;
}  // namespace CLI

namespace xsp::cli {

/// How results are written to standard output.
enum class Format { kTable, kCsv, kJson };

/// Adds `--format table|csv|json` to `app`, stored in `*format`.
void AddFormatOption(CLI::App& app, Format* format);

/// Writes `table` to standard output: as text for people, with the units of `columns`; as CSV; or
/// as a JSON array of objects. `columns` may be empty: then the names of the table are used.
void Print(const store::Table& table, std::vector<report::TerminalColumn> columns, Format format);

/// A name and a text each.
using Rows = std::vector<std::pair<std::string, std::string>>;

/// Writes rows for people to standard output: indented, the texts below each other and wrapped at
/// the terminal's width.
void PrintRows(const Rows& rows);

/// Writes `text` and a line feed to standard output.
void PrintLine(const std::string& text);

/// Writes a message for people to standard error.
void Say(const std::string& text);

/// Says it where an experiment was kept under another name than `asked`, which was taken.
void SayWhereNameWasTaken(const std::string& asked, const std::filesystem::path& kept);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_OUTPUT_H_
