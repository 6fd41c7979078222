#include "store/object_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/json_text.h"
#include "os/parallel.h"
#include "os/sha256.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::int64_t kIndexVersion = 1;
constexpr std::array<std::pair<ObjectIndex::State, std::string_view>, 3> kStates = {
    {{ObjectIndex::State::kWriting, "writing"},
     {ObjectIndex::State::kPublished, "published"},
     {ObjectIndex::State::kRemoving, "removing"}}};

Error Damaged(std::string_view what) {
  return {ErrorKind::kBadInput, fmt::format("the index of an experiment is damaged: {}", what),
          "`xsp store check` makes it again from the experiment."};
}

std::string TextOf(const json& object, const char* key) {
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

}  // namespace

bool IsPlainPath(std::string_view path) {
  if (path.empty()) return false;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part.starts_with('.') || part.find('\0') != std::string_view::npos)
      return false;
    if (end + 1 == path.size()) return false;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

std::string IndexKeyOf(std::string_view experiment) {
  return fmt::format(".index/{}.json", experiment);
}

std::string IndexText(const ObjectIndex& index) {
  json object = {{"format_version", kIndexVersion}, {"time", index.time}};
  for (const auto& [state, name] : kStates)
    if (state == index.state) object["state"] = name;
  if (!index.writer.empty()) object["writer"] = index.writer;
  if (index.state == ObjectIndex::State::kPublished) {
    object["summary"] = index.summary;
    object["experiment"] = index.experiment;
    json& files = object["files"] = json::array();
    for (const IndexedFile& file : index.files)
      files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return core::JsonText(object) + "\n";
}

Result<ObjectIndex> ReadIndex(std::string_view text) {
  const json object = core::ParseJson(text);
  if (!object.is_object()) return Damaged("no JSON object");
  const auto version = object.find("format_version");
  if (version == object.end() || !version->is_number_integer()) return Damaged("no version");
  if (version->get<std::int64_t>() > kIndexVersion)
    return Error{ErrorKind::kBadInput,
                 fmt::format("the index of an experiment was written by a newer XSP: version {}",
                             version->dump()),
                 "Use that version of XSP."};
  ObjectIndex index;
  index.writer = TextOf(object, "writer");
  index.time = TextOf(object, "time");
  const std::string state = TextOf(object, "state");
  const auto known = std::ranges::find(kStates, state, &decltype(kStates)::value_type::second);
  if (known == kStates.end()) return Damaged("an unknown state");
  index.state = known->first;
  if (index.state != ObjectIndex::State::kPublished) return index;
  const auto summary = object.find("summary"), experiment = object.find("experiment"),
             files = object.find("files");
  if (summary == object.end() || !summary->is_object() || experiment == object.end() ||
      !experiment->is_string() || files == object.end() || !files->is_array())
    return Damaged("a part is missing");
  index.summary = *summary;
  index.experiment = experiment->get<std::string>();
  for (const json& one : *files) {
    const bool has_size =
        one.is_object() && one.contains("bytes") && one["bytes"].is_number_unsigned();
    IndexedFile file{one.is_object() ? TextOf(one, "path") : "", 0, ""};
    if (!has_size || !IsPlainPath(file.path)) return Damaged("a file");
    file.bytes = one["bytes"].get<std::uint64_t>();
    file.sha256 = TextOf(one, "sha256");
    index.files.push_back(std::move(file));
  }
  return index;
}

Result<std::vector<IndexedFile>> ListFiles(const fs::path& folder) {
  std::vector<IndexedFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename().string().starts_with('.')) {
      it.disable_recursion_pending();
      continue;
    }
    std::error_code of_file;
    if (!it->is_regular_file(of_file)) continue;
    files.push_back(
        {it->path().lexically_relative(folder).generic_string(), it->file_size(of_file), ""});
  }
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot read the folder {}: {}", folder.string(), error.message()),
                 ""};
  std::ranges::sort(files, {}, &IndexedFile::path);
  return files;
}

Result<std::vector<IndexedFile>> FilesBelow(const fs::path& folder) {
  XSP_TRY(std::vector<IndexedFile> files, ListFiles(folder));
  XSP_RETURN_IF_ERROR(os::ForEach(files.size(), [&](std::size_t i) -> Status {
    XSP_TRY(files[i].sha256, os::Sha256OfFile(folder / files[i].path));
    return Ok{};
  }));
  return files;
}

}  // namespace xsp::store
