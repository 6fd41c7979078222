#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "api/operation.h"
#include "api/operations/date_field.h"
#include "api/operations/experiment_filter_fields.h"
#include "derive/history/retention.h"
#include "store/baselines.h"
#include "store/experiment_changes.h"

namespace xsp::api::store_prune_operation {
namespace {

struct Request {
  history::ExperimentFilter filter;
  history::Retention retention;
  bool plan = false;
};

Result<Document> Prune(const Context& context, const Request& request) {
  history::Retention retention = request.retention;
  if (retention.keeps_none())
    return Error{ErrorKind::kUsage, "what is to be kept?",
                 "Say it with --keep-last, --keep-daily, --keep-weekly, --keep-monthly, "
                 "--keep-since or --keep-tag; --plan shows what that would remove."};
  XSP_TRY(retention.since, DateOf(retention.since, "keep_since"));
  XSP_TRY(const std::vector<store::CatalogueEntry> entries,
          ChosenExperiments(context.store, request.filter));
  std::vector<std::string> reasons = history::ReasonsToKeep(entries, retention);
  os::Interrupts& interrupts = context.interrupts();
  Document document{
      .content = store::Table{{"experiment", "created", "model", "backend", "done", "why"}, {}}};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const store::CatalogueEntry& entry = entries[i];
    const std::vector<std::string> baselines = store::BaselinesOf(entry.path);
    if (!baselines.empty()) reasons[i] = fmt::format("the baseline {}", fmt::join(baselines, ", "));
    if (reasons[i].empty() && interrupts.stop()) reasons[i] = "interrupted";
    const bool is_kept = !reasons[i].empty();
    if (!is_kept && !request.plan)
      XSP_RETURN_IF_ERROR(store::RemoveExperiment(context.store, entry.name));
    const std::string done = is_kept ? "kept" : request.plan ? "would be removed" : "removed";
    std::get<store::Table>(document.content)
        .rows.push_back({entry.name, entry.created, entry.model, entry.backend, done, reasons[i]});
  }
  if (interrupts.stop()) document.exit_status = static_cast<int>(ErrorKind::kInterrupted);
  return document;
}

void AddKeep(core::RequestFields& fields, const char* name, int* value, const char* help) {
  fields.Add(name, value, {.help = help, .value_name = "N", .range = core::Between(0, 1e6)});
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  history::Retention& keep = request->retention;
  AddKeep(fields, "keep_last", &keep.last, "Keep the last N of each model and backend");
  AddKeep(fields, "keep_daily", &keep.daily, "Keep the last of each of N days, likewise");
  AddKeep(fields, "keep_weekly", &keep.weekly, "Keep the last of each of N weeks, likewise");
  AddKeep(fields, "keep_monthly", &keep.monthly, "Keep the last of each of N months, likewise");
  fields.Add("keep_since", &keep.since,
             {.help = "Keep what is of this date or later: 2026-11-01 (UTC), 30d, 2w",
              .value_name = "DATE"});
  fields.Add("keep_tag", &keep.tags,
             {.help = "Keep what has this tag; may be repeated", .value_name = "KEY[=VALUE]"});
  fields.Add("plan", &request->plan, {.help = "Show what would be removed, and remove nothing"});
  AddFilterFields(fields, &request->filter);
  return [&context, request] { return Prune(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/prune",
    .summary = "Removes experiments that are older than what is to be kept; never baselines",
    .example =
        "xsp store prune --keep-last 10 --keep-monthly 12 --keep-tag keep --plan\n"
        "         xsp store prune --tag nightly --keep-since 30d",
    .effect = Effect::kChanges,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "experiment": {"type": "string"}, "created": {"type": "string"}, "model": {"type": "string"},
      "backend": {"type": "string"}, "done": {"enum": ["kept", "removed", "would be removed"]},
      "why": {"type": "string", "description": "Why it is kept; empty: it is not"}}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
    .answers_if = "plan",
};

}  // namespace xsp::api::store_prune_operation
