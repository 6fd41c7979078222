#include "capture/collect/cgroup_folders.h"

#include <sstream>
#include <string>

namespace xsp::collect {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMount = "sys/fs/cgroup";

/// The group's path below its mount, per controller of version 1 and "" for version 2.
std::string OwnPath(const MachineFiles& files, std::string_view controller) {
  std::istringstream lines(files.Text("proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    std::istringstream names(line.substr(first + 1, second - first - 1));
    std::string path = line.substr(second + 1);
    if (controller.empty() && first + 1 == second) return path;
    for (std::string name; std::getline(names, name, ',');) {
      if (name == controller) return path;
    }
  }
  return "";
}

}  // namespace

CgroupVersion VisibleCgroups(const MachineFiles& files) {
  if (!files.Exists(kMount) || !files.Exists("proc/self/cgroup")) return CgroupVersion::kNone;
  return files.Exists(fs::path(kMount) / "cgroup.controllers") ? CgroupVersion::kTwo
                                                               : CgroupVersion::kOne;
}

std::vector<fs::path> CgroupFolders(const MachineFiles& files, std::string_view controller) {
  const fs::path mount = controller.empty() ? fs::path(kMount) : fs::path(kMount) / controller;
  std::vector<fs::path> folders;
  const fs::path relative = fs::path(OwnPath(files, controller)).relative_path().lexically_normal();
  const bool inside = !relative.empty() && *relative.begin() != ".." && *relative.begin() != ".";
  for (fs::path at = inside ? relative : fs::path(); !at.empty(); at = at.parent_path()) {
    if (files.Exists(mount / at)) folders.push_back(mount / at);
  }
  folders.push_back(mount);
  return folders;
}

}  // namespace xsp::collect
