#ifndef XSP_API_OPERATIONS_STORED_CHOICE_H_
#define XSP_API_OPERATIONS_STORED_CHOICE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "api/operation.h"
#include "derive/history/experiment_filter.h"

namespace xsp::api {

/// Which experiments of the store an operation works on: by name, by filter, or all.
struct StoredChoice {
  std::vector<std::string> names;
  history::ExperimentFilter filter;
  bool all = false;
};

/// Adds `name` (positional), the fields of AddFilterFields() and `all`. `choice` outlives the
/// visit.
void AddChoiceFields(core::RequestFields& fields, StoredChoice* choice);

/// The names of the chosen experiments, oldest first; those given by name in their order, each
/// once, and looked up in the store. Errors: kUsage (nothing is chosen, or in two ways), as
/// FindExperiment() and ChosenExperiments().
Result<std::vector<std::string>> ChosenNames(const std::filesystem::path& store,
                                             const StoredChoice& choice);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_STORED_CHOICE_H_
