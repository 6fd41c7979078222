#include "measure/models/python_modules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::models {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto kTimeout = std::chrono::minutes(2);
constexpr std::size_t kOutputLimitBytes = 1 << 20;

/// Prints the version of each module that it is given the name of: "" where it is unknown, null
/// where there is no such module. A folder of that name which happens to be here is none.
constexpr const char* kLook = R"(
import importlib.metadata as metadata, importlib.util as util, json, sys
sys.path = [folder for folder in sys.path if folder]
def version(distribution):
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""
def look(module):
    try:
        found = util.find_spec(module)
    except Exception:
        found = None
    if found is None or found.origin is None:
        return None
    distributions = getattr(metadata, "packages_distributions", dict)
    return version(module) or next(map(version, distributions().get(module, [])), "")
print(json.dumps({module: look(module) for module in sys.argv[1:]})))";

/// What `python` prints that is given a program and arguments; nothing: it does not run, or fails.
Result<std::optional<std::string>> Run(const std::string& python, const std::string& program,
                                       const std::vector<std::string>& arguments, int wake_fd) {
  os::SpawnOptions options;
  options.argv = {python, "-c", program};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  auto done = os::RunToEnd(options, kTimeout, kOutputLimitBytes, wake_fd);
  if (!done.ok() && done.error().kind == ErrorKind::kInterrupted) return done.error();
  if (!done.ok() || !done.value().exit.success()) return std::optional<std::string>();
  return std::optional(std::move(done.value().out));
}

}  // namespace

std::vector<std::string> PythonCandidates() {
  std::vector<std::string> candidates;
  if (auto chosen = os::Environment("XSP_PYTHON")) candidates.push_back(*chosen);
  candidates.push_back("python3");
  std::vector<std::string> installed;
  std::error_code error;
  for (fs::directory_iterator it(os::DataRoot() / ".deps", error), end; !error && it != end;
       it.increment(error)) {
    const fs::path python = it->path() / "bin" / "python";
    std::error_code ignored;
    if (fs::exists(python, ignored)) installed.push_back(python.string());
  }
  std::sort(installed.begin(), installed.end());
  for (std::string& python : installed)
    if (python != candidates.front()) candidates.push_back(std::move(python));
  return candidates;
}

Result<std::optional<PythonModules>> LookForModules(const std::string& python,
                                                    const std::vector<std::string>& modules,
                                                    int wake_fd) {
  XSP_TRY(const std::optional<std::string> out, Run(python, kLook, modules, wake_fd));
  const json found = out ? core::ParseJson(*out) : json();
  if (!found.is_object()) return std::optional<PythonModules>();
  PythonModules versions;
  for (const std::string& module : modules) {
    const auto it = found.find(module);
    const bool is_there = it != found.end() && it->is_string();
    versions[module] = is_there ? std::optional(it->get<std::string>()) : std::nullopt;
  }
  return std::optional(std::move(versions));
}

Result<bool> CanImport(const std::string& python, const std::vector<std::string>& modules,
                       int wake_fd) {
  if (modules.empty()) return true;
  const std::string program = fmt::format("import {}", fmt::join(modules, ", "));
  XSP_TRY(const std::optional<std::string> out, Run(python, program, {}, wake_fd));
  return out.has_value();
}

}  // namespace xsp::models
