#include "store/mirror.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/sha256.h"
#include "store/mirrored_store.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::int64_t kMirrorVersion = 1;
constexpr std::size_t kNameDigits = 16;

fs::path MirrorsFolder() {
  if (const auto folder = os::Environment("XSP_MIRRORS")) return *folder;
  if (const auto folder = os::Environment("XDG_DATA_HOME"))
    return fs::path(*folder) / "xsp" / "stores";
  return fs::path(os::Environment("HOME").value_or("/")) / ".local" / "share" / "xsp" / "stores";
}

/// The experiment that `folder` is or lies in, if that is a mirrored one.
std::optional<fs::path> MirroredExperiment(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / kMirroredFile, error)) return folder;
  const fs::path parent = folder.parent_path();
  if (fs::exists(parent / kMirroredFile, error)) return parent;
  return std::nullopt;
}

}  // namespace

Result<fs::path> OpenMirror(const objects::S3Address& address) {
  // Buckets of one name at two servers are two stores.
  const std::string endpoint = os::Environment("AWS_ENDPOINT_URL_S3")
                                   .value_or(os::Environment("AWS_ENDPOINT_URL").value_or(""));
  const std::string id = os::Sha256(endpoint + " " + address.url()).substr(0, kNameDigits);
  const fs::path folder = MirrorsFolder() / fmt::format("{}-{}", SafeName(address.bucket), id);
  XSP_RETURN_IF_ERROR(MakeFolder(folder));
  const json object = {{"format_version", kMirrorVersion}, {"url", address.url()}};
  std::error_code error;
  if (!fs::exists(folder / kMirrorFile, error))
    XSP_RETURN_IF_ERROR(WriteFile(folder / kMirrorFile, core::JsonText(object, 2) + "\n"));
  return folder;
}

Result<fs::path> OpenStore(const std::string& place) {
  if (!objects::IsS3Address(place)) return fs::path(place);
  XSP_TRY(const objects::S3Address address, objects::ParseS3Address(place));
  return OpenMirror(address);
}

std::optional<std::string> MirroredUrl(const fs::path& store) {
  std::error_code error;
  if (!fs::exists(store / kMirrorFile, error)) return std::nullopt;
  const auto text = os::ReadFile(store / kMirrorFile, 1 << 16);
  const json object = text.ok() ? core::ParseJson(text.value()) : json();
  const bool has_url = object.is_object() && object.contains("url") && object["url"].is_string();
  return has_url ? std::optional(object["url"].get<std::string>()) : std::nullopt;
}

Status RefreshMirror(const fs::path& store) {
  XSP_TRY(const auto mirror, MirroredStore::Of(store));
  return mirror ? mirror->Refresh() : Status(Ok{});
}

Status Fetch(const fs::path& folder, const WantedFiles& wanted) {
  const auto experiment = MirroredExperiment(folder);
  if (!experiment) return Ok{};
  XSP_TRY(const auto mirror, MirroredStore::Of(experiment->parent_path()));
  return mirror ? mirror->FetchFiles(*experiment, wanted) : Status(Ok{});
}

Status FetchFolder(const fs::path& folder) {
  const auto experiment = MirroredExperiment(folder);
  if (!experiment) return Ok{};
  if (folder == *experiment) return Fetch(folder, [](std::string_view) { return true; });
  const std::string run = folder.filename().string() + "/";
  return Fetch(folder, [&](std::string_view path) {
    return path.starts_with(run) || path.find('/') == std::string_view::npos;
  });
}

Status RemoveFromMirror(const fs::path& store, std::string_view name) {
  if (!MirroredUrl(store)) return Ok{};
  XSP_RETURN_IF_ERROR(MakeFolder(store / kRemovedFolder));
  return WriteFile(store / kRemovedFolder / name, "");
}

Result<Pushed> PushMirror(const fs::path& store) {
  XSP_TRY(const auto mirror, MirroredStore::Of(store));
  if (!mirror) return Pushed{};
  return mirror->Push();
}

std::vector<std::string> UnpushedExperiments(const fs::path& store) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(store, error), end; !error && it != end; it.increment(error)) {
    std::error_code of_entry;
    const std::string name = it->path().filename().string();
    const bool is_new = !name.starts_with('.') && it->is_directory(of_entry) &&
                        fs::exists(it->path() / "experiment.json", of_entry) &&
                        !fs::exists(it->path() / kMirroredFile, of_entry);
    if (is_new) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace xsp::store
