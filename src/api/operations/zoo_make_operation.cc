#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "api/operation.h"
#include "measure/models/model.h"
#include "measure/models/zoo.h"
#include "measure/workers/model_fit.h"
#include "os/interrupt.h"

namespace xsp::api::zoo_make_operation {
namespace {

using models::ZooFile;
using models::ZooModel;
using workers::WorkerProgram;

struct Request {
  std::vector<std::string> names;
  std::vector<std::string> formats;
  std::vector<std::string> backends;
  bool all = false;
};

std::string Joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The models that were named; all of them with --all and no name.
Result<std::vector<ZooModel>> Named(const Request& request) {
  if (request.names.empty() && request.all) return models::ListZoo().models;
  if (request.names.empty()) {
    return Error{ErrorKind::kUsage, "no model is named",
                 "Name models, or use --all for every model in every format."};
  }
  std::vector<ZooModel> models;
  for (const std::string& name : request.names) {
    XSP_TRY(std::optional<ZooModel> model, models::FindInZoo(name));
    if (!model) return models::NoSuchZooModel(name, "zoo model");
    models.push_back(std::move(*model));
  }
  return models;
}

/// What to make of a model: each list asks for one file, the first of its formats that there is.
using FormatLists = std::vector<std::vector<std::string>>;

Result<FormatLists> FormatListsOf(const Request& request) {
  FormatLists lists;
  for (const std::string& format : request.formats) lists.push_back({format});
  for (const std::string& backend : request.backends) {
    XSP_TRY(const WorkerProgram worker, workers::FindWorker(backend));
    lists.push_back(workers::FormatsOf(worker));
  }
  if (lists.empty()) lists.push_back({});
  return lists;
}

/// The files to make of one model.
Result<std::vector<const ZooFile*>> FilesOf(const ZooModel& model, const Request& request,
                                            const FormatLists& lists) {
  std::vector<const ZooFile*> files;
  if (request.all) {
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

Result<Document> Make(const Context& context, const Request& request) {
  XSP_TRY(const std::vector<ZooModel> models, Named(request));
  XSP_TRY(const FormatLists lists, FormatListsOf(request));
  const os::Interrupts& interrupts = context.interrupts();
  store::Table table{{"name", "format", "state", "path"}, {}};
  Document document;
  const auto failed = [&document](const Error& error) {
    document.notes.push_back("error: " + error.what);
    if (!error.hint.empty()) document.notes.push_back("hint: " + error.hint);
    document.exit_status = static_cast<int>(error.kind);
  };
  for (const ZooModel& model : models) {
    const auto files = FilesOf(model, request, lists);
    if (!files.ok()) failed(files.error());
    if (!files.ok()) continue;
    for (const ZooFile* file : files.value()) {
      if (interrupts.stop()) break;
      const auto made = models::MakeZooFile(model, *file, *context.progress, interrupts.wake_fd());
      if (!made.ok()) failed(made.error());
      table.rows.push_back({model.manifest.name, file->format,
                            std::string(!made.ok()   ? "failed"
                                        : file->made ? "was made"
                                                     : "made"),
                            made.ok() ? store::Cell(made.value().path.string()) : store::Cell()});
    }
  }
  document.content = std::move(table);
  if (interrupts.stop()) document.exit_status = static_cast<int>(ErrorKind::kInterrupted);
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("name", &request->names,
             {.help = "Models of the zoo", .refers = core::Refers::kModel, .positional = true});
  fields.Add("as", &request->formats,
             {.help = "Formats (default: each model's first)",
              .value_name = "FORMAT,...",
              .list = core::ListStyle::kCommas});
  fields.Add("backend", &request->backends,
             {.help = "Use the formats that these backends read",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  fields.Add(
      "all", &request->all,
      {.help = "Use every format; without NAME build every model", .excludes = {"as", "backend"}});
  return [&context, request] { return Make(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "zoo/make",
    .summary = "Builds models without measuring them",
    .example = "xsp zoo make resnet50 --backend onnxruntime",
    .effect = Effect::kChanges,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "name": {"type": "string"}, "format": {"type": "string"},
      "state": {"enum": ["made", "was made", "failed"]},
      "path": {"type": ["string", "null"], "description": "Null: it could not be built"}}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
};

}  // namespace xsp::api::zoo_make_operation
