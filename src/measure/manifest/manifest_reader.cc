#include "measure/manifest/manifest_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/dtype.h"
#include "measure/manifest/field_reader.h"
#include "measure/manifest/version_constraint.h"

namespace xsp::manifest {
namespace {

constexpr std::array<std::string_view, 20> kKeys = {
    "name",       "title", "version", "task",    "description", "framework",   "file",
    "sha256",     "files", "inputs",  "outputs", "preprocess",  "postprocess", "needs",
    "parameters", "flops", "weights", "source",  "reference",   "licence"};
constexpr std::array<std::string_view, 2> kFrameworkKeys = {"name", "version"};
constexpr std::array<std::string_view, 2> kFileKeys = {"file", "sha256"};
constexpr std::array<std::string_view, 2> kFigureKeys = {"count", "source"};
constexpr std::array<std::string_view, 7> kInputKeys = {"name",  "dtype", "shape", "layout",
                                                        "range", "fill",  "value"};
constexpr std::array<std::string_view, 4> kOutputKeys = {"name", "dtype", "shape", "layout"};
constexpr std::array<std::string_view, 10> kPreSteps = {
    "decode",    "resize",       "crop",   "pad",  "letterbox",
    "normalise", "colour_order", "layout", "cast", "tokenise"};
constexpr std::array<std::string_view, 5> kPostSteps = {"softmax", "top_k", "boxes", "masks",
                                                        "text"};

constexpr std::size_t kMostAxes = 8;
constexpr std::size_t kSha256Digits = 64;

bool All(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";

std::string Joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

/// Names of formats are names of programs and folders.
bool IsFormatName(std::string_view name) {
  return All(name, Joined({kLower, kDigits, "_"})) &&
         kLower.find(name[0]) != std::string_view::npos;
}

bool IsModuleName(std::string_view name) {
  return All(name, Joined({kLower, kUpper, kDigits, "_."})) &&
         Joined({kLower, kUpper, "_"}).find(name[0]) != std::string::npos && name.back() != '.';
}

/// Reads one manifest.
class OwnReader {
 public:
  OwnReader(const Value& root, Reading& reading)
      : root_(root), manifest_(reading.manifest), problems_(reading.problems) {}

  void Read() {
    FieldReader fields(root_, "", problems_);
    fields.OnlyKeys(kKeys);
    fields.Require("name");
    if (const Value* name = fields.Text("name", manifest_.name);
        name != nullptr && !IsModelName(manifest_.name)) {
      fields.NotA("name", *name, "a model's name (letters, digits, . _ + -)");
    }
    fields.Text("title", manifest_.title);
    fields.Text("version", manifest_.version, true);
    fields.Text("task", manifest_.task);
    fields.Text("description", manifest_.description);
    ReadFramework(fields);
    ReadFiles(fields);
    ReadTensors(fields, "inputs", manifest_.inputs, true);
    ReadTensors(fields, "outputs", manifest_.outputs, false);
    ReadSteps(fields, "preprocess", kPreSteps, manifest_.preprocess);
    ReadSteps(fields, "postprocess", kPostSteps, manifest_.postprocess);
    ReadNeeds(fields);
    ReadFigure(fields, "parameters", manifest_.parameters);
    ReadFigure(fields, "flops", manifest_.flops);
    fields.Text("weights", manifest_.weights);
    fields.Text("source", manifest_.source);
    fields.Texts("reference", manifest_.reference, true);
    fields.Text("licence", manifest_.licence);
  }

 private:
  void ReadFramework(FieldReader& fields) {
    const Value* value = fields.Find("framework");
    if (value == nullptr) return;
    if (!value->is_map()) {
      fields.Text("framework", manifest_.framework.name);
      return;
    }
    FieldReader inner(*value, "framework", problems_);
    inner.OnlyKeys(kFrameworkKeys);
    inner.Require("name");
    inner.Text("name", manifest_.framework.name);
    const Value* version = inner.Text("version", manifest_.framework.version, true);
    if (version != nullptr && !IsVersionConstraint(manifest_.framework.version))
      inner.NotA("version", *version, "a version constraint such as \">=1.15, <3\"");
  }

  void ReadFile(FieldReader& fields, ModelFile& file) {
    if (const Value* name = fields.Text("file", file.file); name != nullptr && file.file.empty())
      fields.NotA("file", *name, "the path of a file");
    const Value* sum = fields.Text("sha256", file.sha256);
    if (sum == nullptr) return;
    if (file.sha256.size() != kSha256Digits || !All(file.sha256, Joined({kDigits, "abcdef"})))
      fields.NotA("sha256", *sum, "64 lower-case hexadecimal digits");
  }

  void ReadFiles(FieldReader& fields) {
    const Value* files = fields.Find("files");
    const Value* file = fields.Find("file");
    if (const Value* sum = fields.Find("sha256"); sum != nullptr && file == nullptr)
      fields.Wrong(sum->at, "sha256 without file");
    if (file != nullptr) {
      ModelFile only;
      only.format = FormatOfFramework(manifest_.framework.name);
      ReadFile(fields, only);
      if (files != nullptr) fields.Wrong(file->at, "both file and files", "files is enough");
      if (files == nullptr) manifest_.files.push_back(std::move(only));
    }
    if (files == nullptr) return;
    if (!files->is_map()) return fields.NotA("files", *files, "a map of formats");
    for (const Member& member : files->members) {
      ModelFile item;
      item.format = member.key;
      if (!IsFormatName(member.key)) {
        fields.Wrong(member.at, fmt::format("not the name of a format: {}", member.key),
                     "lower-case letters, digits and _, a letter first");
      }
      const std::string where = "files." + member.key;
      if (!member.value.is_map()) {
        fields.NotA(where, member.value, "a map with file");
        continue;
      }
      FieldReader inner(member.value, where, problems_);
      inner.OnlyKeys(kFileKeys);
      inner.Require("file");
      ReadFile(inner, item);
      manifest_.files.push_back(std::move(item));
    }
  }

  void ReadTensors(FieldReader& fields, std::string_view key, std::vector<Tensor>& tensors,
                   bool inputs) {
    const Value* list = fields.List(key);
    if (list == nullptr) return;
    if (list->items.empty()) fields.NotA(key, *list, "a list that is not empty");
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const Value& item = list->items[i];
      const std::string where = fmt::format("{}[{}]", key, i);
      if (!item.is_map()) {
        fields.NotA(where, item, "a map with name, dtype and shape");
        continue;
      }
      FieldReader inner(item, where, problems_);
      Tensor tensor = inputs ? ReadInput(inner) : ReadOutput(inner);
      if (!tensor.name.empty() && !names.insert(tensor.name).second)
        inner.Wrong(item.at, fmt::format("two {} have the same name: {}", key, tensor.name));
      tensors.push_back(std::move(tensor));
    }
  }

  Tensor ReadOutput(FieldReader& fields) {
    Tensor tensor;
    fields.OnlyKeys(kOutputKeys);
    fields.Require("name");
    fields.Text("name", tensor.name);
    fields.Choice("dtype", core::kDtypeNames, tensor.dtype);
    ReadShape(fields, tensor);
    return tensor;
  }

  Tensor ReadInput(FieldReader& fields) {
    Tensor tensor;
    tensor.name = "input";
    fields.OnlyKeys(kInputKeys);
    fields.Text("name", tensor.name);
    fields.Require("dtype");
    fields.Choice("dtype", core::kDtypeNames, tensor.dtype);
    fields.Require("shape");
    ReadShape(fields, tensor);
    ReadRange(fields, tensor);
    fields.Choice("fill", kFills, tensor.fill);
    if (const Value* value = fields.Find("value")) {
      if (!value->scalar.is_number()) {
        fields.NotA("value", *value, "a number");
      } else if (!tensor.fill.empty()) {
        fields.Wrong(value->at, "both fill and value", "value sets every element");
      } else {
        tensor.value = value->scalar.get<double>();
      }
    }
    return tensor;
  }

  static void ReadShape(FieldReader& fields, Tensor& tensor) {
    if (const Value* list = fields.List("shape")) {
      if (list->items.size() > kMostAxes)
        fields.Wrong(list->at,
                     fmt::format("{} has more than {} axes", fields.Name("shape"), kMostAxes));
      for (std::size_t i = 0; i < list->items.size(); ++i) {
        const Value& size = list->items[i];
        if (size.is_text() && size.text == "batch") {
          tensor.shape.push_back(kBatch);
        } else if (size.scalar.is_number_integer() && size.scalar.get<std::int64_t>() > 0 &&
                   size.scalar.get<std::int64_t>() <= kLargestSize) {
          tensor.shape.push_back(size.scalar.get<std::int64_t>());
        } else {
          fields.NotA(fmt::format("shape[{}]", i), size, "a positive number or batch");
        }
      }
    }
    const Value* layout = fields.Text("layout", tensor.layout);
    if (layout == nullptr) return;
    const Value* shape = fields.Find("shape");
    if (!All(tensor.layout, kUpper)) {
      fields.NotA("layout", *layout, "one capital letter per axis");
    } else if (shape != nullptr && shape->is_list() &&
               shape->items.size() != tensor.layout.size()) {
      fields.Wrong(layout->at,
                   fmt::format("{} and shape differ in their axes: {} and {}",
                               fields.Name("layout"), tensor.layout.size(), shape->items.size()));
    }
  }

  static void ReadRange(FieldReader& fields, Tensor& tensor) {
    const Value* range = fields.Find("range");
    if (range == nullptr) return;
    const auto whole = [](const Value& value) { return value.scalar.is_number_integer(); };
    if (!range->is_list() || range->items.size() != 2 ||
        !std::all_of(range->items.begin(), range->items.end(), whole)) {
      return fields.NotA("range", *range, "[LOW, HIGH] of whole numbers");
    }
    const auto low = range->items[0].scalar.get<std::int64_t>();
    const auto high = range->items[1].scalar.get<std::int64_t>();
    if (low >= high) {
      return fields.Wrong(range->at,
                          fmt::format("{} is empty: {} to {}", fields.Name("range"), low, high),
                          "the second number is excluded");
    }
    if (tensor.dtype.starts_with("float") || tensor.dtype == "bfloat16" || tensor.dtype == "bool")
      return fields.Wrong(range->at, fmt::format("{} is for integers only, and dtype is {}",
                                                 fields.Name("range"), tensor.dtype));
    tensor.range = {low, high};
  }

  void ReadSteps(FieldReader& fields, std::string_view key, std::span<const std::string_view> known,
                 std::vector<Step>& steps) {
    const Value* list = fields.List(key);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const Value& item = list->items[i];
      const std::string where = fmt::format("{}[{}]", key, i);
      if (!item.is_map()) {
        fields.NotA(where, item, "a map with step");
        steps.push_back({"", nullptr, item.at});
        continue;
      }
      FieldReader inner(item, where, problems_);
      inner.Require("step");
      Step step;
      step.at = item.at;
      step.parameters = ToJson(item);
      for (const Member& member : item.members) step.keys[member.key] = member.at;
      inner.Choice("step", known, step.name);
      steps.push_back(std::move(step));
    }
  }

