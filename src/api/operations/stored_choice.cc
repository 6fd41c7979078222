#include "api/operations/stored_choice.h"

#include <algorithm>

#include "api/operations/experiment_filter_fields.h"
#include "store/experiment_changes.h"

namespace xsp::api {

void AddChoiceFields(core::RequestFields& fields, StoredChoice* choice) {
  fields.Add(
      "name", &choice->names,
      {.help = "Experiments of the store", .refers = core::Refers::kStored, .positional = true});
  AddFilterFields(fields, &choice->filter);
  fields.Add("all", &choice->all, {.help = "All experiments of the store"});
}

Result<std::vector<std::string>> ChosenNames(const std::filesystem::path& store,
                                             const StoredChoice& choice) {
  const int ways = int{!choice.names.empty()} + int{!choice.filter.is_any()} + int{choice.all};
  if (ways != 1)
    return Error{ErrorKind::kUsage,
                 ways == 0 ? "which experiments?" : "experiments are chosen in two ways",
                 "Give their names, or what they have in common (--model, --tag, --since ...), or "
                 "--all."};
  std::vector<std::string> names;
  if (!choice.names.empty()) {
    for (const std::string& name : choice.names) {
      XSP_TRY(const auto folder, store::FindExperiment(store, name));
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
  }
  XSP_TRY(const std::vector<store::CatalogueEntry> entries,
          ChosenExperiments(store, choice.filter));
  for (const store::CatalogueEntry& entry : entries) names.push_back(entry.name);
  return names;
}

}  // namespace xsp::api
