#include "measure/evaluate/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>
#include <nlohmann/json.hpp>
#include <set>

#include "core/step_times.h"
#include "derive/match/match.h"
#include "ingest/correlate/correlate.h"
#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "measure/evaluate/foreign_files.h"
#include "measure/evaluate/replay_references.h"
#include "measure/evaluate/tables.h"
#include "measure/evaluate/trace_point.h"
#include "os/heap.h"
#include "store/catalogue.h"
#include "store/experiment_writer.h"
#include "store/schema.h"

namespace xsp::evaluate {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kImportedRun = "imported";

Result<std::string> ReadPrefix(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", file.string()), ""};
  if (fs::is_directory(status)) {
    return Error{ErrorKind::kBadInput, fmt::format("is a directory: {}", file.string()),
                 "Name the files in it that belong to one execution."};
  }
  XSP_TRY(std::string prefix, importers::ReadPrefix(file, importers::kSniffBytes));
  if (prefix.empty()) {
    return Error{ErrorKind::kBadInput, fmt::format("file is empty: {}", file.string()),
                 "It may be incomplete."};
  }
  return prefix;
}

std::string FormatNames() {
  std::vector<std::string_view> names;
  for (const ImporterSpec* spec : importers::AllImporters()) names.push_back(spec->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// A word on what a file of no known format looks like.
std::string LooksLike(std::string_view prefix) {
  const std::size_t start = prefix.find_first_not_of(" \t\r\n");
  const std::size_t binary = prefix.substr(0, 512).find('\0');
  std::string_view like = "text";
  if (binary != std::string_view::npos) {
    like = "a binary file";
  } else if (start != std::string_view::npos && (prefix[start] == '{' || prefix[start] == '[')) {
    like = "JSON, but no trace events";
  } else if (prefix.substr(0, prefix.find('\n')).find(',') != std::string_view::npos) {
    like = "CSV";
  }
  return fmt::format(
      "It looks like {}. Most profilers export Chrome trace events (JSON), which can be imported.",
      like);
}

const ImporterSpec* FindImporter(std::string_view name) {
  for (const ImporterSpec* spec : importers::AllImporters())
    if (spec->name == name) return spec;
  return nullptr;
}

/// An importer counts a diagnostic by name; what it means may stand in its spec only.
std::string HintOf(std::string_view diagnostic, const trace::Diagnostic& counted) {
  if (!counted.hint.empty()) return counted.hint;
  for (const ImporterSpec* spec : importers::AllImporters())
    for (const importers::DiagnosticSpec& declared : spec->diagnostics)
      if (declared.name == diagnostic) return std::string(declared.help);
  return "";
}

/// "trace" for "trace.json.gz".
std::string BareName(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::string bare = name.substr(0, name.find('.', 1));
  return bare.empty() ? "import" : bare;
}

json InputsJson(const std::vector<RecognisedFile>& files) {
  json inputs = json::array();
  for (const RecognisedFile& input : files)
    inputs.push_back({{"file", input.file.string()}, {"format", input.format}});
  return inputs;
}

/// For people: "trace.json (kineto)".
std::vector<std::string> ImportedFrom(const std::vector<RecognisedFile>& files) {
  std::vector<std::string> texts;
  for (const RecognisedFile& input : files)
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
    auto input = Recognise(file);
    if (input.ok()) {
      outcome.inputs.push_back(std::move(input).value());
    } else {
      outcome.passed_over.push_back(file);
    }
  }
  if (outcome.inputs.size() > before) return Ok{};
  return Error{ErrorKind::kBadInput,
               fmt::format("folder holds no file of a known format: {}", folder.string()),
               fmt::format("Known formats are {}. Subfolders are not searched.", FormatNames())};
}

void Summarise(const trace::Trace& trace, ImportOutcome& outcome) {
  outcome.reference_runs = Fact(trace, "replay.reference_runs");
  std::int64_t counts[trace::kLevelCount] = {};
  for (trace::Level level : trace.spans.level) ++counts[static_cast<int>(level)];
  for (int level = 0; level < trace::kLevelCount; ++level)
    outcome.spans.emplace_back(trace::ToString(static_cast<trace::Level>(level)), counts[level]);
  for (const auto& [name, diagnostic] : trace.diagnostics)
    outcome.diagnostics.push_back(
        {name, diagnostic.count, diagnostic.example, HintOf(name, diagnostic)});
}

/// LoadTrace(), with the runs of the store that may explain replayed graphs.
Result<trace::Trace> LoadWithReferences(const ImportRequest& request,
                                        const std::vector<RecognisedFile>& files,
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
  auto trace = LoadTrace(files, arguments, replays);
  XSP_RETURN_IF_ERROR(read);
  return trace;
}

}  // namespace

Result<RecognisedFile> Recognise(const fs::path& file) {
  XSP_TRY(const std::string prefix, ReadPrefix(file));
  std::vector<std::string_view> certain, generic;
  for (const ImporterSpec* spec : importers::AllImporters()) {
    const importers::Sniff answer = spec->sniff(prefix);
    if (answer == importers::Sniff::kCertain) certain.push_back(spec->name);
    if (answer == importers::Sniff::kGeneric) generic.push_back(spec->name);
  }
  const std::vector<std::string_view>& sure = certain.empty() ? generic : certain;
  if (certain.empty()) {
    if (const auto foreign = ForeignFileOf(prefix, file))
      return Error{ErrorKind::kBadInput,
                   fmt::format("no importer reads {}: {}", foreign->what, file.string()),
                   std::string(foreign->advice)};
  }
  if (sure.empty()) {
    return Error{ErrorKind::kBadInput, fmt::format("file has no known format: {}", file.string()),
                 fmt::format("Known formats are {}. {}", FormatNames(), LooksLike(prefix))};
  }
  if (sure.size() > 1) {
    return Error{
        ErrorKind::kBadInput,
        fmt::format("file could be of {} formats ({}): {}", sure.size(), fmt::join(sure, ", "),
                    file.string()),
        "XSP should distinguish these formats: please report it with the first lines of the file."};
  }
  return RecognisedFile{file, std::string(sure.front())};
}

Result<trace::Trace> LoadTrace(const std::vector<RecognisedFile>& files,
                               store::ArgumentStream* arguments,
                               const correlate::ReplayOptions& replays) {
  trace::Trace trace;
  trace::TraceWriter writer(trace, arguments);
  std::set<std::string> read;
  for (const RecognisedFile& first : files) {
    if (!read.insert(first.format).second) continue;
    const ImporterSpec* importer = FindImporter(first.format);
    if (importer == nullptr)
      return Error{ErrorKind::kBadInput, fmt::format("no such format: {}", first.format), ""};
    importers::Source source;
    for (const RecognisedFile& file : files)
      if (file.format == first.format) source.files.push_back(file.file);
    const core::StepTimer timer("read");
    XSP_RETURN_IF_ERROR(importer->import(source, writer));
  }
  if (arguments != nullptr) arguments->End();
  const core::StepTimer timer("correlate");
  XSP_RETURN_IF_ERROR(correlate::Correlate(trace, replays));
  return trace;
}

Result<ImportOutcome> ImportFiles(const ImportRequest& request) {
  if (request.files.empty()) return Error{ErrorKind::kUsage, "no file to import", ""};
  os::ReturnLargeBlocks();
  NoProgress nobody;
  Progress& progress = request.progress != nullptr ? *request.progress : nobody;
  ImportOutcome outcome;
  for (const fs::path& file : request.files) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
      XSP_RETURN_IF_ERROR(AddFolder(file, outcome));
      continue;
    }
    XSP_TRY(RecognisedFile input, Recognise(file));
    outcome.inputs.push_back(std::move(input));
  }
  const std::string name = request.name.empty() ? BareName(request.files.front()) : request.name;
  XSP_TRY(store::ExperimentWriter writer, store::ExperimentWriter::Create(request.store, name));

  // Needed after reading, and not for free: the SQL engine reads it.
  const auto schema = std::async(std::launch::async, [] {
    const core::StepTimer timer("make schema");
    return store::Schema().size();
  });
  progress.Step("reading", 0.0, -1);
  XSP_TRY(auto arguments, writer.StreamArguments(kImportedRun));
  XSP_TRY(const trace::Trace trace, LoadWithReferences(request, outcome.inputs, arguments.get()));
  progress.Step("storing", 0.6, -1);
  std::string model = StatedModel(trace, request.model);
  if (model.empty()) model = BareName(request.files.front());
  const match::PointInput point = PointOf(trace, model, "unknown");
  // Times of kernels that were replayed for their metrics are none of the program.
  const char* rung = trace.facts.contains("cuda.metrics.asked") ? "counters" : "imported";
  const json run = {{"rung", rung}, {"status", "done"}, {"inputs", InputsJson(outcome.inputs)}};
  XSP_RETURN_IF_ERROR(arguments->Finish());
  arguments.reset();
  os::ReturnFreedMemory();
  XSP_TRY(const auto stored, writer.StartRun(kImportedRun, trace, run.dump()));
  if (request.keep_files)
    for (const RecognisedFile& input : outcome.inputs)
      XSP_RETURN_IF_ERROR(writer.Attach(kImportedRun, input.file));

  progress.Step("making tables", 0.9, -1);
  const match::RunInput input = {
      1, 1, rung, "done", writer.folder() / kImportedRun, kImportedRun, "", &trace};
  XSP_RETURN_IF_ERROR(WriteExperimentTables({point}, {input}, writer));
  os::ReturnFreedMemory();
  timeline::ExperimentRows timeline_rows;
  AddTimelineRows(1, trace, timeline_rows);
  XSP_RETURN_IF_ERROR(WriteTimelineTables(timeline_rows, writer));
  XSP_RETURN_IF_ERROR(stored->Finish());
  const json experiment = {{"kind", "import"},
                           {"model", point.model},
                           {"backend", point.backend},
                           {"status", "done"},
                           {"command", request.command},
                           {"xsp_version", XSP_VERSION},
                           {"inputs", InputsJson(outcome.inputs)},
                           {"imported_from", ImportedFrom(outcome.inputs)}};
  XSP_TRY(outcome.path,
          writer.Commit(experiment.dump(-1, ' ', false, json::error_handler_t::replace)));
  outcome.run = outcome.path / kImportedRun;
  Summarise(trace, outcome);
  return outcome;
}

}  // namespace xsp::evaluate
