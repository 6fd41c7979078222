#ifndef XSP_STORE_BASELINES_H_
#define XSP_STORE_BASELINES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::store {

/// A name for an experiment, or one of its points, that others are compared with. Stored as the
/// file NAME.baseline.json beside the experiments, so that whoever reads the store sees it.
struct Baseline {
  std::string name;
  std::string experiment;  ///< Its name in the store.
  std::string selector;    ///< Of a point: "batch=8,backend=torch"; empty: none.
  std::string set;         ///< When, RFC 3339, UTC.
  /// `created` of the experiment, which tells it from a later one of its name; empty: not known.
  std::string created;
};

struct BaselineEntry {
  Baseline baseline;
  std::string
      status;  ///< "ok", or why it cannot be used: "removed", "replaced", "unreadable: ...".
};

/// All baselines of the store, by name; damaged ones, too. A store that does not exist has none.
/// Errors: kEnvironment (the store cannot be read).
Result<std::vector<BaselineEntry>> ListBaselines(const std::filesystem::path& store);

/// The baseline `name`, whose experiment exists. Errors: kBadInput (no such baseline, naming the
/// nearest; its file is damaged; its experiment was removed, or replaced by another of its name).
Result<Baseline> FindBaseline(const std::filesystem::path& store, std::string_view name);

/// Makes the experiment (a name, as FindExperiment takes it), or its point of `selector`, the
/// baseline `name`, in one atomic step, in place of an earlier one. Errors: as FindExperiment;
/// kBadInput (not a name; an experiment that is not finished), kEnvironment.
Result<Baseline> SetBaseline(const std::filesystem::path& store, std::string_view name,
                             std::string_view experiment, std::string_view selector);

/// Removes a baseline, damaged or not; its experiment stays. Errors: kBadInput (no such baseline),
/// kEnvironment.
Status RemoveBaseline(const std::filesystem::path& store, std::string_view name);

/// Names of the baselines that are the experiment in `folder`, or points of it.
std::vector<std::string> BaselinesOf(const std::filesystem::path& folder);

/// Makes the baselines `names` follow their experiment to its new name. Errors: kEnvironment.
Status MoveBaselines(const std::filesystem::path& store, const std::vector<std::string>& names,
                     std::string_view new_name);

}  // namespace xsp::store

#endif  // XSP_STORE_BASELINES_H_
