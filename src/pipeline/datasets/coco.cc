#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "pipeline/base/text_file.h"
#include "pipeline/datasets/dataset_kinds.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

constexpr std::size_t kMostAnnotationBytes = std::size_t{1} << 30;
constexpr std::int64_t kMostCategory = 100000;

struct CocoImage {
  std::int64_t id = 0;
  std::string name;
  std::vector<TruthObject> objects;
};

class Coco : public Dataset {
 public:
  std::string root;
  std::vector<CocoImage> entries;

  std::size_t size() const override { return entries.size(); }

  Status Read(std::size_t index, Sample& sample) const override {
    sample = {};
    sample.name = entries[index].name;
    sample.truth.image_id = entries[index].id;
    sample.truth.objects = entries[index].objects;
    sample.truth.has_objects = true;
    return ReadImageFile(Below(root, sample.name), sample.bytes);
  }

  Status Take(const json& document, const std::string& path);

 private:
  void TakeCategories(const json& categories);
  void TakeImages(const json& images);
  void TakeAnnotations(const json& annotations);
};

/// The integer field, or nothing.
std::optional<std::int64_t> IntegerIn(const json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto field = object.find(key);
  if (field == object.end() || !field->is_number_integer()) return std::nullopt;
  return field->get<std::int64_t>();
}

void Coco::TakeCategories(const json& categories) {
  for (std::size_t i = 0; i < categories.size(); ++i) {
    const auto id = IntegerIn(categories[i], "id");
    const auto name = id ? categories[i].find("name") : categories[i].end();
    if (!id || *id < 0 || *id > kMostCategory || name == categories[i].end() ||
        !name->is_string()) {
      AddDamage("category " + std::to_string(i + 1), "it lacks an id or a name");
      continue;
    }
    const auto at = static_cast<std::size_t>(*id);
    if (labels_.size() <= at) labels_.resize(at + 1);
    labels_[at] = name->get<std::string>();
  }
}

void Coco::TakeImages(const json& images) {
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto id = IntegerIn(images[i], "id");
    const auto file = id ? images[i].find("file_name") : images[i].end();
    if (!id || file == images[i].end() || !file->is_string()) {
      AddDamage("image " + std::to_string(i + 1), "it lacks an id or a file_name");
      continue;
    }
    const auto name = file->get<std::string>();
    std::error_code ignored;
    if (!StaysBelow(name)) {
      AddDamage("image " + std::to_string(i + 1), "the path leads out of the data set: " + name);
    } else if (!std::filesystem::is_regular_file(Below(root, name), ignored)) {
      AddDamage(name, "the file is missing");
    } else {
      entries.push_back({*id, name, {}});
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const CocoImage& a, const CocoImage& b) { return a.id < b.id; });
  const auto same = [](const CocoImage& a, const CocoImage& b) { return a.id == b.id; };
  for (auto it = entries.begin();
       (it = std::adjacent_find(it, entries.end(), same)) != entries.end();) {
    AddDamage((it + 1)->name, "another image has the same id: " + std::to_string(it->id));
    it = entries.erase(it + 1) - 1;
  }
}

/// The object, or nothing when the annotation lacks what every one has.
std::optional<TruthObject> ObjectOf(const json& annotation) {
  const auto category = IntegerIn(annotation, "category_id");
  const auto box = category ? annotation.find("bbox") : annotation.end();
  if (!category || box == annotation.end() || !box->is_array() || box->size() != 4) {
    return std::nullopt;
  }
  TruthObject object;
  object.category = *category;
  double* const values[] = {&object.box.x, &object.box.y, &object.box.width, &object.box.height};
  for (std::size_t i = 0; i < 4; ++i) {
    if (!(*box)[i].is_number() || !std::isfinite((*box)[i].get<double>())) return std::nullopt;
    *values[i] = (*box)[i].get<double>();
  }
  object.area = object.box.Area();
  const auto area = annotation.find("area");
  if (area != annotation.end() && area->is_number()) object.area = area->get<double>();
  object.crowd = IntegerIn(annotation, "iscrowd").value_or(0) != 0;
  const auto segmentation = annotation.find("segmentation");
  if (segmentation != annotation.end() && !segmentation->is_null()) {
    object.segmentation = segmentation->dump(-1, ' ', true, json::error_handler_t::replace);
  }
  return object;
}

void Coco::TakeAnnotations(const json& annotations) {
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    const std::string where = "annotation " + std::to_string(i + 1);
    const auto image = IntegerIn(annotations[i], "image_id");
    std::optional<TruthObject> object = image ? ObjectOf(annotations[i]) : std::nullopt;
    if (!object) {
      AddDamage(where, "it lacks an image_id, a category_id or a bbox of four numbers");
      continue;
    }
    const auto entry =
        std::lower_bound(entries.begin(), entries.end(), *image,
                         [](const CocoImage& e, std::int64_t id) { return e.id < id; });
    if (entry == entries.end() || entry->id != *image) {
      AddDamage(where, "its image is not in the data set: " + std::to_string(*image));
      continue;
    }
    entry->objects.push_back(std::move(*object));
  }
}

Status Coco::Take(const json& document, const std::string& path) {
  for (const char* part : {"images", "annotations", "categories"}) {
    if (!document.is_object() || !document.contains(part) || !document[part].is_array()) {
      return BadInput("the annotations are not COCO's: there is no list of " + std::string(part) +
                      ": " + path);
    }
  }
  TakeCategories(document["categories"]);
  TakeImages(document["images"]);
  TakeAnnotations(document["annotations"]);
  return Ok{};
}

}  // namespace

Status OpenCoco(Parameters& parameters, const std::string& folder,
                std::unique_ptr<Dataset>& dataset) {
  std::string annotations, images;
  parameters.Text("annotations", annotations, true);
  parameters.Text("images", images, true);
  XSP_RETURN_IF_ERROR(parameters.Finish());
  auto made = std::make_unique<Coco>();
  made->root = Below(folder, images);
  const std::string path = Below(folder, annotations);
  std::string content;
  XSP_RETURN_IF_ERROR(ReadFile(path, kMostAnnotationBytes, content));
  const json document = core::ParseJson(content);
  if (document.is_discarded()) return BadInput("the annotations are no JSON: " + path);
  XSP_RETURN_IF_ERROR(made->Take(document, path));
  dataset = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
