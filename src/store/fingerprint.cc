#include "store/fingerprint.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstddef>
#include <set>
#include <system_error>

#include "os/sha256.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kFingerprintDigits = 16;

/// "NAME SIZE TIME", or nothing for a file that is not there.
std::string SizeAndTimeOf(const fs::path& file) {
  struct stat state {};
  if (stat(file.c_str(), &state) != 0) return {};
  return fmt::format("{} {} {}.{:09}\n", file.filename().string(), state.st_size,
                     state.st_mtim.tv_sec, state.st_mtim.tv_nsec);
}

}  // namespace

std::string FingerprintOf(const fs::path& experiment) {
  std::set<std::string> states;  // In an order that the file system does not choose.
  std::error_code error;
  for (fs::directory_iterator it(experiment, error), end; !error && it != end;
       it.increment(error)) {
    const std::string extension = it->path().extension().string();
    if (extension == ".parquet" || extension == ".json") states.insert(SizeAndTimeOf(it->path()));
    std::error_code ignored;
    if (it->is_directory(ignored))
      states.insert(it->path().filename().string() + "/" + SizeAndTimeOf(it->path() / "run.json"));
  }
  std::string text = experiment.filename().string() + "\n";
  for (const std::string& state : states) text += state;
  return os::Sha256(text).substr(0, kFingerprintDigits);
}

}  // namespace xsp::store
