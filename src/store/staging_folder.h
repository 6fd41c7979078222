#ifndef XSP_STORE_STAGING_FOLDER_H_
#define XSP_STORE_STAGING_FOLDER_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::store {

// What ExperimentWriter does to the file system. Errors: kEnvironment with the path and, where the
// disk is full or the store not writable, what to do.

/// A name that is one safe path component: letters, digits and "._-+=@,"; anything else becomes
/// '-'. Never empty, never hidden, at most 120 bytes.
std::string SafeName(std::string_view name);

/// A hidden name to write `name` under, of this process and host: ".NAME.tmp-HOST-PID-N". Each call
/// returns another. Threading: any thread.
std::string TemporaryName(std::string_view name);

/// Temporary folders of processes of this host that are no more. Others are left alone, since a
/// shared store holds those of other hosts.
std::vector<std::filesystem::path> StaleFolders(const std::filesystem::path& store);

/// Removes StaleFolders().
void RemoveStaleFolders(const std::filesystem::path& store);

/// Creates `path` and its parents.
Status MakeFolder(const std::filesystem::path& path);

/// Writes a new or existing file and syncs it.
Status WriteFile(const std::filesystem::path& path, std::string_view text);

/// Copies `file` into `folder`, under a name that is free there. Errors: kBadInput when `file`
/// cannot be read.
Status CopyInto(const std::filesystem::path& file, const std::filesystem::path& folder);

/// Syncs every file and folder below `folder`, several at once, so that a power cut cannot leave
/// half of it.
Status SyncTree(const std::filesystem::path& folder);

/// Renames `from` to `to` in one step. False: `to` exists.
Result<bool> MoveIntoPlace(const std::filesystem::path& from, const std::filesystem::path& to);

/// What to do when writing `path` failed.
std::string SpaceHint(const std::filesystem::path& path);

}  // namespace xsp::store

#endif  // XSP_STORE_STAGING_FOLDER_H_
