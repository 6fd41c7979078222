#include "capture/collect/container/container.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <sstream>

namespace xsp::collect::container {

namespace {

/// A kind, and the mark that gave it away.
struct Sign {
  std::string kind;
  std::string mark;
};

/// What engines call the groups of their containers. Docker's own service runs in "docker.service":
/// that is no container.
constexpr std::pair<const char*, const char*> kGroups[] = {
    {"/kubepods", "kubernetes"}, {"/docker/", "docker"}, {"/docker-", "docker"},
    {"/libpod", "podman"},       {"/lxc/", "lxc"},       {"/lxc.payload", "lxc"}};

/// What an engine calls itself: the kinds of systemd's container interface
/// (systemd.io/CONTAINER_INTERFACE) are short words. Anything else is not stored.
std::string Kind(std::string_view said) {
  const bool word = !said.empty() && said.size() <= 32 &&
                    said.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == said.npos;
  return word ? std::string(said) : "";
}

/// The variable `container` that the engine gave to the first process. Nothing: not readable.
std::optional<std::string> SaidByInit(const MachineFiles& files) {
  if (const auto text = files.Text("run/systemd/container")) return Kind(*text);
  if (const auto text = files.Text("run/host/container-manager")) return Kind(*text);
  const auto variables = files.Text("proc/1/environ");
  if (!variables) return std::nullopt;
  std::istringstream stream(*variables);
  for (std::string variable; std::getline(stream, variable, '\0');) {
    if (variable.starts_with("container=")) return Kind(variable.substr(10));
  }
  return "";
}

/// Of all marks, those that name the engine first.
std::vector<Sign> Signs(const MachineFiles& files, const HasVariable& has_variable,
                        const std::optional<std::string>& init) {
  std::vector<Sign> signs;
  if (init && !init->empty()) signs.push_back({*init, "the first process's variable container"});
  if (files.Exists("run/.containerenv")) signs.push_back({"podman", "/run/.containerenv"});
  if (has_variable("APPTAINER_CONTAINER") || has_variable("SINGULARITY_CONTAINER")) {
    signs.push_back({"apptainer", "its environment variable"});
  } else if (files.Exists(".singularity.d")) {
    signs.push_back({"apptainer", "/.singularity.d"});
  }
  if (files.Exists(".dockerenv")) signs.push_back({"docker", "/.dockerenv"});
  const std::string groups = files.Text("proc/self/cgroup").value_or("");
  for (const auto& [path, kind] : kGroups) {
    if (groups.find(path) != groups.npos) signs.push_back({kind, "the path of its control group"});
  }
  if (has_variable("KUBERNETES_SERVICE_HOST")) {
    signs.push_back({"kubernetes", "KUBERNETES_SERVICE_HOST"});
  }
  return signs;
}

/// "overlay" or "ext4": what the root folder lies on. Reading a model through layers costs.
std::string RootFileSystem(const MachineFiles& files) {
  std::istringstream lines(files.Text("proc/self/mountinfo").value_or(""));
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    // "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [TAGS] - TYPE SOURCE OPTIONS" (proc(5)).
    std::istringstream words(line);
    std::string skipped, point;
    words >> skipped >> skipped >> skipped >> skipped >> point;
    const auto separator = line.find(" - ");
    if (point != "/" || separator == line.npos) continue;
    std::istringstream rest(line.substr(separator + 3));
    rest >> found;  // The last one mounted is the one that is seen.
  }
  return found;
}

std::vector<Fact> CollectHere() {
  return Collect(MachineFiles(), [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files, const HasVariable& has_variable) {
  constexpr const char* kNoSign = "no mark of a container is visible";
  const std::optional<std::string> init = SaidByInit(files);
  const std::vector<Sign> signs = Signs(files, has_variable, init);
  std::vector<std::string> marks;
  bool kubernetes = false;
  for (const Sign& sign : signs) {
    marks.push_back(fmt::format("{} ({})", sign.kind, sign.mark));
    kubernetes = kubernetes || sign.kind == "kubernetes";
  }
  FactSheet sheet("container");
  sheet.Add("kind", signs.empty() ? "none seen" : signs.front().kind);
  sheet.Add("signs", fmt::format("{}", fmt::join(marks, ", ")), kNoSign);
  sheet.Add("kubernetes", std::string(kubernetes ? "yes" : "none seen"));
  const std::string said = !init ? "" : init->empty() ? "none" : *init;
  sheet.Add("said_by_init", said, "the first process's environment is not readable here");
  sheet.Add("root_file_system", RootFileSystem(files), "/proc/self/mountinfo is not readable");
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "container",
    .summary = "Whether this process runs in a container, and of which kind",
    .collect = CollectHere};

}  // namespace xsp::collect::container
