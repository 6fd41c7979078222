#include "measure/requests/dataset_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <utility>
#include <vector>

#include "measure/manifest/document.h"
#include "measure/manifest/manifest.h"
#include "os/files.h"

namespace xsp::requests {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 4> kKinds = {"folder", "coco", "texts", "synthetic"};
constexpr std::array<std::string_view, 3> kTextTables = {".csv", ".tsv", ".jsonl"};
constexpr std::string_view kHint =
    "Give a folder of images in folders by class, a YAML file with a description, a .csv, .tsv or "
    ".jsonl, or KIND:NAME=VALUE,... (synthetic:count=100). docs/datasets.md lists all forms.";

template <std::size_t N>
bool Contains(const std::array<std::string_view, N>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// A whole number where it is one, else text.
json ValueOf(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

/// "synthetic:count=100,seed=2"; `rest` is what follows the colon.
Result<json> ParseInline(std::string_view kind, std::string_view rest) {
  json description = {{"kind", kind}};
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return Error{ErrorKind::kUsage,
                   fmt::format("a data set's parameter is not NAME=VALUE: {}", part),
                   std::string(kHint)};
    description[std::string(part.substr(0, equals))] = ValueOf(part.substr(equals + 1));
  }
  return description;
}

Result<json> ReadDescription(const fs::path& file) {
  XSP_TRY(const std::string text, os::ReadFile(file, manifest::kManifestLimitBytes));
  std::vector<manifest::Problem> problems;
  const manifest::Value root = manifest::ParseDocument(text, problems);
  std::string wrong;
  for (const manifest::Problem& problem : problems)
    if (problem.error)
      wrong += (wrong.empty() ? "" : "; ") + manifest::ToString(problem, file.string());
  if (!wrong.empty()) return Error{ErrorKind::kBadInput, wrong, ""};
  return manifest::ToJson(root);
}

}  // namespace

Result<DatasetRequest> ParseDataset(const std::string& text) {
  DatasetRequest request;
  request.text = text;
  std::error_code ignored;
  const fs::path path = fs::absolute(text, ignored);
  if (fs::is_directory(path, ignored)) {
    request.description = {{"kind", "folder"}, {"path", path.string()}};
    request.folder = path.string();
    return request;
  }
  const std::string extension = path.extension().string();
  if (fs::exists(path, ignored)) {
    request.folder = path.parent_path().string();
    if (extension == ".yaml" || extension == ".yml" || extension == ".json") {
      XSP_TRY(request.description, ReadDescription(path));
      return request;
    }
    if (Contains(kTextTables, extension)) {
      request.description = {
          {"kind", "texts"}, {"path", path.filename().string()}, {"text", "text"}};
      return request;
    }
  }
  const std::string kind = text.substr(0, text.find(':'));
  if (!Contains(kKinds, kind))
    return Error{ErrorKind::kUsage, fmt::format("there is no such data set: {}", text),
                 std::string(kHint)};
  request.folder = fs::current_path(ignored).string();
  XSP_TRY(request.description,
          ParseInline(kind, kind.size() == text.size()
                                ? std::string_view()
                                : std::string_view(text).substr(kind.size() + 1)));
  return request;
}

Result<std::unique_ptr<pipeline::Dataset>> Open(const DatasetRequest& request) {
  std::unique_ptr<pipeline::Dataset> dataset;
  XSP_RETURN_IF_ERROR(pipeline::OpenDataset(request.description, request.folder, dataset));
  return dataset;
}

std::size_t CountSamples(const DatasetRequest& request, const pipeline::Dataset& dataset) {
  return request.samples > 0 ? std::min(static_cast<std::size_t>(request.samples), dataset.size())
                             : dataset.size();
}

}  // namespace xsp::requests
