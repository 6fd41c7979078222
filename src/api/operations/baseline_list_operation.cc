#include "api/operation.h"
#include "store/baselines.h"

namespace xsp::api::baseline_list_operation {
namespace {

Result<Document> List(const Context& context) {
  XSP_TRY(const std::vector<store::BaselineEntry> entries, store::ListBaselines(context.store));
  store::Table table{{"name", "experiment", "selector", "set", "status"}, {}};
  for (const auto& [baseline, status] : entries)
    table.rows.push_back(
        {baseline.name, baseline.experiment, baseline.selector, baseline.set, status});
  Document document{.content = std::move(table)};
  if (entries.empty())
    document.notes.push_back("no baselines in " + context.store.string() +
                             " yet: xsp baseline set NAME EXPERIMENT makes one");
  return document;
}

Action Declare(core::RequestFields&, const Context& context) {
  return [&context] { return List(context); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "baseline/list",
    .summary = "Lists the baselines of the store",
    .example = "xsp baseline list --format json",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "name": {"type": "string"}, "experiment": {"type": "string"},
      "selector": {"type": "string", "description": "Of a point; empty: none"},
      "set": {"type": "string", "description": "When, RFC 3339, UTC"},
      "status": {"type": "string",
        "description": "ok, removed or replaced (its experiment), or unreadable: why"}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::baseline_list_operation
