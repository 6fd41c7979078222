#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_text.h"
#include "measure/manifest/manifest.h"

namespace xsp::manifest {
namespace {

using nlohmann::json;

bool IsScalar(const json& value) { return !value.is_structured(); }

void Emit(const json& value, YAML::Emitter& out);

/// Keys in the order in which people read them, of a manifest, a tensor and a step.
constexpr std::string_view kOrder[] = {
    "step",   "name",       "title", "version", "task",       "description", "framework",
    "file",   "sha256",     "files", "inputs",  "outputs",    "dtype",       "shape",
    "layout", "range",      "fill",  "value",   "preprocess", "postprocess", "needs",
    "count",  "parameters", "flops", "weights", "source",     "reference",   "licence"};

std::size_t PlaceOf(std::string_view key) {
  return static_cast<std::size_t>(std::find(std::begin(kOrder), std::end(kOrder), key) -
                                  std::begin(kOrder));
}

void EmitMap(const json& map, YAML::Emitter& out) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map.items()) keys.push_back(key);
  std::stable_sort(keys.begin(), keys.end(), [](const std::string& a, const std::string& b) {
    return PlaceOf(a) < PlaceOf(b);
  });
  out << YAML::BeginMap;
  for (const std::string& key : keys) {
    out << YAML::Key << key << YAML::Value;
    Emit(map[key], out);
  }
  out << YAML::EndMap;
}

void Emit(const json& value, YAML::Emitter& out) {
  switch (value.type()) {
    case json::value_t::object:
      return EmitMap(value, out);
    case json::value_t::array:
      if (std::all_of(value.begin(), value.end(), IsScalar)) out << YAML::Flow;
      out << YAML::BeginSeq;
      for (const json& item : value) Emit(item, out);
      out << YAML::EndSeq;
      return;
    case json::value_t::string: {
      const auto& text = value.get_ref<const std::string&>();
      // What would be read back as a number or truth value.
      const bool is_word = core::ParseJson(text).is_discarded();
      if (!is_word) out << YAML::DoubleQuoted;
      out << text;
      return;
    }
    case json::value_t::boolean:
      out << value.get<bool>();
      return;
    case json::value_t::number_float:
      out << value.get<double>();
      return;
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      out << value.get<std::int64_t>();
      return;
    default:
      out << YAML::Null;
  }
}

}  // namespace

std::string ToYaml(const Manifest& manifest) {
  YAML::Emitter out;
  Emit(ToJson(manifest), out);
  return std::string(out.c_str()) + "\n";
}

}  // namespace xsp::manifest
