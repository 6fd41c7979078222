#include <filesystem>

#include "api/operation.h"
#include "api/operations/step_problems.h"
#include "measure/manifest/manifest.h"
#include "os/files.h"

namespace xsp::api::model_check_operation {
namespace {

using manifest::Problem;
using manifest::Reading;
using nlohmann::json;

struct Request {
  std::vector<std::string> files;
};

/// What a manifest says, and all that is wrong with it, its steps included. A file that cannot be
/// read is one problem without a position.
Reading Read(const std::string& file) {
  const auto text = os::ReadFile(file, manifest::kManifestLimitBytes);
  Reading reading;
  if (!text.ok()) {
    reading.problems.push_back({{}, text.error().what, text.error().hint});
    return reading;
  }
  reading = manifest::ParseManifest(text.value());
  for (Problem& problem :
       StepProblems(reading.manifest, std::filesystem::path(file).parent_path().string()))
    reading.problems.push_back(std::move(problem));
  manifest::SortByPosition(reading.problems);
  return reading;
}

json ToJson(const std::string& file, const Reading& reading) {
  json problems = json::array();
  for (const Problem& problem : reading.problems) {
    problems.push_back({{"line", problem.at.line},
                        {"column", problem.at.column},
                        {"kind", problem.error ? "error" : "note"},
                        {"what", problem.what},
                        {"hint", problem.hint}});
  }
  json document = {{"file", file}, {"ok", reading.ok()}, {"problems", std::move(problems)}};
  if (!reading.ok()) return document;
  document["form"] = reading.manifest.is_mlmodelscope ? "mlmodelscope" : "xsp";
  document["manifest"] = manifest::ToJson(reading.manifest);
  // The members of an object have no order, and the first file is the preferred one.
  document["formats"] = json::array();
  for (const manifest::ModelFile& model_file : reading.manifest.files)
    document["formats"].push_back(model_file.format);
  return document;
}

Result<Document> Check(const Request& request) {
  json documents = json::array();
  bool ok = true;
  for (const std::string& file : request.files) {
    const Reading reading = Read(file);
    ok &= reading.ok();
    documents.push_back(ToJson(file, reading));
  }
  return Document{.content = std::move(documents),
                  .exit_status = ok ? 0 : static_cast<int>(ErrorKind::kBadInput)};
}

Action Declare(core::RequestFields& fields, const Context&) {
  auto request = std::make_shared<Request>();
  fields.Add("file", &request->files,
             {.help = "Manifests of XSP or of MLModelScope",
              .refers = core::Refers::kInput,
              .required = true,
              .positional = true});
  return [request] { return Check(*request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "model/check",
    .summary = "Reports errors of a manifest with line and column, or prints what it means",
    .example = "xsp model check zoo/resnet50/manifest.yaml",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "items": {"type": "object",
      "required": ["file", "ok", "problems"], "properties": {
        "file": {"type": "string"},
        "ok": {"type": "boolean", "description": "Whether none of the problems is an error"},
        "problems": {"type": "array", "items": {"type": "object", "properties": {
          "line": {"type": "integer"}, "column": {"type": "integer"},
          "kind": {"enum": ["error", "note"]},
          "what": {"type": "string"}, "hint": {"type": "string"}}}},
        "form": {"enum": ["xsp", "mlmodelscope"], "description": "Of a manifest without errors"},
        "formats": {"type": "array", "items": {"type": "string"},
        "description": "Of the model's files, in the manifest's order"},
      "manifest": {"type": "object",
          "description": "Of a manifest without errors: what it means, in the long form"}}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
};

}  // namespace xsp::api::model_check_operation
