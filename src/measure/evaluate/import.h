#ifndef XSP_MEASURE_EVALUATE_IMPORT_H_
#define XSP_MEASURE_EVALUATE_IMPORT_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "ingest/correlate/graph_replay.h"
#include "measure/evaluate/progress.h"
#include "store/argument_stream.h"
#include "trace/trace.h"

namespace xsp::evaluate {

/// A file and the importer that reads it.
struct RecognisedFile {
  std::filesystem::path file;
  std::string format;  ///< The importer's name.
};

/// Finds the importer of a file by its content: the one that is certain, else the one that
/// recognises it in general. Errors: kBadInput (no such file, a directory, an empty file, a format
/// that no importer knows, with the list of those that are known; two that are equally sure).
Result<RecognisedFile> Recognise(const std::filesystem::path& file);

/// Reads the files of one execution into one trace and correlates it. With `arguments`, these go
/// there and not into the trace. Errors: kBadInput.
Result<trace::Trace> LoadTrace(const std::vector<RecognisedFile>& files,
                               store::ArgumentStream* arguments = nullptr,
                               const correlate::ReplayOptions& replays = {});

/// What `xsp import` was asked for.
struct ImportRequest {
  /// Of one execution. A folder stands for the files in it that are of a known format.
  std::vector<std::filesystem::path> files;
  std::string name;   ///< Empty: the first file's, without its endings.
  std::string model;  ///< Empty: what the files call it, else the first file's name.
  /// A run of the store, or its folder, whose kernels and operators explain graphs that the files
  /// only replay. Empty: the newest runs of the same model, where the files (or `model`) state its
  /// name and do not explain them.
  std::string reference;
  std::filesystem::path store;
  bool keep_files = false;       ///< Copy the files into the run's attachments/.
  std::string command;           ///< The command line, stored.
  Progress* progress = nullptr;  ///< Borrowed; null: not reported.
};

struct ImportOutcome {
  std::filesystem::path path;  ///< The experiment.
  std::filesystem::path run;   ///< Its one run.
  std::vector<RecognisedFile> inputs;
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
/// one (but no roofs: the file may be another machine's). Errors: kBadInput (also: no such
/// reference, or one that tells nothing), kEnvironment (store).
Result<ImportOutcome> ImportFiles(const ImportRequest& request);

}  // namespace xsp::evaluate

#endif  // XSP_MEASURE_EVALUATE_IMPORT_H_
