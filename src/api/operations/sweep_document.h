#ifndef XSP_API_OPERATIONS_SWEEP_DOCUMENT_H_
#define XSP_API_OPERATIONS_SWEEP_DOCUMENT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "api/operation.h"
#include "core/result.h"
#include "measure/sweeps/sweep_session.h"

namespace xsp::api {

/// What `xsp sweep --plan` answers: every point with its estimate and what the store has of it.
Document PlanDocument(const std::string& sweep, const std::vector<sweeps::SweptPoint>& points,
                      double seconds);

/// What `xsp sweep` answers: every point with its latency, and the exit status that says how the
/// whole went. Errors: kInternal.
Result<Document> ResultDocument(const std::string& sweep, const std::filesystem::path& store,
                                const std::vector<sweeps::SweptPoint>& points, bool is_interrupted);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_SWEEP_DOCUMENT_H_
