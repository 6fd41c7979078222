#ifndef XSP_API_OPERATIONS_IDEAL_DOCUMENT_H_
#define XSP_API_OPERATIONS_IDEAL_DOCUMENT_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/operations/ideal_alternatives.h"
#include "core/progress.h"
#include "core/result.h"

namespace xsp::api {

struct IdealRequest {
  std::filesystem::path experiment;
  std::vector<std::filesystem::path> others;  ///< Experiments that may have done the same work.
  bool with_disturbed = false;  ///< Also runs of whose calls more than half had interference.
  /// Measure the alternatives of primitives first; nothing: take those that were measured before.
  std::optional<AlternativesOptions> alternatives = std::nullopt;
};

/// The layers of an experiment beside their bounds and the best time that any experiment of the
/// same machine, or an alternative of its primitives, reached for the same work, never above their
/// own: the schema of `xsp ideal`. Experiments that cannot be read are counted and left out.
/// Errors: kBadInput where `experiment` cannot be read or has no layers, or where alternatives are
/// to be measured and it is of another machine; kNotPossible where it has no primitives to measure;
/// as PointAlternatives::Measure.
Result<nlohmann::json> IdealDocument(const IdealRequest& request, core::Progress& progress);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_IDEAL_DOCUMENT_H_
