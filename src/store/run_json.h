#ifndef XSP_STORE_RUN_JSON_H_
#define XSP_STORE_RUN_JSON_H_

#include <string>
#include <string_view>

#include "core/result.h"
#include "trace/trace.h"

namespace xsp::store {

/// `json` (an object) with what the store adds to a run.json: `format_version`, `clock.origin`,
/// `facts`, `spans` (count by level) and `diagnostics`. Errors: kInternal when it is no object.
Result<std::string> CompleteRunJson(const trace::Trace& trace, std::string_view json);

/// `json` (an object) with `format_version`, `name`, `xsp_version` and, unless it is there,
/// `created` (now).
Result<std::string> CompleteExperimentJson(std::string_view name, std::string_view json);

}  // namespace xsp::store

#endif  // XSP_STORE_RUN_JSON_H_
