#ifndef XSP_API_OPERATIONS_RUN_FIELD_H_
#define XSP_API_OPERATIONS_RUN_FIELD_H_

#include <string>

#include "core/request_fields.h"

namespace xsp::api {

/// Adds the field that names an experiment or a run, as store::Resolve takes it. `run` outlives the
/// request.
void AddRun(core::RequestFields& fields, std::string* run);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_RUN_FIELD_H_
