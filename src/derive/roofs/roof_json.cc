#include "derive/roofs/roof_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

namespace xsp::roofs {
namespace {

using nlohmann::json;

template <typename T>
bool Take(const json& object, const char* key, T& to) {
  const auto it = object.find(key);
  if (it == object.end()) return false;
  if constexpr (std::is_same_v<T, std::string>) {
    if (!it->is_string()) return false;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!it->is_boolean()) return false;
  } else {
    if (!it->is_number()) return false;
  }
  to = it->template get<T>();
  return true;
}

}  // namespace

json ToJson(const Roof& roof) {
  return {{"kind", roof.kind},
          {"name", roof.name},
          {"dtype", roof.dtype},
          {"unit", roof.unit},
          {"cores", roof.cores},
          {"value", roof.value},
          {"provenance", roof.provenance},
          {"how", roof.how},
          {"used", roof.used}};
}

std::optional<Roof> RoofFromJson(const json& object) {
  Roof roof;
  if (!object.is_object() || !Take(object, "kind", roof.kind) || !Take(object, "name", roof.name) ||
      !Take(object, "dtype", roof.dtype) || !Take(object, "unit", roof.unit) ||
      !Take(object, "cores", roof.cores) || !Take(object, "value", roof.value) ||
      !Take(object, "provenance", roof.provenance) || !Take(object, "how", roof.how) ||
      !Take(object, "used", roof.used)) {
    return std::nullopt;
  }
  const bool known = roof.kind == "flops" || roof.kind == "bandwidth";
  if (!known || !std::isfinite(roof.value) || roof.value <= 0) return std::nullopt;
  return roof;
}

}  // namespace xsp::roofs
