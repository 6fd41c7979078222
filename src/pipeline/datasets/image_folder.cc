#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "pipeline/base/text_file.h"
#include "pipeline/datasets/dataset_kinds.h"

namespace xsp::pipeline {
namespace {

namespace fs = std::filesystem;

struct ImageFile {
  std::string name;
  std::optional<std::int64_t> label;
};

class ImageFolder : public Dataset {
 public:
  std::string root;
  std::vector<ImageFile> entries;

  std::size_t size() const override { return entries.size(); }

  Status Read(std::size_t index, Sample& sample) const override {
    sample = {};
    sample.name = entries[index].name;
    sample.truth.label = entries[index].label;
    return ReadImageFile(Below(root, sample.name), sample.bytes);
  }

  Status ListFolders(const std::vector<std::string>& classes);
  Status ListFile(const std::string& path);
  void SetLabels(std::vector<std::string> labels) { labels_ = std::move(labels); }

 private:
  void Add(const fs::path& file, const fs::file_status& status, std::int64_t label);
  Status ListClass(const std::string& name, std::int64_t label);
};

bool IsImageName(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".jpg" || extension == ".jpeg" || extension == ".png";
}

void ImageFolder::Add(const fs::path& file, const fs::file_status& status, std::int64_t label) {
  if (fs::is_directory(status) || file.filename().string().front() == '.') return;
  const std::string name = file.lexically_relative(root).string();
  if (!IsImageName(file)) {
    AddDamage(name, "the name does not end in .jpg, .jpeg or .png");
  } else if (!fs::is_regular_file(status)) {
    AddDamage(name, "this is not a file");
  } else {
    entries.push_back({name, label});
  }
}

Status ImageFolder::ListClass(const std::string& name, std::int64_t label) {
  std::error_code error;
  fs::recursive_directory_iterator it(Below(root, name), error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    std::error_code ignored;  // a status that cannot be had is that of no file
    Add(it->path(), it->status(ignored), label);
  }
  if (error) return BadInput("cannot list a folder: " + Below(root, name) + ": " + error.message());
  return Ok{};
}

Status ImageFolder::ListFolders(const std::vector<std::string>& classes) {
  std::vector<std::string> names = classes;
  if (names.empty()) {
    std::error_code error;
    fs::directory_iterator it(root, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
      std::error_code ignored;
      const std::string name = it->path().filename().string();
      if (it->is_directory(ignored) && name.front() != '.') names.push_back(name);
    }
    if (error) return BadInput("cannot list a folder: " + root + ": " + error.message());
    std::sort(names.begin(), names.end());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!StaysBelow(names[i])) return BadInput("a class must be a folder's name: " + names[i]);
    XSP_RETURN_IF_ERROR(ListClass(names[i], static_cast<std::int64_t>(i)));
  }
  std::sort(entries.begin(), entries.end(),
            [](const ImageFile& a, const ImageFile& b) { return a.name < b.name; });
  labels_ = std::move(names);
  return Ok{};
}

Status ImageFolder::ListFile(const std::string& path) {
  std::vector<std::string> lines;
  XSP_RETURN_IF_ERROR(ReadLines(path, lines));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.empty()) continue;
    const std::string where = "line " + std::to_string(i + 1);
    const std::size_t space = line.find_last_of(" \t");
    std::int64_t label = 0;
    const char* end = line.data() + line.size();
    const char* begin = space == std::string::npos ? end : line.data() + space + 1;
    const auto parsed = std::from_chars(begin, end, label);
    if (begin == end || parsed.ec != std::errc() || parsed.ptr != end || label < 0) {
      AddDamage(where, "it must be a path, a space and the number of a class");
      continue;
    }
    const std::string name = line.substr(0, line.find_last_not_of(" \t", space) + 1);
    std::error_code ignored;
    if (!StaysBelow(name)) {
      AddDamage(where, "the path leads out of the data set: " + name);
    } else if (!fs::is_regular_file(Below(root, name), ignored)) {
      AddDamage(name, "the file is missing");
    } else {
      entries.push_back({name, label});
    }
  }
  return Ok{};
}

}  // namespace

Status OpenImageFolder(Parameters& parameters, const std::string& folder,
                       std::unique_ptr<Dataset>& dataset) {
  std::string path, list, classes_path, labels_path;
  parameters.Text("path", path, true);
  parameters.Text("list", list);
  parameters.Text("classes", classes_path);
  parameters.Text("labels", labels_path);
  if (!list.empty() && !classes_path.empty()) parameters.Fail("list already says the classes");
  XSP_RETURN_IF_ERROR(parameters.Finish());
  auto made = std::make_unique<ImageFolder>();
  made->root = Below(folder, path);
  std::error_code ignored;
  if (!fs::is_directory(made->root, ignored)) {
    return BadInput("the data set's folder is missing: " + made->root);
  }
  std::vector<std::string> classes, labels;
  if (!classes_path.empty()) {
    XSP_RETURN_IF_ERROR(ReadLines(Below(folder, classes_path), classes));
  }
  if (!labels_path.empty()) {
    XSP_RETURN_IF_ERROR(ReadLines(Below(folder, labels_path), labels));
  }
  XSP_RETURN_IF_ERROR(list.empty() ? made->ListFolders(classes)
                                   : made->ListFile(Below(folder, list)));
  if (!labels.empty()) made->SetLabels(std::move(labels));
  dataset = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
