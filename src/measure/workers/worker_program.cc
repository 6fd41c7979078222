#include "measure/workers/worker_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "measure/models/model_format.h"
#include "measure/requests/experiment_request.h"
#include "measure/workers/known_descriptions.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::workers {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::string_view kPrefix = "xsp-worker-";
constexpr int kProtocol = 3, kOldestProtocol = 1;
/// Loading a framework's libraries from a cold disk takes its time.
constexpr auto kDescribeTimeout = std::chrono::seconds(120);
/// A page asks for a plan again and again while its form is filled.
constexpr auto kDescriptionAge = std::chrono::seconds(60);

decltype(WorkerProgram::switches) Switches(const json& document) {
  decltype(WorkerProgram::switches) switches;
  const auto it = document.find("switch");
  if (it == document.end() || !it->is_object()) return switches;
  for (const auto& [rung, granularity] : it->items()) {
    if (granularity == "call") switches[rung] = WorkerProgram::Switch::kCall;
    if (granularity == "process") switches[rung] = WorkerProgram::Switch::kProcess;
  }
  return switches;
}

std::vector<std::string> Strings(const json& object, const char* key) {
  std::vector<std::string> strings;
  const auto it = object.find(key);
  if (it == object.end() || !it->is_array()) return strings;
  for (const json& item : *it)
    if (item.is_string()) strings.push_back(item.get<std::string>());
  return strings;
}

std::string Text(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::string LastLine(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

bool Contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// Worker programs by name; the first folder wins, as with $PATH.
std::map<std::string, fs::path> WorkerFiles() {
  std::map<std::string, fs::path> files;
  for (const fs::path& folder : os::WorkerFolders()) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string file = it->path().filename().string();
      if (file.starts_with(kPrefix) && file.find('.') == std::string::npos &&
          os::FindExecutable(file, {folder}))
        files.emplace(file.substr(kPrefix.size()), it->path());
    }
  }
  return files;
}

std::string NamesOf(const std::map<std::string, fs::path>& files) {
  std::vector<std::string> names;
  for (const auto& [name, path] : files) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

constexpr const char* kHowToGetWorkers =
    "`tools/setup --backends=NAME && tools/build` installs a framework and builds its worker "
    "(PyTorch's comes without --backends); XSP_WORKER_PATH names folders with further workers; "
    "`xsp doctor` lists the installed ones.";

}  // namespace

std::string_view ToString(WorkerProgram::Switch granularity) {
  switch (granularity) {
    case WorkerProgram::Switch::kCall:
      return "call";
    case WorkerProgram::Switch::kBlock:
      return "block";
    case WorkerProgram::Switch::kProcess:
      return "process";
  }
  return "";
}

Result<WorkerProgram> DescribeWorker(const fs::path& program) {
  os::SpawnOptions options;
  options.argv = {program.string(), "describe"};
  XSP_TRY(const os::Completed done, os::RunToEnd(options, kDescribeTimeout));
  if (!done.exit.success()) {
    const std::string why = LastLine(done.stderr_tail);
    return Error{ErrorKind::kEnvironment,
                 fmt::format("worker cannot describe itself: {}: {}{}{}", program.string(),
                             os::ToString(done.exit), why.empty() ? "" : ": ", why),
                 "Its framework may have been moved or updated: `tools/build` rebuilds it."};
  }
  const json document = core::ParseJson(done.out);
  const auto broken = [&](std::string_view what) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("worker's description {}: {}", what, program.string()),
                 "See docs/worker-protocol.md."};
  };
  if (!document.is_object()) return broken("is not a JSON object");
  const json protocol = document.value("protocol", json());
  if (!protocol.is_number_integer() || protocol < kOldestProtocol || protocol > kProtocol)
    return broken(fmt::format("is not of protocol {} to {}", kOldestProtocol, kProtocol));

  WorkerProgram worker;
  worker.path = program;
  worker.name = Text(document, "worker");
  if (worker.name.empty()) return broken("has no name");
  const json framework = document.value("framework", json::object());
  if (framework.is_object()) {
    worker.framework = Text(framework, "name");
    const std::string version = Text(framework, "version");
    if (!version.empty()) worker.framework += " " + version;
  }
  if (worker.framework.empty()) worker.framework = worker.name;
  const json models = document.value("models", json::array());
  for (const json& model : models) {
    if (!model.is_object()) continue;
    if (std::string format = Text(model, "format"); !format.empty())
      worker.formats.push_back(std::move(format));
    for (std::string& extension : Strings(model, "extensions"))
      worker.extensions.push_back(std::move(extension));
  }
  worker.devices = Strings(document, "devices");
  for (const json& missing : document.value("missing_devices", json::array())) {
    if (missing.is_object())
      worker.missing_devices.emplace_back(Text(missing, "device"), Text(missing, "why"));
  }
  worker.graphs = Strings(document, "graphs");
  worker.precisions = Strings(document, "precisions");
  worker.rungs = Strings(document, "rungs");
  worker.protocol = protocol.get<int>();
  worker.switches = Switches(document);
  worker.description = core::JsonText(document);
  return worker;
}

