#ifndef XSP_API_OPERATIONS_COMPARED_SOURCES_H_
#define XSP_API_OPERATIONS_COMPARED_SOURCES_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/operation.h"
#include "core/result.h"
#include "derive/compare/side.h"
#include "os/scratch_folder.h"

namespace xsp::api {

/// The sides that a user named, to be compared in pairs: each with one of the first.
struct ComparedSources {
  std::vector<std::pair<compare::SideSource, compare::SideSource>> pairs;
  /// Where files were imported to; removed with this.
  std::optional<os::ScratchFolder> imported;
};

/// Finds what each of `sides` names: NAME, NAME/RUN or a folder, as store::Resolve takes them, or a
/// file of a profiler, or a folder of files of one execution, which are imported into a temporary
/// folder; each with
/// "#batch=8,backend=torch" if it has several points (also device, precision, model, point). Where
/// an experiment has several points and no selector, its points are compared with those of the
/// first side that fit (compare::PairedPoints). Errors: kUsage (fewer than two sides, a selector
/// that is unknown or fits no or several points), kBadInput (nothing of that name; no points that
/// fit).
Result<ComparedSources> FindSources(const Context& context, const std::vector<std::string>& sides);

/// Whether FindSources() finds `side`. Errors: as FindSources.
Status CheckSide(const Context& context, const std::string& side);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_COMPARED_SOURCES_H_
