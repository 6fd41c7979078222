#include <fmt/format.h>

#include <chrono>
#include <map>
#include <set>

#include "core/clock_text.h"
#include "store/mirrored_store.h"
#include "store/store_check.h"

namespace xsp::store {

using objects::ObjectInfo;
using objects::ObjectText;

namespace {

constexpr std::chrono::hours kLongAgo{24};

/// Whether the time of a claim is more than a day ago; one that cannot be read is.
bool IsLongAgo(const std::string& time) {
  const auto before = std::chrono::system_clock::now() - kLongAgo;
  return time < core::Rfc3339(std::chrono::system_clock::to_time_t(before));
}

}  // namespace

Status MirroredStore::CheckObjects(bool repair, std::vector<StoreProblem>& problems) {
  // What an experiment without an index needs is made by the refresh.
  XSP_RETURN_IF_ERROR(Refresh(Look::kAtAll));
  for (const std::string& name : UnpushedExperiments(folder_))
    problems.push_back({name, "is only here: xsp store push publishes it", false});
  XSP_TRY(const std::vector<ObjectInfo> all, client_->List(""));
  std::map<std::string, std::map<std::string, std::uint64_t>> files;  // By experiment and path.
  std::set<std::string> names;
  for (const ObjectInfo& object : all) {
    const std::size_t slash = object.key.find('/');
    if (slash == std::string::npos) continue;
    const std::string folder = object.key.substr(0, slash);
    if (folder != ".index") {
      files[folder][object.key.substr(slash + 1)] = object.bytes;
      names.insert(folder);
    } else if (!object.key.starts_with(".index/.") && object.key.ends_with(".json")) {
      names.insert(object.key.substr(slash + 1, object.key.size() - slash - 6));
    }
  }
  for (const std::string& name : names) {
    XSP_TRY(const std::optional<ObjectText> text, client_->Get(IndexKeyOf(name)));
    const auto index = text ? ReadIndex(text->text) : Result<ObjectIndex>(ObjectIndex{});
    if (!index.ok()) {
      problems.push_back({name, index.error().what, false});
    } else if (index.value().state == ObjectIndex::State::kPublished) {
      for (const IndexedFile& file : index.value().files) {
        const auto found = files[name].find(file.path);
        if (found == files[name].end()) {
          problems.push_back({name, fmt::format("{} is gone", file.path), false});
        } else if (found->second != file.bytes) {
          problems.push_back(
              {name,
               fmt::format("{} has {} bytes instead of {}", file.path, found->second, file.bytes),
               false});
        }
      }
    } else if (!files[name].contains("experiment.json") && IsLongAgo(index.value().time)) {
      // With experiment.json it is an experiment, whose index the next list makes again.
      const std::string what = fmt::format("is what a writer left half-way: {} objects",
                                           files[name].size() + (text ? 1 : 0));
      if (repair) {
        for (const auto& [path, bytes] : files[name])
          XSP_RETURN_IF_ERROR(client_->Remove(fmt::format("{}/{}", name, path)));
        XSP_RETURN_IF_ERROR(client_->Remove(IndexKeyOf(name)));
      }
      problems.push_back({name, what, repair});
    }
  }
  return Ok{};
}

}  // namespace xsp::store
