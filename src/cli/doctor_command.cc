#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/paths.h"
#include "base/subprocess.h"
#include "cli/command.h"
#include "cli/output.h"
#include "store/database.h"

namespace xsp::cli::doctor {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kWorkerPrefix = "xsp-worker-";
constexpr std::chrono::seconds kPatience{60};

/// One optional part: found, with version and path, or missing, with the command that installs it.
struct Part {
  std::string name;
  bool found;
  std::string version;
  std::string where;  // Path when found, else what to do.
};

/// Runs a program to its end.
Result<base::Completed> Ask(std::vector<std::string> argv) {
  base::SpawnOptions options;
  options.argv = std::move(argv);
  return base::RunToEnd(options, kPatience);
}

/// What `xsp-worker-X describe` says of itself.
Part DescribeWorker(const std::string& name, const fs::path& program) {
  Part part{"worker " + name, false, "", ""};
  const auto done = Ask({program.string(), "describe"});
  const json says = done.ok() ? json::parse(done.value().out, nullptr, false) : json();
  if (!says.is_object() || !says.contains("framework")) {
    part.where = fmt::format("{} does not answer `describe`: build it again with tools/build",
                             program.string());
    return part;
  }
  const json& framework = says["framework"];
  part.found = true;
  part.version =
      fmt::format("{} {}", framework.value("name", name), framework.value("version", ""));
  part.where = program.string();
  return part;
}

/// Workers that can be run, by name: the first of each name wins, as it does for `xsp run`.
std::vector<Part> Workers() {
  std::vector<Part> parts;
  std::set<std::string> seen;
  std::error_code error;
  for (const fs::path& folder : base::WorkerFolders()) {
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string file = entry.path().filename().string();
      if (!file.starts_with(kWorkerPrefix)) continue;
      const std::string name = file.substr(kWorkerPrefix.size());
      if (base::FindExecutable(file, {folder}) && seen.insert(name).second)
        parts.push_back(DescribeWorker(name, entry.path()));
    }
  }
  // Workers of the source tree that are not built say themselves what they lack.
  for (const auto& entry : fs::directory_iterator(base::DataRoot() / "workers", error)) {
    const std::string name = entry.path().filename().string();
    const fs::path asks = entry.path() / "requires.sh";
    if (seen.contains(name) || !fs::exists(asks, error)) continue;
    const auto done = Ask({asks.string()});
    std::string missing = done.ok() ? done.value().out : "tools/setup && tools/build";
    while (missing.ends_with('\n')) missing.pop_back();
    parts.push_back(
        {"worker " + name, false, "", missing.empty() ? "not built: tools/build" : missing});
  }
  return parts;
}

Part ZooPython() {
  constexpr const char* kAsk =
      "import importlib.metadata as m; print(m.version('torch'), m.version('torchvision'))";
  for (const std::string& python :
       {base::Environment("XSP_PYTHON").value_or("python3"), std::string("python3"),
        (base::DataRoot() / ".deps" / "python" / "bin" / "python").string()}) {
    const auto done = Ask({python, "-c", kAsk});
    if (!done.ok() || !done.value().exit.success()) continue;
    std::string versions = done.value().out;
    while (versions.ends_with('\n')) versions.pop_back();
    return {"model zoo (PyTorch, torchvision)", true, versions, python};
  }
  return {"model zoo (PyTorch, torchvision)", false, "", "tools/setup"};
}

Part ReportPage() {
  const fs::path page = base::DataRoot() / "web" / "dist" / "report.html";
  std::error_code error;
  const bool found = fs::exists(page, error);
  return {"report page", found, "", found ? page.string() : "tools/setup && tools/build"};
}

Part Engine() {
  const auto database = store::Database::OpenEmpty();
  const auto version = database.ok() ? database.value().Query("SELECT version() AS v")
                                     : Result<store::Table>(database.error());
  if (!version.ok()) return {"DuckDB", false, "", "tools/setup"};
  return {"DuckDB", true, std::get<std::string>(version.value().rows.at(0).at(0)), "linked"};
}

Result<int> Doctor(Format format) {
  std::vector<Part> parts = {Engine()};
  for (Part& worker : Workers()) parts.push_back(std::move(worker));
  parts.push_back(ZooPython());
  parts.push_back(ReportPage());
  store::Table table{{"part", "found", "version", "where_or_how"}, {}};
  for (const Part& part : parts) {
    store::Cell found = part.found;
    if (format == Format::kTable) found = std::string(part.found ? "found" : "missing");
    table.rows.push_back({part.name, found, part.version, part.where});
  }
  Print(table, {}, format);
  return 0;
}

Action Declare(CLI::App& app, const Session&) {
  auto format = std::make_shared<Format>(Format::kTable);
  AddFormatOption(app, format.get());
  return [format] { return Doctor(*format); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "doctor",
    .summary =
        "Every optional part: found (version, path) or missing (the command that installs it)",
    .example = "xsp doctor",
    .declare = Declare,
};

}  // namespace xsp::cli::doctor
