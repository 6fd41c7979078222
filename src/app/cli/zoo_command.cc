#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "measure/models/model.h"
#include "measure/models/zoo.h"
#include "measure/workers/model_fit.h"
#include "os/interrupt.h"

namespace xsp::cli::zoo {
namespace {

using models::ZooFile;
using models::ZooModel;
using workers::WorkerProgram;

constexpr int kRoomForTitles = 150;

/// Columns of the list.
enum Column { kName, kTitle, kTask, kFormats, kBackends, kParameters, kFlops, kMade };

struct Options {
  std::vector<std::string> names;
  std::vector<std::string> formats;
  std::vector<std::string> backends;
  bool all = false;
  Format format = Format::kTable;
};

std::string Joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> Split(const std::string& joined) {
  std::vector<std::string> texts;
  for (std::size_t from = 0; from < joined.size();) {
    const std::size_t end = std::min(joined.find(", ", from), joined.size());
    texts.push_back(joined.substr(from, end - from));
    from = end + 2;
  }
  return texts;
}

/// The workers that read a file of a model.
std::string ReadersOf(const manifest::ModelFile& file, const workers::WorkerList& found) {
  manifest::Manifest only;
  only.files = {file};
  std::vector<std::string> names;
  for (const WorkerProgram& worker : found.workers)
    if (models::ChooseFile(only, workers::FormatsOf(worker)) != nullptr)
      names.push_back(worker.name);
  return Joined(names);
}

store::Cell CountOf(const std::optional<manifest::Figure>& figure) {
  if (!figure) return {};
  return figure->count;
}

/// For people: as much as a usual terminal has room for, and each backend once.
void PrintForPeople(const store::Table& table, const std::map<std::string, std::string>& readers) {
  const xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  std::vector<xsp::report::TerminalColumn> columns = {
      {"name", ""}, {"formats (* made)", ""}, {"parameters", ""}, {"flops", "flop"}};
  if (style.width >= kRoomForTitles) columns.insert(columns.end(), {{"title", ""}, {"task", ""}});
  store::Table shown;
  for (const xsp::report::TerminalColumn& column : columns) shown.columns.push_back(column.name);
  for (const std::vector<store::Cell>& row : table.rows) {
    const std::string& made = std::get<std::string>(row[kMade]);
    std::string formats;
    for (const std::string& format : Split(std::get<std::string>(row[kFormats]))) {
      const std::vector<std::string> those = Split(made);
      const bool is_made = std::find(those.begin(), those.end(), format) != those.end();
      formats += (formats.empty() ? "" : ", ") + format + (is_made ? "*" : "");
    }
    shown.rows.push_back({row[kName], formats, row[kParameters], row[kFlops]});
    if (columns.size() > shown.rows.back().size())
      shown.rows.back().insert(shown.rows.back().end(), {row[kTitle], row[kTask]});
  }
  PrintLine(xsp::report::RenderTable(columns, shown, style));
  for (const auto& [format, backends] : readers)
    PrintLine(
        fmt::format("{} runs here in {}", format, backends.empty() ? "no backend" : backends));
}

Result<int> List(const Options& options) {
  const models::ZooList zoo = models::ListZoo();
  for (const Error& error : zoo.broken) Say("error: " + error.what);
  const workers::WorkerList found = workers::ListWorkers();
  store::Table table{
      {"name", "title", "task", "formats", "backends", "parameters", "flops", "made"}, {}};
  std::map<std::string, std::string> readers;
  for (const ZooModel& model : zoo.models) {
    std::vector<std::string> formats, backends, made;
    for (const ZooFile& file : model.files) {
      formats.push_back(file.format);
      if (file.made) made.push_back(file.format);
      readers.emplace(file.format, ReadersOf(*model.manifest.FindFile(file.format), found));
    }
    for (const WorkerProgram& worker : found.workers)
      if (models::ChooseFile(model.manifest, workers::FormatsOf(worker)) != nullptr)
        backends.push_back(worker.name);
    table.rows.push_back({model.manifest.name, model.manifest.title, model.manifest.task,
                          Joined(formats), Joined(backends), CountOf(model.manifest.parameters),
                          CountOf(model.manifest.flops), Joined(made)});
  }
  if (options.format == Format::kTable) {
    PrintForPeople(table, readers);
  } else {
    Print(table, {}, options.format);
  }
  return zoo.broken.empty() ? 0 : static_cast<int>(ErrorKind::kBadInput);
}

/// The models that were named; all of them with --all and no name.
Result<std::vector<ZooModel>> Named(const Options& options) {
  if (options.names.empty() && options.all) return models::ListZoo().models;
  if (options.names.empty()) {
    return Error{ErrorKind::kUsage, "no model is named",
                 "Name models, or use --all for every model in every format."};
  }
  std::vector<ZooModel> models;
  for (const std::string& name : options.names) {
    XSP_TRY(std::optional<ZooModel> model, models::FindInZoo(name));
    if (!model) return models::NoSuchZooModel(name, "zoo model");
    models.push_back(std::move(*model));
  }
  return models;
}

/// What to make of a model: each list asks for one file, the first of its formats that there is.
using FormatLists = std::vector<std::vector<std::string>>;

Result<FormatLists> FormatListsOf(const Options& options) {
  FormatLists lists;
  for (const std::string& format : options.formats) lists.push_back({format});
  for (const std::string& backend : options.backends) {
    XSP_TRY(const WorkerProgram worker, workers::FindWorker(backend));
    lists.push_back(workers::FormatsOf(worker));
  }
  if (lists.empty()) lists.push_back({});
  return lists;
}

/// The files to make of one model.
Result<std::vector<const ZooFile*>> FilesOf(const ZooModel& model, const Options& options,
                                            const FormatLists& lists) {
  std::vector<const ZooFile*> files;
  if (options.all) {
    for (const ZooFile& file : model.files) files.push_back(&file);
    return files;
  }
  for (const std::vector<std::string>& formats : lists) {
    const manifest::ModelFile* wanted = models::ChooseFile(model.manifest, formats);
    if (wanted == nullptr) {
      std::vector<std::string> has;
      for (const ZooFile& file : model.files) has.push_back(file.format);
      return Error{ErrorKind::kNotPossible,
                   fmt::format("model {} cannot be built as {} (available: {})",
                               model.manifest.name, Joined(formats), Joined(has)),
                   "`xsp zoo list` shows the formats of each model."};
    }
    const ZooFile* file = model.Find(wanted->format);
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  return files;
}

void Report(const Error& error) {
  Say("error: " + error.what);
  if (!error.hint.empty()) Say("hint: " + error.hint);
}

Result<int> Make(const Options& options) {
  XSP_TRY(const std::vector<ZooModel> models, Named(options));
  XSP_TRY(const FormatLists lists, FormatListsOf(options));
  os::Interrupts interrupts;
  ProgressLine progress;
  store::Table table{{"name", "format", "state", "path"}, {}};
  int status = 0;
  const auto failed = [&](const Error& error) {
    Report(error);
    status = static_cast<int>(error.kind);
  };
  for (const ZooModel& model : models) {
    const auto files = FilesOf(model, options, lists);
    if (!files.ok()) failed(files.error());
    if (!files.ok()) continue;
    for (const ZooFile* file : files.value()) {
      if (interrupts.stop()) break;
      const auto made = models::MakeZooFile(model, *file, progress, interrupts.wake_fd());
      if (!made.ok()) failed(made.error());
      table.rows.push_back({model.manifest.name, file->format,
                            std::string(!made.ok()   ? "failed"
                                        : file->made ? "was made"
                                                     : "made"),
                            made.ok() ? store::Cell(made.value().path.string()) : store::Cell()});
    }
  }
  Print(table, {}, options.format);
  return interrupts.stop() ? static_cast<int>(ErrorKind::kInterrupted) : status;
}

/// Sorts the words of `zoo make --format` into ways to print and formats of models.
void Take(const std::vector<std::string>& words, Options& options) {
  for (const std::string& word : words) {
    if (word == "json") {
      options.format = Format::kJson;
    } else if (word == "csv") {
      options.format = Format::kCsv;
    } else if (word != "table") {
      options.formats.push_back(word);
    }
  }
}

Action Declare(CLI::App& app, const Session&) {
  auto options = std::make_shared<Options>();
  AddFormatOption(app, &options->format);
  app.require_subcommand(0, 1);
  CLI::App* list =
      app.add_subcommand("list", "Lists the models, with the installed backends that can run each");
  AddFormatOption(*list, &options->format);
  list->footer("Example: xsp zoo list --format json");
  CLI::App* make = app.add_subcommand("make", "Builds models without measuring them");
  make->add_option("NAME", options->names, "Models of the zoo");
  CLI::Option* as =
      make->add_option("--as", options->formats, "Formats (default: each model's first)");
  as->delimiter(',')->type_name("FORMAT,...");
  CLI::Option* backend =
      make->add_option("--backend", options->backends, "Use the formats that these backends read");
  backend->delimiter(',')->type_name("NAME,...");
  make->add_flag("--all", options->all, "Use every format; without NAME build every model")
      ->excludes(as)
      ->excludes(backend);
  // Elsewhere --format says how results are printed; of a model it is also its format.
  make->add_option_function<std::vector<std::string>>(
          "--format", [options](const std::vector<std::string>& words) { Take(words, *options); },
          "table, csv or json: output format; other values as --as")
      ->delimiter(',')
      ->type_name("FORMAT");
  make->footer("Example: xsp zoo make resnet50 --backend onnxruntime");
  return [make, options] { return make->parsed() ? Make(*options) : List(*options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "zoo",
    .summary = "Lists and builds the models of the zoo",
    .example = "xsp zoo list",
    .declare = Declare,
};

}  // namespace xsp::cli::zoo
