#ifndef XSP_DERIVE_EXPERIMENTS_IMPORTED_FILES_H_
#define XSP_DERIVE_EXPERIMENTS_IMPORTED_FILES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "derive/experiments/device_roofs.h"
#include "ingest/trace_files/recognised_file.h"

namespace xsp::experiments {

/// What `xsp import` was asked for.
struct ImportRequest {
  /// Of one execution. A folder stands for the files in it that are of a known format. Of files
  /// with the same content the first is read, and the others are noted.
  std::vector<std::filesystem::path> files;
  std::string name;   ///< Empty: the first file's, without its endings.
  std::string model;  ///< Empty: what the files call it, else the first file's name.
  /// A run of the store, or its folder, whose kernels and operators explain graphs that the files
  /// only replay. Empty: the newest runs of the same model, where the files (or `model`) state its
  /// name and do not explain them.
  std::string reference;
  RoofSource roofs;
  std::filesystem::path store;
  bool keep_files = false;             ///< Copy the files into the run's attachments/.
  std::string command;                 ///< The command line, stored.
  core::Progress* progress = nullptr;  ///< Borrowed; null: not reported.
};

struct ImportOutcome {
  std::filesystem::path path;  ///< The experiment.
  std::filesystem::path run;   ///< Its one run.
  std::vector<trace_files::RecognisedFile> inputs;
  std::vector<std::filesystem::path> passed_over;           ///< In folders: of no known format.
  std::vector<std::pair<std::string, std::int64_t>> spans;  ///< Level and count, shallow to deep.
  struct Diagnostic {
    std::string name;
    std::int64_t count;
    std::string example;
    std::string hint;
  };
  std::vector<Diagnostic> diagnostics;
  std::string reference_runs;  ///< That explained replayed graphs: "a, b"; empty: none did.
};

/// Imports the files as an experiment with one run, with the same experiment tables as a measured
/// one. Its roofs are those that `roofs` names, else those of the data sheet of the device that the
/// files name; kernels of a CPU then have none, because the files may be another machine's. Errors:
/// kBadInput (also: no such reference, or one that tells nothing), kEnvironment (store), and those
/// of ReadNamedRoofs(), before anything is read.
Result<ImportOutcome> ImportFiles(const ImportRequest& request);

}  // namespace xsp::experiments

#endif  // XSP_DERIVE_EXPERIMENTS_IMPORTED_FILES_H_
