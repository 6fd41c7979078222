#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "answer/report/html.h"
#include "answer/suite/answer_json.h"
#include "answer/suite/suite_command.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/program_arguments.h"
#include "app/cli/progress_line.h"
#include "os/files.h"
#include "store/export.h"

namespace xsp::cli::suite {
namespace {

namespace fs = std::filesystem;
using xsp::suite::Answer;
using xsp::suite::Table;

struct Options {
  Format format = Format::kTable;
  std::string table;
  int rows = 20;
  fs::path page;
  xsp::suite::CommandContext context;
};

/// The tables that were asked for: all, or the one named by --table.
Result<std::vector<const Table*>> Chosen(const Answer& answer, const std::string& id) {
  std::vector<const Table*> chosen;
  std::string known;
  for (const Table& table : answer.tables) {
    if (id.empty() || table.id == id) chosen.push_back(&table);
    known += (known.empty() ? "" : ", ") + table.id;
  }
  if (chosen.empty() && !id.empty())
    return Error{ErrorKind::kUsage, "the answer has no such table: " + id, "it has: " + known};
  return chosen;
}

void PrintForPeople(const Answer& answer, const std::vector<const Table*>& tables, int rows) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  style.max_rows = rows;
  const auto heading = [&style](const std::string& text) {
    PrintLine(style.colour ? "\033[1m" + text + "\033[0m" : text);
  };
  heading(answer.title);
  for (const std::string& sentence : answer.sentences)
    PrintLine(xsp::report::Wrap(sentence, style.width, 0));
  for (const Table* table : tables) {
    PrintLine("");
    heading(table->title);
    std::vector<xsp::report::TerminalColumn> columns;
    for (const auto& column : table->columns) columns.push_back({column.name, column.unit});
    PrintLine(xsp::report::RenderTable(columns, table->rows, style));
  }
  if (!answer.method.empty()) PrintLine("");
  for (const std::string& sentence : answer.method)
    PrintLine(xsp::report::Wrap(sentence, style.width, 0));
}

/// `document` as text; what is no UTF-8, as names of files may be, becomes U+FFFD.
std::string JsonText(const nlohmann::json& document, int indent) {
  return document.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

Status WritePage(const Answer& answer, const fs::path& file) {
  nlohmann::json document = {{"title", answer.title},
                             {"answers", nlohmann::json::array({xsp::suite::PageJson(answer)})}};
  for (const Answer& part : answer.parts) document["answers"].push_back(xsp::suite::PageJson(part));
  XSP_TRY(const std::string page, xsp::report::SuitePage(JsonText(document, -1)));
  XSP_TRY(const auto written, os::WriteFileAtomically(file, page));
  Say("wrote " + file.string());
  return written;
}

Result<int> Run(const Options& options, const xsp::suite::Action& action) {
  XSP_TRY(const Answer answer, action());
  XSP_TRY(const auto tables, Chosen(answer, options.table));
  const int status = answer.incomplete ? static_cast<int>(*answer.incomplete) : 0;
  if (!options.page.empty()) {
    XSP_TRY(const auto written, WritePage(answer, options.page));
    static_cast<void>(written);
    return status;
  }
  if (options.format == Format::kJson) {
    PrintLine(JsonText(xsp::suite::AnswerJson(answer), 2));
  } else if (options.format == Format::kCsv) {
    // One CSV document has one table: the first, unless another is named.
    if (!tables.empty()) PrintLine(store::ToCsv(tables.front()->rows));
  } else {
    PrintForPeople(answer, tables, options.rows);
    for (const Answer& part : answer.parts) {
      XSP_TRY(const auto its_tables, Chosen(part, ""));
      PrintLine("");
      PrintForPeople(part, its_tables, options.rows);
    }
  }
  return status;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  auto progress = std::make_shared<ProgressLine>();
  options->context.progress = [progress](const std::string& text) { progress->Step(text, -1, -1); };
  if (xsp::suite::AllSuiteCommands().empty()) {
    app.allow_extras();
    return [] {
      return Error{ErrorKind::kNotPossible, "this build has no suite commands (XSP_WITHOUT=suite)",
                   "Build all of XSP: tools/build"};
    };
  }
  app.require_subcommand(1);
  auto actions = std::make_shared<std::map<const CLI::App*, xsp::suite::Action>>();
  options->context.commands = xsp::suite::AllSuiteCommands();
  for (const SuiteSpec* spec : xsp::suite::AllSuiteCommands()) {
    CLI::App* command = app.add_subcommand(spec->name, spec->summary);
    command->footer(fmt::format("Example: {}", spec->example));
    (*actions)[command] = spec->declare(*command, options->context);
    AddFormatOption(*command, &options->format);
    command->add_option("--table", options->table, "Print only this table of the answer")
        ->type_name("ID");
    command->add_option("--rows", options->rows, "Maximum number of rows of a table (0: all)")
        ->type_name("N")
        ->capture_default_str();
    command->add_option("-o,--output", options->page, "Write a page with charts to this file")
        ->type_name("FILE.html");
  }
  return [&app, &session, options, actions] {
    options->context.store = session.store;
    options->context.analyses = AnalysisFolders(session);
    options->context.program = ProgramArguments();
    std::error_code ignored;
    options->context.xsp = fs::read_symlink("/proc/self/exe", ignored);
    return Run(*options, actions->at(app.get_subcommands().front()));
  };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "suite",
    .summary = "Compares, classifies and schedules many workloads at once",
    .example = "xsp suite similarity mlperf-v0.5 --representatives 4",
    .declare = Declare,
};

}  // namespace xsp::cli::suite
