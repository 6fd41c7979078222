#include "derive/experiments/imported_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/step_times.h"
#include "derive/experiments/device_roofs.h"
#include "derive/experiments/experiment_builder.h"
#include "derive/experiments/replay_references.h"
#include "derive/experiments/trace_point.h"
#include "derive/match/match.h"
#include "ingest/trace_files/trace_loader.h"
#include "os/heap.h"
#include "os/sha256.h"
#include "store/catalogue.h"
#include "store/schema.h"

namespace xsp::experiments {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kImportedRun = "imported";
constexpr trace::DiagnosticSpec kCopiedFile = {
    "import_copied_file",
    "A file has the same content as another one that was imported with it: it was left out, as its "
    "times would count twice.",
    trace::DiagnosticKind::kNote};

/// "trace" for "trace.json.gz".
std::string BareName(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::string bare = name.substr(0, name.find('.', 1));
  return bare.empty() ? "import" : bare;
}

json InputsJson(const std::vector<trace_files::RecognisedFile>& files) {
  json inputs = json::array();
  for (const trace_files::RecognisedFile& input : files)
    inputs.push_back({{"file", input.file.string()}, {"format", input.format}});
  return inputs;
}

/// For people: "trace.json (kineto)".
std::vector<std::string> ImportedFrom(const std::vector<trace_files::RecognisedFile>& files) {
  std::vector<std::string> texts;
  for (const trace_files::RecognisedFile& input : files)
    texts.push_back(fmt::format("{} ({})", input.file.filename().string(), input.format));
  return texts;
}

/// The files of a folder that are of a known format, by name; the others are noted in `outcome`.
Status AddFolder(const fs::path& folder, ImportOutcome& outcome) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const std::size_t before = outcome.inputs.size();
  for (const fs::path& file : files) {
    auto input = trace_files::Recognise(file);
    if (input.ok()) {
      outcome.inputs.push_back(std::move(input).value());
    } else {
      outcome.passed_over.push_back(file);
    }
  }
  if (outcome.inputs.size() > before) return Ok{};
  return Error{ErrorKind::kBadInput,
               fmt::format("folder holds no file of a known format: {}", folder.string()),
               fmt::format("Known formats are {}. Subfolders are not searched.",
                           trace_files::FormatNames())};
}

/// Errors: kUsage, where a file is given twice: all of its times would count twice.
Status CheckEachOnce(const std::vector<trace_files::RecognisedFile>& files) {
  std::set<fs::path> paths;
  for (const trace_files::RecognisedFile& input : files) {
    std::error_code error;
    const fs::path path = fs::canonical(input.file, error);
    if (!error && !paths.insert(path).second)
      return Error{ErrorKind::kUsage, "a file is given twice: " + input.file.string(),
                   "Files that are imported together are the parts of one execution: give each "
                   "once."};
  }
  return Ok{};
}

/// Leaves out files with the content of one before them: all of its times would count twice.
/// Returns what they are: "rank1/trace.json, a copy of rank0/trace.json". Only files of one size
/// are compared.
Result<std::vector<std::string>> LeaveOutCopies(std::vector<trace_files::RecognisedFile>& files) {
  const auto size_bytes = [](const trace_files::RecognisedFile& input) {
    std::error_code error;
    return fs::file_size(input.file, error);
  };
  std::map<std::uintmax_t, int> files_of_size;
  for (const trace_files::RecognisedFile& input : files) ++files_of_size[size_bytes(input)];
  std::vector<trace_files::RecognisedFile> kept;
  std::map<std::string, std::string> first_with;
  std::vector<std::string> copies;
  for (trace_files::RecognisedFile& input : files) {
    if (files_of_size[size_bytes(input)] > 1) {
      XSP_TRY(std::string content, os::Sha256OfFile(input.file));
      const std::string name = input.file.string();  // Of ranks the folders may differ only.
      const auto [first, is_new] = first_with.emplace(std::move(content), name);
      if (!is_new) {
        copies.push_back(fmt::format("{}, a copy of {}", name, first->second));
        continue;
      }
    }
    kept.push_back(std::move(input));
  }
  files = std::move(kept);
  return copies;
}

void Summarise(const trace::Trace& trace, ImportOutcome& outcome) {
  outcome.reference_runs = Fact(trace, "replay.reference_runs");
  std::int64_t counts[trace::kLevelCount] = {};
  for (trace::Level level : trace.spans.level) ++counts[static_cast<int>(level)];
  for (int level = 0; level < trace::kLevelCount; ++level)
    outcome.spans.emplace_back(trace::ToString(static_cast<trace::Level>(level)), counts[level]);
  for (const auto& [name, diagnostic] : trace.diagnostics)
    outcome.diagnostics.push_back(
        {name, diagnostic.count, diagnostic.example, trace_files::HintOf(name, diagnostic)});
}

