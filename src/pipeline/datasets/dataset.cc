#include "pipeline/datasets/dataset.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pipeline/base/text_file.h"
#include "pipeline/datasets/dataset_kinds.h"
#include "pipeline/image/image.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

struct Kind {
  const char* name;
  Status (*open)(Parameters&, const std::string&, std::unique_ptr<Dataset>&);
};

constexpr std::array kDataSetKinds = {Kind{"folder", OpenImageFolder}, Kind{"coco", OpenCoco},
                                      Kind{"texts", OpenTexts}, Kind{"synthetic", OpenSynthetic}};

}  // namespace

void Dataset::AddDamage(std::string name, std::string reason) {
  ++damaged_;
  if (damages_.size() < kMaxDamages) damages_.push_back({std::move(name), std::move(reason)});
}

Status ReadImageFile(const std::string& path, std::string& bytes) {
  XSP_RETURN_IF_ERROR(ReadFile(path, kMaxEncodedBytes, bytes));
  if (bytes.empty()) return BadInput("the file is empty: " + path);
  return Ok{};
}

bool StaysBelow(const std::string& path) {
  const std::filesystem::path parts(path);
  if (path.empty() || parts.is_absolute()) return false;
  for (const auto& part : parts) {
    if (part == "..") return false;
  }
  return true;
}

Status OpenDataset(const json& description, const std::string& folder,
                   std::unique_ptr<Dataset>& dataset) {
  return WithoutExceptions([&]() -> Status {
    if (!description.is_object()) {
      return BadInput("a data set must be described by an object: " + ForMessage(description));
    }
    std::string names;
    const auto kind = description.find("kind");
    for (const Kind& known : kDataSetKinds) {
      names += (names.empty() ? "" : ", ") + std::string(known.name);
      if (kind == description.end() || *kind != known.name) continue;
      Parameters parameters(description, std::string("data set, ") + known.name);
      parameters.Find("kind");
      std::unique_ptr<Dataset> opened;
      XSP_RETURN_IF_ERROR(known.open(parameters, folder, opened));
      if (opened->size() == 0) {
        std::string why = "the data set has no usable sample";
        if (opened->damaged() > 0) {
          why += ": " + std::to_string(opened->damaged()) + " were left out, the first is " +
                 opened->damages()[0].name + ": " + opened->damages()[0].reason;
        }
        return BadInput(why);
      }
      dataset = std::move(opened);
      return Ok{};
    }
    return BadInput("there is no data set of this kind: " +
                        (kind == description.end() ? "none given" : ForMessage(*kind)),
                    "it is one of " + names);
  });
}

}  // namespace xsp::pipeline
