#include "api/operations/experiment_filter_fields.h"

#include "api/operations/date_field.h"

namespace xsp::api {

void AddFilterFields(core::RequestFields& fields, history::ExperimentFilter* filter) {
  fields.Add("model", &filter->model,
             {.help = "Only experiments of this model", .value_name = "MODEL"});
  fields.Add("backend", &filter->backend,
             {.help = "Only backends whose name contains this", .value_name = "NAME"});
  fields.Add("machine", &filter->machine,
             {.help = "Only experiments that were measured on this machine, as `xsp points` names "
                      "it",
              .value_name = "MACHINE"});
  fields.Add(
      "tag", &filter->tags,
      {.help = "Only experiments with this tag; may be repeated", .value_name = "KEY[=VALUE]"});
  fields.Add("since", &filter->since,
             {.help = "Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w",
              .value_name = "DATE"});
  fields.Add("until", &filter->until,
             {.help = "Only experiments of this date or earlier, likewise", .value_name = "DATE"});
  fields.Add("text", &filter->text,
             {.help = "Only experiments with these words in name, model, backend, status or tags",
              .value_name = "WORDS"});
}

Result<std::vector<store::CatalogueEntry>> ChosenExperiments(const std::filesystem::path& store,
                                                             history::ExperimentFilter filter) {
  XSP_TRY(filter.since, DateOf(filter.since, "since"));
  XSP_TRY(filter.until, DateOf(filter.until, "until"));
  return history::FilteredExperiments(store, filter);
}

}  // namespace xsp::api