/// LoadTrace(), with the runs of the store that may explain replayed graphs.
Result<trace::Trace> LoadWithReferences(const ImportRequest& request,
                                        const std::vector<trace_files::RecognisedFile>& files,
                                        store::ArgumentStream* arguments) {
  fs::path named;
  if (!request.reference.empty()) {
    XSP_TRY(named, store::Resolve(request.store, request.reference));
  }
  Status read = Ok{};
  correlate::ReplayOptions replays;
  replays.always = !named.empty();
  replays.other_runs = [&](const trace::Trace& trace) -> correlate::ForeignSequences {
    if (named.empty()) {
      // What a file happens to be called says too little about a model.
      const std::string model = StatedModel(trace, request.model);
      if (model.empty()) return {};
      return FindReferences(request.store, model);
    }
    auto sequences = ReadReference(named);
    if (sequences.ok()) return std::move(sequences).value();
    read = sequences.error();
    return {};
  };
  auto trace = trace_files::LoadTrace(files, arguments, replays);
  XSP_RETURN_IF_ERROR(read);
  return trace;
}

}  // namespace

Result<ImportOutcome> ImportFiles(const ImportRequest& request) {
  if (request.files.empty()) return Error{ErrorKind::kUsage, "no file to import", ""};
  os::ReturnLargeBlocks();
  core::NoProgress nobody;
  core::Progress& progress = request.progress != nullptr ? *request.progress : nobody;
  ImportOutcome outcome;
  for (const fs::path& file : request.files) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
      XSP_RETURN_IF_ERROR(AddFolder(file, outcome));
      continue;
    }
    if (fs::exists(file, error) && !fs::is_regular_file(file, error))
      return Error{ErrorKind::kBadInput, "not a regular file: " + file.string(),
                   "A file is read more than once: write what a pipe delivers to a file first."};
    XSP_TRY(trace_files::RecognisedFile input, trace_files::Recognise(file));
    outcome.inputs.push_back(std::move(input));
  }
  XSP_RETURN_IF_ERROR(CheckEachOnce(outcome.inputs));
  XSP_TRY(const std::vector<std::string> copies, LeaveOutCopies(outcome.inputs));
  XSP_TRY(const std::vector<roofs::NamedRoofs> named_roofs, ReadNamedRoofs(request.roofs));
  const std::string name = request.name.empty() ? BareName(request.files.front()) : request.name;
  XSP_TRY(ExperimentBuilder builder, ExperimentBuilder::Create(request.store, name));

  // Needed after reading, and not for free: the SQL engine reads it.
  const auto schema = std::async(std::launch::async, [] {
    const core::StepTimer timer("make schema");
    return store::Schema().size();
  });
  progress.Step("reading", 0.0, -1);
  XSP_TRY(auto arguments, builder.writer().StreamArguments(kImportedRun));
  XSP_TRY(trace::Trace trace, LoadWithReferences(request, outcome.inputs, arguments.get()));
  for (const std::string& copy : copies) trace::TraceWriter(trace).Count(kCopiedFile, copy);
  progress.Step("storing", 0.6, -1);
  Summarise(trace, outcome);
  std::string model = StatedModel(trace, request.model);
  if (model.empty()) model = BareName(request.files.front());
  const match::PointInput point = PointOf(trace, model, "unknown");
  match::RunInput input;
  input.point_id = point.point_id;
  // Metrics of kernels that were replayed and series without a timeline show no times of the
  // program; by this rung they join runs that do (derive/match).
  input.rung = IsOfMetrics(trace.role) ? "counters" : "imported";
  input.status = "done";
  input.path = kImportedRun;
  const bool on_device = HasDeviceKernels(trace);
  const std::set<std::string> devices = DeviceNames(trace);
  XSP_RETURN_IF_ERROR(arguments->Finish());
  arguments.reset();
  os::ReturnFreedMemory();
  XSP_RETURN_IF_ERROR(builder.TakeRun(input, {.details = {{"inputs", InputsJson(outcome.inputs)}}},
                                      std::move(trace)));
  if (request.keep_files)
    for (const trace_files::RecognisedFile& file : outcome.inputs)
      XSP_RETURN_IF_ERROR(builder.writer().Attach(kImportedRun, file.file));

  progress.Step("making tables", 0.9, -1);
  XSP_RETURN_IF_ERROR(builder.MakeTables({point}));
  const auto roofs = RoofsOfTrace(named_roofs, on_device, devices);
  if (!roofs.ok()) {
    progress.Note(fmt::format("no roofs: {}\nhint: {}", roofs.error().what, roofs.error().hint));
  } else if (roofs.value()) {
    XSP_RETURN_IF_ERROR(builder.AddRoofs(*roofs.value()));
  }
  XSP_TRY(outcome.path,
          builder.Commit({.kind = "import",
                          .model = point.model,
                          .backend = point.backend,
                          .status = "done",
                          .command = request.command,
                          .conditions = {},
                          .details = {{"inputs", InputsJson(outcome.inputs)},
                                      {"imported_from", ImportedFrom(outcome.inputs)}}}));
  outcome.run = outcome.path / kImportedRun;
  return outcome;
}

}  // namespace xsp::experiments
