#include "app/serve/store_state.h"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "os/sha256.h"
#include "store/catalogue.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookAgain(500);

/// 0: there is no such file.
long long TimeOf(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return error ? 0 : static_cast<long long>(time.time_since_epoch().count());
}

}  // namespace

Result<std::string> StoreState::Stamp() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (!stamp_.empty() && now - looked_ < kLookAgain) return stamp_;
  std::error_code error;
  if (!fs::is_directory(store_, error)) {
    stamp_.clear();
    return Error{ErrorKind::kEnvironment, "the store is not there: " + store_.string(),
                 "Was it moved or removed? Restart the server with --store."};
  }
  XSP_TRY(const std::vector<fs::path> folders, store::ExperimentFolders(store_));
  // The time of the store: baselines are files of it.
  std::string text = fmt::format("{} {}\n", changes_, TimeOf(store_));
  // Whatever changes an experiment renames a file into its folder, or writes experiment.json.
  for (const fs::path& folder : folders)
    text += fmt::format("{} {} {}\n", folder.filename().string(), TimeOf(folder),
                        TimeOf(folder / "experiment.json"));
  stamp_ = os::Sha256(text).substr(0, 16);
  looked_ = now;
  return stamp_;
}

void StoreState::Changed() {
  const std::lock_guard lock(mutex_);
  ++changes_;
  stamp_.clear();
}

}  // namespace xsp::serve
