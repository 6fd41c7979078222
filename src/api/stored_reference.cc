#include "api/stored_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "core/nearest_word.h"
#include "store/catalogue.h"

namespace xsp::api {
namespace {

constexpr std::size_t kNearestStored = 3;

/// EXPERIMENT or EXPERIMENT/RUN, without the selector of points.
std::string_view NameIn(std::string_view text) { return text.substr(0, text.rfind('#')); }

bool HasControlCharacter(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// Whether a part between slashes is "..", which in a selector would lead out of a folder with a #.
bool GoesUp(std::string_view text) {
  while (true) {
    const std::size_t slash = text.find('/');
    if (text.substr(0, slash) == "..") return true;
    if (slash == std::string_view::npos) return false;
    text.remove_prefix(slash + 1);
  }
}

}  // namespace

bool NamesStored(std::string_view text) {
  if (HasControlCharacter(text) || GoesUp(text)) return false;
  const std::string_view name = NameIn(text);
  if (name.empty()) return text.empty();
  // Hidden folders of a store are being written.
  if (name.starts_with('.') || name.starts_with('/') || name.ends_with('/')) return false;
  return std::ranges::count(name, '/') <= 1;
}

Status CheckStored(const std::filesystem::path& store, std::string_view text) {
  if (!NamesStored(text))
    return Error{ErrorKind::kUsage, fmt::format("not a name in the store: {}", text),
                 "Give EXPERIMENT, EXPERIMENT/RUN or latest, no path."};
  const std::string_view name = NameIn(text);
  if (name.empty() || name == "latest") return Ok{};
  std::error_code error;
  if (std::filesystem::is_directory(store / name, error)) return Ok{};
  XSP_TRY(const std::vector<std::filesystem::path> folders, store::ExperimentFolders(store));
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : folders) names.push_back(folder.filename().string());
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto nearest = core::NearestWords(name, known, kNearestStored);
  return Error{ErrorKind::kBadInput, fmt::format("nothing in the store is named so: {}", name),
               nearest.empty()
                   ? "The store is empty."
                   : fmt::format("The nearest names are: {}.", fmt::join(nearest, ", "))};
}

}  // namespace xsp::api
