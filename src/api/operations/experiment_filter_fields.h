#ifndef XSP_API_OPERATIONS_EXPERIMENT_FILTER_FIELDS_H_
#define XSP_API_OPERATIONS_EXPERIMENT_FILTER_FIELDS_H_

#include <vector>

#include "core/request_fields.h"
#include "core/result.h"
#include "derive/history/experiment_filter.h"

namespace xsp::api {

/// Adds the fields by which operations on many experiments choose them: model, backend, machine,
/// tag, since, until, text. `filter` outlives the visit; its dates are as the user wrote them.
void AddFilterFields(core::RequestFields& fields, history::ExperimentFilter* filter);

/// The experiments of `store` that fit a filter of AddFilterFields(), oldest first. Errors: kUsage
/// (a date that is none), kEnvironment.
Result<std::vector<store::CatalogueEntry>> ChosenExperiments(const std::filesystem::path& store,
                                                             history::ExperimentFilter filter);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_EXPERIMENT_FILTER_FIELDS_H_
