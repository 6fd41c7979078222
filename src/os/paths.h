#ifndef XSP_OS_PATHS_H_
#define XSP_OS_PATHS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::os {

/// The folder that holds analyses/, findings/, levels/, zoo/, schema/ and web/dist/: $XSP_HOME,
/// else the installed
/// `<prefix>/share/xsp` of the running program, else the source tree it was built from.
std::filesystem::path DataRoot();

/// What a user of an installed XSP needs beside `hint`: where tools/setup and tools/build are, if
/// it names one of them. Empty: it names none, or DataRoot() is the source tree that has them.
std::string SourceTreeHint(std::string_view hint);

/// The folder of the running program.
std::filesystem::path ExecutableFolder();

/// Where XSP keeps what it can make again (zoo models, measured roofs): $XSP_CACHE, else
/// $XDG_CACHE_HOME/xsp, else ~/.cache/xsp. Not created here.
std::filesystem::path CacheFolder();

/// The default store: $XSP_STORE, else ./xsp-store.
std::filesystem::path DefaultStore();

/// Folders in which worker programs are looked for, in order: $XSP_WORKER_PATH (colon-separated),
/// the running program's folder, `<prefix>/libexec/xsp`, then $PATH.
std::vector<std::filesystem::path> WorkerFolders();

/// The first executable `name` in `folders`, or nothing.
std::optional<std::filesystem::path> FindExecutable(
    std::string_view name, const std::vector<std::filesystem::path>& folders);

/// The value of the environment variable `name`, or nothing when unset or empty.
std::optional<std::string> Environment(const char* name);

}  // namespace xsp::os

#endif  // XSP_OS_PATHS_H_