  void ReadNeeds(FieldReader& fields) {
    const Value* list = fields.Texts("needs", manifest_.needs);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const Value& item = list->items[i];
      if (item.is_text() && !item.text.empty() && !IsModuleName(item.text))
        fields.NotA(fmt::format("needs[{}]", i), item, "the name of a Python module");
    }
  }

  void ReadFigure(FieldReader& fields, std::string_view key, std::optional<Figure>& target) {
    const Value* value = fields.Find(key);
    if (value == nullptr) return;
    Figure figure;
    const Value* count = value;
    if (value->is_map()) {
      FieldReader inner(*value, std::string(key), problems_);
      inner.OnlyKeys(kFigureKeys);
      inner.Require("count");
      inner.Text("source", figure.source);
      count = inner.Find("count");
      if (count == nullptr) return;
    }
    if (!count->scalar.is_number_integer() || count->scalar.get<std::int64_t>() <= 0) {
      fields.NotA(value->is_map() ? fmt::format("{}.count", key) : std::string(key), *count,
                  "a positive whole number");
      return;
    }
    figure.count = count->scalar.get<std::int64_t>();
    target = std::move(figure);
  }

  const Value& root_;
  Manifest& manifest_;
  std::vector<Problem>& problems_;
};

}  // namespace

bool IsModelName(std::string_view name) {
  const std::string letters = Joined({kLower, kUpper, kDigits});
  return All(name, letters + "._+-") && letters.find(name[0]) != std::string::npos;
}

void ReadOwnManifest(const Value& root, Reading& reading) { OwnReader(root, reading).Read(); }

}  // namespace xsp::manifest
