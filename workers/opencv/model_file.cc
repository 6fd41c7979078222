#include "opencv/model_file.h"

#include <filesystem>
#include <opencv2/core/version.hpp>
#include <string_view>

#include "opencv/errors.h"

namespace xsp::worker_opencv {
namespace {

namespace fs = std::filesystem;

enum class Second { kNone, kMay, kMust };

struct Format {
  const char* name;
  const char* extension;
  const char* config;  ///< The extension of the second file.
  Second second;
  const char* note;
};

constexpr bool kReadsTflite = CV_VERSION_MAJOR > 4 ||
                              (CV_VERSION_MAJOR == 4 && CV_VERSION_MINOR >= 7);

constexpr Format kFormats[] = {
    {"onnx", ".onnx", "", Second::kNone, ""},
    {"caffe", ".caffemodel", ".prototxt", Second::kMust, "its graph beside it as .prototxt"},
    {"darknet", ".weights", ".cfg", Second::kMust, "its graph beside it as .cfg"},
    {"frozen_graph", ".pb", ".pbtxt", Second::kMay,
     "a frozen graph; a .pbtxt beside it takes the place of its nodes"},
    {"torch7", ".t7", "", Second::kNone, "Lua Torch"},
    {"tflite", ".tflite", "", Second::kNone, ""}};

bool IsRead(const Format& format) {
  return kReadsTflite || std::string_view(format.name) != "tflite";
}

const Format* FormatOf(const fs::path& path) {
  for (const Format& format : kFormats) {
    if (IsRead(format) && path.extension() == format.extension) return &format;
  }
  return nullptr;
}

}  // namespace

std::string ModelFormats() {
  std::string list;
  for (const Format& format : kFormats) {
    if (!IsRead(format)) continue;
    list += std::string(list.empty() ? "" : ",") + "\n  {\"format\": \"" + format.name +
            "\", \"extensions\": [\"" + format.extension +
            "\"], \"levels\": [\"model\", \"layer\", \"kernel\"], \"note\": \"" + format.note +
            "\"}";
  }
  return "[" + list + "]";
}

ModelFiles FilesOf(const std::string& path, const std::string& config) {
  const fs::path model = path;
  if (fs::is_directory(model)) {
    throw WorkerError(ErrorKind::kBadInput, "the model is a directory: " + path,
                      "give the model file itself");
  }
  const Format* format = FormatOf(model);
  if (!format) {
    std::string names;
    for (const Format& known : kFormats) {
      if (IsRead(known)) names += std::string(names.empty() ? "" : ", ") + known.extension;
    }
    throw WorkerError(ErrorKind::kBadInput, "this is no model file that OpenCV reads: " + path,
                      "it reads " + names + ", and tells them by their names");
  }
  if (fs::file_size(model) == 0) {
    throw WorkerError(ErrorKind::kBadInput, "the model file is empty: " + path, "make it again");
  }
  ModelFiles files{path, config};
  if (config.empty() && format->second != Second::kNone) {
    files.config = fs::path(model).replace_extension(format->config).string();
    if (format->second == Second::kMay && !fs::exists(files.config)) files.config.clear();
  }
  if (!files.config.empty() && !fs::exists(files.config)) {
    throw WorkerError(ErrorKind::kBadInput, "the model's second file is missing: " + files.config,
                      std::string("put the ") + format->config +
                          " beside the model, or name it with the option config");
  }
  return files;
}

}  // namespace xsp::worker_opencv
