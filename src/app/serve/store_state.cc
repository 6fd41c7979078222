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

/// A file's time is that of a clock that ticks every few milliseconds: what was changed so lately
/// may be changed again without another time.
constexpr std::chrono::milliseconds kTooLate(50);

/// When a file was changed last.
struct FileTime {
  long long value = 0;  ///< 0: there is no such file.
  bool is_recent = false;
};

FileTime TimeOf(const fs::path& path) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  if (error) return {};
  const auto age = fs::file_time_type::clock::now() - time;
  return {static_cast<long long>(time.time_since_epoch().count()),
          age < kTooLate && age > -kTooLate};
}

}  // namespace

Status StoreState::Look() {
  const auto now = std::chrono::steady_clock::now();
  if (!stamp_.empty() && now - looked_ < kLookAgain) return Ok{};
  stamp_.clear();
  experiments_.clear();
  std::error_code error;
  if (!fs::is_directory(store_, error))
    return Error{ErrorKind::kEnvironment, "the store is not there: " + store_.string(),
                 "Was it moved or removed? Restart the server with --store."};
  XSP_TRY(const std::vector<fs::path> folders, store::ExperimentFolders(store_));
  ++looks_;
  // The time of the store: baselines are files of it.
  std::string text = fmt::format("{} {}\n", changes_, TimeOf(store_).value);
  // Whatever changes an experiment renames a file into its folder, or writes experiment.json.
  for (const fs::path& folder : folders) {
    const FileTime own = TimeOf(folder);
    const FileTime description = TimeOf(folder / "experiment.json");
    const bool is_recent = own.is_recent || description.is_recent;
    std::string& stamp = experiments_[folder.filename().string()];
    stamp = fmt::format("{} {} {}", own.value, description.value, is_recent ? looks_ : 0);
    text += folder.filename().string() + " " + stamp + "\n";
  }
  stamp_ = os::Sha256(text).substr(0, 16);
  looked_ = now;
  return Ok{};
}

Result<std::string> StoreState::Stamp() {
  const std::lock_guard lock(mutex_);
  XSP_RETURN_IF_ERROR(Look());
  return stamp_;
}

Result<std::string> StoreState::StampOf(const std::vector<std::string>& experiments) {
  const std::lock_guard lock(mutex_);
  XSP_RETURN_IF_ERROR(Look());
  std::string text;
  for (const std::string& name : experiments) {
    const auto found = experiments_.find(name);
    if (found == experiments_.end()) return stamp_;
    text += name + " " + found->second + "\n";
  }
  return os::Sha256(text).substr(0, 16);
}

void StoreState::Changed() {
  const std::lock_guard lock(mutex_);
  ++changes_;
  stamp_.clear();
}

}  // namespace xsp::serve
