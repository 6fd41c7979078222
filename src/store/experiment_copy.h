#ifndef XSP_STORE_EXPERIMENT_COPY_H_
#define XSP_STORE_EXPERIMENT_COPY_H_

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/incoming_experiment.h"

namespace xsp::store {

/// An experiment of a store and all its files, with their checksums.
struct StoredFiles {
  std::filesystem::path folder;
  std::vector<IndexedFile> files;
};

/// The finished experiment `name` of `store`; its files are fetched where `store` is a mirror.
/// Errors: as FindExperiment() and Fetch(); kBadInput (it is not finished).
Result<StoredFiles> FilesOf(const std::filesystem::path& store, std::string_view name);

/// Copies the experiment `name` of `store` to another store, where each file is read back and
/// compared with its checksum. What that store has already is not copied again; where only its name
/// is taken, the copy has another. A mirror has still to be pushed. Errors: as FilesOf();
/// kEnvironment (not writable, disk full), kBadInput (a file changed or was damaged on the way).
Result<Arrival> CopyExperiment(const std::filesystem::path& store, std::string_view name,
                               const std::filesystem::path& to);

}  // namespace xsp::store

#endif  // XSP_STORE_EXPERIMENT_COPY_H_
