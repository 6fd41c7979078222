#include "derive/roofs/roof_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "derive/roofs/json_member.h"

namespace xsp::roofs {

using nlohmann::json;

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
  if (!object.is_object() || !TakeMember(object, "kind", roof.kind) ||
      !TakeMember(object, "name", roof.name) || !TakeMember(object, "dtype", roof.dtype) ||
      !TakeMember(object, "unit", roof.unit) || !TakeMember(object, "cores", roof.cores) ||
      !TakeMember(object, "value", roof.value) ||
      !TakeMember(object, "provenance", roof.provenance) || !TakeMember(object, "how", roof.how) ||
      !TakeMember(object, "used", roof.used)) {
    return std::nullopt;
  }
  const bool known = roof.kind == "flops" || roof.kind == "bandwidth";
  if (!known || !std::isfinite(roof.value) || roof.value <= 0) return std::nullopt;
  return roof;
}

}  // namespace xsp::roofs
