#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "evaluate/interrupt.h"
#include "evaluate/model.h"
#include "evaluate/zoo.h"

namespace xsp::cli::zoo {
namespace {

using evaluate::WorkerProgram;
using evaluate::ZooFile;
using evaluate::ZooModel;

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

store::Cell CountOf(const std::optional<manifest::Figure>& figure) {
  if (!figure) return {};
  return figure->count;
}

Result<int> List(const Options& options) {
  const evaluate::ZooList zoo = evaluate::ListZoo();
  for (const Error& error : zoo.broken) Say("error: " + error.what);
  const evaluate::WorkerList found = evaluate::ListWorkers();
  store::Table table{
      {"name", "title", "task", "formats", "backends", "parameters", "flops", "made"}, {}};
  for (const ZooModel& model : zoo.models) {
    std::vector<std::string> formats, backends, made;
    for (const ZooFile& file : model.files) {
      formats.push_back(file.format);
      if (file.made) made.push_back(file.format);
    }
    for (const WorkerProgram& worker : found.workers)
      if (evaluate::ChooseFile(model.manifest, evaluate::FormatsOf(worker)) != nullptr)
        backends.push_back(worker.name);
    table.rows.push_back({model.manifest.name, model.manifest.title, model.manifest.task,
                          Joined(formats), Joined(backends), CountOf(model.manifest.parameters),
                          CountOf(model.manifest.flops), Joined(made)});
  }
  Print(table,
        {{"name", ""},
         {"title", ""},
         {"task", ""},
         {"formats", ""},
         {"backends here", ""},
         {"parameters", ""},
         {"flops", "flop"},
         {"made", ""}},
        options.format);
  return zoo.broken.empty() ? 0 : static_cast<int>(ErrorKind::kBadInput);
}

/// The models that were named; all of them with --all and no name.
Result<std::vector<ZooModel>> Named(const Options& options) {
  if (options.names.empty() && options.all) return evaluate::ListZoo().models;
  if (options.names.empty()) {
    return Error{ErrorKind::kUsage, "no model is named",
                 "Name models, or say --all for every model in every format."};
  }
  std::vector<ZooModel> models;
  for (const std::string& name : options.names) {
    XSP_TRY(std::optional<ZooModel> model, evaluate::FindInZoo(name));
    if (!model) {
      std::vector<std::string> known;
      for (const ZooModel& other : evaluate::ListZoo().models) known.push_back(other.manifest.name);
      return Error{ErrorKind::kBadInput, fmt::format("no such zoo model: {}", name),
                   fmt::format("Zoo models are {}.", Joined(known))};
    }
    models.push_back(std::move(*model));
  }
  return models;
}

/// What to make of a model: each list asks for one file, the first of its formats that there is.
using Wishes = std::vector<std::vector<std::string>>;

Result<Wishes> WishesOf(const Options& options) {
  Wishes wishes;
  for (const std::string& format : options.formats) wishes.push_back({format});
  for (const std::string& backend : options.backends) {
    XSP_TRY(const WorkerProgram worker, evaluate::FindWorker(backend));
    wishes.push_back(evaluate::FormatsOf(worker));
  }
  if (wishes.empty()) wishes.push_back({});
  return wishes;
}

/// The files to make of one model.
Result<std::vector<const ZooFile*>> FilesOf(const ZooModel& model, const Options& options,
                                            const Wishes& wishes) {
  std::vector<const ZooFile*> files;
  if (options.all) {
    for (const ZooFile& file : model.files) files.push_back(&file);
    return files;
  }
  for (const std::vector<std::string>& formats : wishes) {
    const manifest::ModelFile* wanted = evaluate::ChooseFile(model.manifest, formats);
    if (wanted == nullptr) {
      std::vector<std::string> has;
      for (const ZooFile& file : model.files) has.push_back(file.format);
      return Error{ErrorKind::kNotPossible,
                   fmt::format("model {} cannot be made as {} (it can as {})", model.manifest.name,
                               Joined(formats), Joined(has)),
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
  XSP_TRY(const Wishes wishes, WishesOf(options));
  evaluate::Interrupts interrupts;
  ProgressLine progress;
  store::Table table{{"name", "format", "state", "path"}, {}};
  int status = 0;
  const auto failed = [&](const Error& error) {
    Report(error);
    status = static_cast<int>(error.kind);
  };
  for (const ZooModel& model : models) {
    const auto files = FilesOf(model, options, wishes);
    if (!files.ok()) failed(files.error());
    if (!files.ok()) continue;
    for (const ZooFile* file : files.value()) {
      if (interrupts.stop()) break;
      const auto made = evaluate::MakeZooFile(model, *file, progress, interrupts.wake_fd());
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

Action Declare(CLI::App& app, const Session&) {
  auto options = std::make_shared<Options>();
  AddFormatOption(app, &options->format);
  app.require_subcommand(0, 1);
  CLI::App* list = app.add_subcommand("list", "The models, and which backends here can run them");
  AddFormatOption(*list, &options->format);
  list->footer("Example: xsp zoo list --format json");
  CLI::App* make = app.add_subcommand("make", "Makes models without measuring them");
  make->add_option("NAME", options->names, "Models of the zoo");
  CLI::Option* as =
      make->add_option("--as", options->formats, "Formats (default: each model's first)");
  as->delimiter(',')->type_name("FORMAT,...");
  CLI::Option* backend =
      make->add_option("--backend", options->backends, "In the formats that these backends read");
  backend->delimiter(',')->type_name("NAME,...");
  make->add_flag("--all", options->all, "In every format; without NAME every model")
      ->excludes(as)
      ->excludes(backend);
  AddFormatOption(*make, &options->format);
  make->footer("Example: xsp zoo make resnet50 --backend onnxruntime");
  return [make, options] { return make->parsed() ? Make(*options) : List(*options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "zoo",
    .summary = "The models that XSP can make by itself",
    .example = "xsp zoo list",
    .declare = Declare,
};

}  // namespace xsp::cli::zoo
