#include "api/operation.h"
#include "measure/manifest/manifest.h"
#include "measure/sessions/described_model.h"

namespace xsp::api::model_describe_operation {
namespace {

using nlohmann::json;
using requests::ExperimentRequest;

Result<Document> Describe(const Context& context, const ExperimentRequest& given) {
  ExperimentRequest request = given;
  request.progress = context.progress;
  context.progress->Step("loading the model", -1, -1);
  XSP_TRY(const sessions::DescribedModel described, sessions::DescribeModel(request));
  return Document{.content = json{{"manifest", manifest::ToJson(described.manifest)},
                                  {"yaml", manifest::ToYaml(described.manifest)},
                                  {"guessed", described.guesses},
                                  {"refused", described.refused}}};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<ExperimentRequest>();
  fields.Add("model", &request->model,
             {.help = "A model file, or a name of the zoo",
              .refers = core::Refers::kModel,
              .required = true,
              .positional = true});
  fields.Add("backend", &request->backends,
             {.help = "The framework that loads it (default: the file's own)",
              .value_name = "NAME",
              .max_items = 1});
  fields.Add("input", &request->inputs,
             {.help = "As for `xsp run`: overrides the declarations in the file",
              .value_name = "[NAME=]SHAPE",
              .list = core::ListStyle::kRepeated});
  return [&context, request] { return Describe(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "model/describe",
    .summary = "Prints a manifest for a model file: declared and guessed inputs",
    .example = "xsp model describe model.onnx > model.yaml && xsp run model.yaml",
    .effect = Effect::kReads,
    .result = R"({"type": "object", "required": ["manifest", "yaml", "guessed", "refused"],
      "properties": {
        "manifest": {"type": "object"},
        "yaml": {"type": "string", "description": "The same as a file that `xsp run` takes"},
        "guessed": {"type": "array", "items": {"type": "string"},
          "description": "What of the inputs was guessed"},
        "refused": {"type": "string",
          "description": "Why the model rejects what was guessed; empty: it does not"}}})",
    .declare = Declare,
    .served_as = ServedAs::kFreshAnswer,
};

}  // namespace xsp::api::model_describe_operation
