#ifndef XSP_API_OPERATIONS_IDEAL_DOCUMENT_H_
#define XSP_API_OPERATIONS_IDEAL_DOCUMENT_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"

namespace xsp::api {

struct IdealRequest {
  std::filesystem::path experiment;
  std::vector<std::filesystem::path> others;  ///< Experiments that may have done the same work.
  bool with_disturbed = false;  ///< Also runs of whose calls more than half had interference.
};

/// The layers of an experiment beside their bounds and the best time that any experiment of the
/// same machine reached for the same work, never above their own: the schema of `xsp ideal`.
/// Experiments that cannot be read are counted and left out. Errors: kBadInput where `experiment`
/// cannot be read or has no layers.
Result<nlohmann::json> IdealDocument(const IdealRequest& request, core::Progress& progress);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_IDEAL_DOCUMENT_H_
