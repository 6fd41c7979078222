#include "api/operations/stack_capture.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "capture/collect/collector.h"
#include "capture/collect/run_facts.h"
#include "capture/collect/stack.h"
#include "core/json_text.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/directory.h"

namespace xsp::api {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Error NoStack(std::string_view where, std::string hint) {
  return {ErrorKind::kBadInput, fmt::format("no stack is stored in {}", where), std::move(hint)};
}

/// What a run's worker said of its framework and libraries: "backend.torch.framework.version".
void AddBackend(const json& run, std::vector<collect::Fact>& facts) {
  for (collect::Fact& fact : collect::BackendOf(run)) facts.push_back(std::move(fact));
}

Result<StackCapture> ReadFileCapture(const fs::path& path) {
  XSP_TRY(const std::string text, os::ReadFile(path));
  const json document = core::ParseJson(text);
  constexpr const char* kHint = "`xsp system --no-roofs --format json` writes one.";
  if (!document.is_object()) {
    return Error{ErrorKind::kBadInput, fmt::format("not a JSON object: {}", path.string()), kHint};
  }
  StackCapture capture{path.string(), "file", collect::StackOf(document)};
  if (capture.facts.empty()) return NoStack(path.string(), kHint);
  AddBackend(document, capture.facts);
  return capture;
}

/// run.json of the run, or of every run of the experiment, that can be read.
std::vector<json> RunDocuments(const store::Directory& directory) {
  if (directory.kind == store::Directory::Kind::kRun) return {directory.json};
  std::vector<json> documents;
  for (const store::RunFolder& run : directory.runs) {
    auto inspected = store::Inspect(run.path);
    if (inspected.ok()) documents.push_back(std::move(inspected.value().json));
  }
  return documents;
}

}  // namespace

Result<StackCapture> ReadStackCapture(const fs::path& store, std::string_view argument) {
  std::error_code error;
  if (fs::is_regular_file(argument, error)) return ReadFileCapture(argument);
  if (argument.ends_with(".json")) {
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", argument),
                 "Name a file that `xsp system --format json` wrote, an experiment or a run."};
  }
  XSP_TRY(const fs::path folder, store::Resolve(store, argument));
  XSP_TRY(const store::Directory directory, store::Inspect(folder));
  const bool run = directory.kind == store::Directory::Kind::kRun;
  const std::string name = folder.lexically_normal().filename().string();
  const std::string above = folder.lexically_normal().parent_path().filename().string();
  StackCapture capture{run ? above + "/" + name : name, run ? "run" : "experiment", {}};
  const std::vector<json> documents = RunDocuments(directory);
  // One capture is made for an experiment and stored with each of its runs.
  for (const json& document : documents) {
    if (capture.facts.empty()) capture.facts = collect::StackOf(document);
  }
  if (capture.facts.empty()) {
    return NoStack(folder.string(), "Imported runs have none: they may come from another machine.");
  }
  for (const json& document : documents) AddBackend(document, capture.facts);
  return capture;
}

StackCapture CaptureThisMachine() {
  return {"now", "machine", collect::CaptureStack(collect::AllCollectors())};
}

}  // namespace xsp::api
