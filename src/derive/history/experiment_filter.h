#ifndef XSP_DERIVE_HISTORY_EXPERIMENT_FILTER_H_
#define XSP_DERIVE_HISTORY_EXPERIMENT_FILTER_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/catalogue.h"

namespace xsp::history {

/// Which experiments of a store are wanted: those that fit all members. Empty: any.
struct ExperimentFilter {
  std::string model;
  std::string backend;            ///< A part of a backend's name, in any case.
  std::string machine;            ///< As StoredPoint::machine; of one of its points.
  std::vector<std::string> tags;  ///< KEY or KEY=VALUE; all of them.
  std::string since, until;       ///< Beginnings of RFC 3339 dates, UTC; both included.
  std::string text;  ///< Words, each a part of name, model, backend, status or tags, in any case.

  bool is_any() const {
    return model.empty() && backend.empty() && machine.empty() && tags.empty() && since.empty() &&
           until.empty() && text.empty();
  }
};

/// Whether the experiment has the tag `wanted`: KEY or KEY=VALUE.
bool HasTag(const store::CatalogueEntry& entry, const std::string& wanted);

/// The experiments of `store` that fit, oldest first, also those that cannot be read. A machine is
/// looked up in the runs of the whole store. Errors: kEnvironment.
Result<std::vector<store::CatalogueEntry>> FilteredExperiments(const std::filesystem::path& store,
                                                               const ExperimentFilter& filter);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_EXPERIMENT_FILTER_H_
