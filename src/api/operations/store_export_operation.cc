#include <fmt/format.h>

#include <memory>

#include "api/operations/stored_choice.h"
#include "store/experiment_archive.h"

namespace xsp::api::store_export_operation {
namespace {

struct Request {
  StoredChoice choice;
  std::filesystem::path output;
};

Result<Document> Export(const Context& context, const Request& request) {
  XSP_TRY(const std::vector<std::string> names, ChosenNames(context.store, request.choice));
  os::Interrupts& interrupts = context.interrupts();
  XSP_TRY(const store::WrittenArchive written,
          store::WriteArchive(context.store, names, request.output, *context.progress,
                              [&] { return interrupts.stop(); }));
  return Document{.content = nlohmann::json{{"file", request.output.string()},
                                            {"experiments", names},
                                            {"files", written.files},
                                            {"bytes", written.bytes}}};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddChoiceFields(fields, &request->choice);
  fields.Add("output", &request->output,
             {.help = "The archive, a ZIP file",
              .value_name = "FILE",
              .refers = core::Refers::kOutput,
              .required = true,
              .letter = 'o'});
  return [&context, request] { return Export(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/export",
    .summary = "Writes experiments into one file, an archive with checksums",
    .example =
        "xsp store export resnet50-20260101-120000 -o resnet50.zip\n"
        "         xsp store export --tag paper=2026 -o paper.zip",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["file", "experiments", "files", "bytes"],
      "properties": {
        "file": {"type": "string"},
        "experiments": {"type": "array", "items": {"type": "string"}},
        "files": {"type": "integer", "description": "Of the experiments, in the archive"},
        "bytes": {"type": "integer", "description": "Of these files"}}})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::store_export_operation
