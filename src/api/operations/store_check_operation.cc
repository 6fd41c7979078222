#include "api/operation.h"
#include "store/store_check.h"

namespace xsp::api::store_check_operation {
namespace {

Result<Document> Check(const Context& context, const store::CheckRequest& request) {
  XSP_TRY(const std::vector<store::StoreProblem> problems,
          store::CheckStore(context.store, request, *context.progress));
  nlohmann::json rows = nlohmann::json::array();
  bool is_sound = true;
  for (const store::StoreProblem& one : problems) {
    rows.push_back({{"name", one.name}, {"problem", one.what}, {"repaired", one.is_repaired}});
    is_sound = is_sound && one.is_repaired;
  }
  Document document{.content = nlohmann::json{{"problems", std::move(rows)}}};
  if (!is_sound) document.exit_status = static_cast<int>(ErrorKind::kBadInput);
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<store::CheckRequest>();
  fields.Add("data", &request->all_data,
             {.help = "Decode every value of every table; from object storage all is fetched"});
  fields.Add("repair", &request->repair,
             {.help = "Remove what killed writers left; experiments are never removed"});
  return [&context, request] { return Check(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/check",
    .summary = "Finds damaged experiments, lost objects and what killed writers left",
    .example = "xsp store check --repair",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["problems"], "properties": {
      "problems": {"type": "array", "items": {"type": "object",
        "required": ["name", "problem", "repaired"], "properties": {
          "name": {"type": "string", "description": "Experiment, EXPERIMENT/RUN or baseline"},
          "problem": {"type": "string"}, "repaired": {"type": "boolean"}}}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::store_check_operation
