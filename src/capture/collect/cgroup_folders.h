#ifndef XSP_CAPTURE_COLLECT_CGROUP_FOLDERS_H_
#define XSP_CAPTURE_COLLECT_CGROUP_FOLDERS_H_

#include <filesystem>
#include <string_view>
#include <vector>

#include "capture/collect/machine_files.h"

namespace xsp::collect {

/// Whether control groups are visible, and of which version.
enum class CgroupVersion { kNone, kOne, kTwo };
CgroupVersion VisibleCgroups(const MachineFiles& files);

/// The folder of this process's group for `controller` and those of the groups above it, up to the
/// mount, relative to the root of `files`. Version 2 has one tree for all: give it "". Inside a
/// container the stated path may be the host's and not there: then the mount alone, which is the
/// container's own group.
std::vector<std::filesystem::path> CgroupFolders(const MachineFiles& files,
                                                 std::string_view controller);

}  // namespace xsp::collect

#endif  // XSP_CAPTURE_COLLECT_CGROUP_FOLDERS_H_
