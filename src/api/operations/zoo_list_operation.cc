#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "api/operation.h"
#include "measure/models/model.h"
#include "measure/models/zoo.h"
#include "measure/workers/model_fit.h"

namespace xsp::api::zoo_list_operation {
namespace {

using models::ZooFile;
using models::ZooModel;
using nlohmann::json;
using workers::WorkerProgram;

std::string Joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The workers that can run a model of `manifest`.
std::string BackendsOf(const manifest::Manifest& manifest, const workers::WorkerList& found) {
  std::vector<std::string> names;
  for (const WorkerProgram& worker : found.workers)
    if (models::ChooseFile(manifest, workers::FormatsOf(worker)) != nullptr)
      names.push_back(worker.name);
  return Joined(names);
}

/// The workers that read a file of a model.
std::string ReadersOf(const manifest::ModelFile& file, const workers::WorkerList& found) {
  manifest::Manifest only;
  only.files = {file};
  return BackendsOf(only, found);
}

json CountOf(const std::optional<manifest::Figure>& figure) {
  return figure ? json(figure->count) : json();
}

json DocumentOf(const ZooModel& model, const workers::WorkerList& found) {
  std::vector<std::string> formats, made;
  json readers = json::object();
  for (const ZooFile& file : model.files) {
    formats.push_back(file.format);
    if (file.made) made.push_back(file.format);
    readers[file.format] = ReadersOf(*model.manifest.FindFile(file.format), found);
  }
  return {{"name", model.manifest.name},
          {"title", model.manifest.title},
          {"task", model.manifest.task},
          {"formats", Joined(formats)},
          {"backends", BackendsOf(model.manifest, found)},
          {"parameters", CountOf(model.manifest.parameters)},
          {"flops", CountOf(model.manifest.flops)},
          {"made", Joined(made)},
          {"readers", std::move(readers)}};
}

Result<Document> List() {
  const models::ZooList zoo = models::ListZoo();
  const workers::WorkerList found = workers::ListWorkers();
  json list = json::array();
  for (const ZooModel& model : zoo.models) list.push_back(DocumentOf(model, found));
  std::vector<std::string> notes;
  for (const Error& error : zoo.broken) notes.push_back("error: " + error.what);
  const int status = zoo.broken.empty() ? 0 : static_cast<int>(ErrorKind::kBadInput);
  return Document{.content = std::move(list), .notes = std::move(notes), .exit_status = status};
}

Action Declare(core::RequestFields&, const Context&) { return List; }

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "zoo/list",
    .summary = "Lists the models, with the installed backends that can run each",
    .example = "xsp zoo list --format json",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "name": {"type": "string"}, "title": {"type": "string"}, "task": {"type": "string"},
      "formats": {"type": "string", "description": "Separated by commas, as backends and made are"},
      "backends": {"type": "string", "description": "Installed backends that can run the model"},
      "parameters": {"type": ["integer", "null"]},
      "flops": {"type": ["integer", "null"], "unit": "FLOP", "description": "Of one sample"},
      "made": {"type": "string", "description": "Formats that are in the cache"},
      "readers": {"type": "object", "additionalProperties": {"type": "string"},
        "description": "By format: the installed backends that read it"}}}})",
    .declare = Declare,
    .served_as = ServedAs::kFreshAnswer,
};

}  // namespace xsp::api::zoo_list_operation
