#ifndef XSP_STORE_EXPERIMENT_CHANGES_H_
#define XSP_STORE_EXPERIMENT_CHANGES_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::store {

/// The folder of the experiment `name` of the store: no path, no "latest", so that nothing is
/// changed that was not meant. Errors: kBadInput (no such experiment; not a name).
Result<std::filesystem::path> FindExperiment(const std::filesystem::path& store,
                                             std::string_view name);

/// The same of an experiment that may be removed: it is no baseline. Errors: as FindExperiment;
/// kBadInput (it is a baseline).
Result<std::filesystem::path> FindRemovable(const std::filesystem::path& store,
                                            std::string_view name);

/// Removes an experiment with all its runs. It is gone for readers at once, whatever happens while
/// its files are deleted. Errors: as FindRemovable; kEnvironment.
Status RemoveExperiment(const std::filesystem::path& store, std::string_view name);

/// Gives an experiment another name; its baselines follow. Errors: as FindExperiment; kBadInput
/// (the new name is taken or is none), kEnvironment.
Status RenameExperiment(const std::filesystem::path& store, std::string_view name,
                        std::string_view new_name);

/// Key and value; an empty value takes the tag away.
using Tags = std::map<std::string, std::string>;

/// Changes tags of an experiment (`tags` of experiment.json) and returns those that it has then.
/// Errors: as FindExperiment; kBadInput (a key with other than letters, digits, `.`, `_` and `-`;
/// experiment.json cannot be read), kEnvironment.
Result<Tags> TagExperiment(const std::filesystem::path& store, std::string_view name,
                           const Tags& changes);

}  // namespace xsp::store

#endif  // XSP_STORE_EXPERIMENT_CHANGES_H_
