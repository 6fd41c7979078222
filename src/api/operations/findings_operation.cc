#include "answer/findings/find_all.h"
#include "answer/findings/findings_json.h"
#include "answer/findings/focus.h"
#include "api/operation.h"
#include "api/operations/run_field.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::api::findings_operation {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string run;
};

Result<Document> Find(const Context& context, const Request& request) {
  XSP_TRY(const fs::path folder, store::Resolve(context.store, request.run));
  XSP_TRY(const std::vector<findings::Rule> rules, findings::LoadRules(context.findings));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(const std::int64_t point_id, findings::BestPoint(database));
  XSP_TRY(const findings::Findings found, findings::FindAll(rules, database, point_id));
  nlohmann::json body = findings::ToJson(found);
  body["run"] = folder.string();
  return Document{.content = std::move(body)};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  return [&context, request] { return Find(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "findings",
    .summary = "Lists what stands out in an experiment, with evidence",
    .example = "xsp findings latest --format json",
    .effect = Effect::kReads,
    .result = R"({"type": "object", "required": ["run", "findings", "abstained"], "properties": {
      "run": {"type": "string"},
      "findings": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "title": {"type": "string"},
        "severity": {"enum": ["info", "notice", "warning"]},
        "sentence": {"type": "string"},
        "gain_ns": {"type": ["array", "null"], "items": {"type": "number"},
          "description": "Low, expected and high gain, ns per call or step (gain.whole); null: not known"},
        "gain_share": {"type": ["number", "null"], "minimum": 0, "maximum": 1,
          "description": "Expected gain divided by gain.whole_ns"},
        "gain": {"type": ["object", "null"], "properties": {
          "text": {"type": "string"},
          "whole": {"enum": ["call", "step", "recording", "program"],
            "description": "What the gain is a part of"},
          "whole_ns": {"type": "number"},
          "adds_up": {"type": "boolean",
            "description": "Gains that add up claim different time: their sum is at most whole_ns"},
          "alone_ns": {"type": "array", "items": {"type": "number"},
            "description": "The gain if no other finding held"},
          "overlaps": {"type": "array", "description": "Time that other findings claim, too, and have",
            "items": {"type": "object", "properties": {
              "id": {"type": "string"}, "ns": {"type": "number"}}}},
          "method": {"type": "string"}, "source": {"type": "string"}}},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "evidence": {"type": "object", "properties": {
          "analysis": {"type": "string"}, "sql": {"type": "string"},
          "columns": {"type": "array", "items": {"type": "object"}},
          "rows": {"type": "array", "items": {"type": "object"}}}},
        "threshold": {"type": "array", "items": {"type": "object"}},
        "refuted_by": {"type": "string"},
        "see": {"type": "string", "description": "Section of the report"}}}},
      "abstained": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "reason": {"type": "string"}}}}}})",
    .declare = Declare,
    .reads_named_only = true,
};

}  // namespace xsp::api::findings_operation