namespace {

/// A worker goes by the name it is found by, whatever it calls itself: two builds of one framework
/// can stand side by side.
Result<WorkerProgram> DescribeAs(const std::string& name, const fs::path& path) {
  static KnownDescriptions known(kDescriptionAge);
  XSP_TRY(WorkerProgram worker, known.Describe(path));
  worker.name = name;
  return worker;
}

}  // namespace

WorkerList ListWorkers() {
  WorkerList list;
  for (const auto& [name, path] : WorkerFiles()) {
    auto worker = DescribeAs(name, path);
    if (worker.ok()) {
      list.workers.push_back(std::move(worker).value());
    } else {
      list.broken.emplace_back(name, worker.error());
    }
  }
  return list;
}

Result<fs::path> FindWorkerFile(const std::string& name) {
  const std::map<std::string, fs::path> files = WorkerFiles();
  const auto it = files.find(name);
  if (it != files.end()) return it->second;
  return Error{ErrorKind::kNotPossible,
               fmt::format("no worker for backend {} (found: {})", name, NamesOf(files)),
               kHowToGetWorkers};
}

Result<WorkerProgram> FindWorker(const std::string& name) {
  XSP_TRY(const fs::path file, FindWorkerFile(name));
  return DescribeAs(name, file);
}

std::vector<WorkerProgram> WorkersFor(const fs::path& model,
                                      const std::vector<WorkerProgram>& workers) {
  const models::ModelFormat format = models::FormatOfModel(model);
  const std::string extension = model.extension().string();
  std::vector<WorkerProgram> takers;
  for (const WorkerProgram& worker : workers) {
    const bool takes = !format.name.empty() ? Contains(worker.formats, format.name)
                                            : Contains(worker.extensions, extension);
    if (takes && format.what.empty())
      takers.insert(worker.name == format.own_worker ? takers.begin() : takers.end(), worker);
  }
  return takers;
}

Result<WorkerProgram> ChooseWorker(const fs::path& model, const std::string& framework) {
  if (!framework.empty()) return FindWorker(framework);
  const WorkerList list = ListWorkers();
  if (auto takers = WorkersFor(model, list.workers); !takers.empty()) return takers.front();
  const models::ModelFormat format = models::FormatOfModel(model);
  if (!format.what.empty())
    return Error{
        ErrorKind::kBadInput,
        fmt::format("no framework runs this file, it is {}: {}", format.what, model.string()),
        format.advice};
  std::string broken;
  for (const auto& [name, error] : list.broken) broken += fmt::format("; {}", error.what);
  std::vector<std::string> known;
  for (const WorkerProgram& worker : list.workers)
    known.push_back(fmt::format("{} ({})", worker.name, fmt::join(worker.extensions, " ")));
  const std::string extension = model.extension().string();
  const std::string what = !format.name.empty() ? format.name
                           : extension.empty()  ? std::string("such")
                                                : extension;
  const std::string hint =
      known.empty() ? kHowToGetWorkers
      : !format.own_worker.empty()
          ? fmt::format("`tools/setup --backends={} && tools/build` adds one.", format.own_worker)
          : "Name the worker with --backend if the file is one of its formats.";
  return Error{
      ErrorKind::kNotPossible,
      fmt::format("no installed worker reads {} files: {} (found: {}{})", what, model.string(),
                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")), broken),
      hint};
}

Result<std::vector<std::string>> ChooseRungs(const WorkerProgram& worker, const std::string& depth,
                                             bool only) {
  const std::string deepest = depth.empty() ? "kernel" : depth;
  const auto is_depth = [&](const char* known) { return deepest == known; };
  if (std::none_of(std::begin(requests::kDepths), std::end(requests::kDepths), is_depth)) {
    return Error{ErrorKind::kUsage, fmt::format("no such depth: {}", deepest),
                 fmt::format("Depths are {}.", fmt::join(requests::kDepths, ", "))};
  }
  if (!depth.empty() && !Contains(worker.rungs, depth)) {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("worker {} has no rung {} (it has {})", worker.name, depth,
                             fmt::join(worker.rungs, ", ")),
                 "Choose one of these with --depth."};
  }
  if (only) return std::vector<std::string>{deepest};
  std::vector<std::string> rungs;
  for (const char* rung : requests::kDepths) {
    if (Contains(worker.rungs, rung)) rungs.push_back(rung);
    if (deepest == rung) break;
  }
  if (rungs.empty()) {
    return Error{ErrorKind::kNotPossible, fmt::format("worker {} offers no rung", worker.name), ""};
  }
  const bool sees_layers = std::any_of(rungs.begin(), rungs.end(),
                                       [](const std::string& rung) { return rung != "model"; });
  if (sees_layers && Contains(worker.rungs, "details")) rungs.push_back("details");
  return rungs;
}

}  // namespace xsp::workers
