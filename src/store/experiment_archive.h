#ifndef XSP_STORE_EXPERIMENT_ARCHIVE_H_
#define XSP_STORE_EXPERIMENT_ARCHIVE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "store/incoming_experiment.h"

namespace xsp::store {

// An archive is a ZIP file of experiments: the folder of each, and `xsp-experiments.json`, which
// lists every file with its size and SHA-256. Unpacked by any program it is a store
// (docs/store.md#archives).

struct WrittenArchive {
  std::size_t experiments = 0, files = 0;
  std::uint64_t bytes = 0;  ///< Of the files in it.
};

/// Writes the experiments `names` of `store` into `file`, replacing it; until all is written there
/// is no new file. `is_stopped` is asked often. Errors: as FilesOf(); kEnvironment, kInterrupted.
Result<WrittenArchive> WriteArchive(const std::filesystem::path& store,
                                    const std::vector<std::string>& names,
                                    const std::filesystem::path& file, core::Progress& progress,
                                    const std::function<bool()>& is_stopped);

struct ArchivedExperiment {
  std::string name;
  std::vector<IndexedFile> files;
};

/// What an archive says that it holds. Errors: kBadInput (no archive of ours, a newer one,
/// damaged).
Result<std::vector<ArchivedExperiment>> ListArchive(const std::filesystem::path& file);

/// Brings experiments of an archive into `store`, each whole or not at all, and returns what became
/// of each of `wanted` (of ListArchive()). Nothing of what the archive holds besides is read.
/// Errors: as IncomingExperiment; kBadInput (a file is damaged), kInterrupted; those before stay.
Result<std::vector<Arrival>> ReadArchive(const std::filesystem::path& file,
                                         const std::vector<ArchivedExperiment>& wanted,
                                         const std::filesystem::path& store,
                                         core::Progress& progress,
                                         const std::function<bool()>& is_stopped);

}  // namespace xsp::store

#endif  // XSP_STORE_EXPERIMENT_ARCHIVE_H_
