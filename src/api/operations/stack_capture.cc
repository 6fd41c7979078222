#include "api/operations/stack_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "capture/collect/collector.h"
#include "capture/collect/stack.h"
#include "capture/collect/stack_difference.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/directory.h"

namespace xsp::api {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Families of a recording's facts that tell of the job and how it went, not of the software.
constexpr std::string_view kOfTheJob[] = {"job",     "warmup", "inputs", "outputs",
                                          "dataset", "error",  "worker", "cpu_capture"};

Error NoStack(std::string_view where, std::string hint) {
  return {ErrorKind::kBadInput, fmt::format("no stack is stored in {}", where), std::move(hint)};
}

/// What a run's worker said of its framework and libraries: "backend.torch.framework.version".
void AddBackend(const json& run, std::vector<collect::Fact>& facts) {
  const json said = run.value("facts", json::object());
  if (!said.is_object()) return;
  const auto worker = said.find("worker.name");
  if (worker == said.end() || !worker->is_string()) return;
  const std::string prefix = worker->get<std::string>() + ".";
  for (const auto& [key, value] : said.items()) {
    const std::string_view family = std::string_view(key).substr(0, key.find('.'));
    const bool of_the_job =
        std::find(std::begin(kOfTheJob), std::end(kOfTheJob), family) != std::end(kOfTheJob);
    if (of_the_job || !value.is_string()) continue;
    const std::string text = value.get<std::string>();
    // Several lines are a framework's whole build log: what matters in it is a fact of its own.
    if (text.empty() || text.find('\n') != text.npos) continue;
    const std::string name = key.starts_with(prefix) ? key.substr(prefix.size()) : key;
    facts.push_back({fmt::format("backend.{}{}", prefix, name), text, ""});
  }
}

/// The stack in `document`, an object with a member "stack". Empty: it has none.
std::vector<collect::Fact> FactsOf(const json& document) {
  const auto stack = document.find("stack");
  return stack == document.end() ? std::vector<collect::Fact>() : collect::FromJson(*stack);
}

Result<StackCapture> ReadFileCapture(const fs::path& path) {
  XSP_TRY(const std::string text, os::ReadFile(path));
  const json document = json::parse(text, nullptr, false);
  constexpr const char* kHint = "`xsp system --no-roofs --format json` writes one.";
  if (!document.is_object()) {
    return Error{ErrorKind::kBadInput, fmt::format("not a JSON object: {}", path.string()), kHint};
  }
  StackCapture capture{path.string(), "file", FactsOf(document)};
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
    if (capture.facts.empty()) capture.facts = FactsOf(document);
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
