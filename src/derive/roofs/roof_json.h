#ifndef XSP_DERIVE_ROOFS_ROOF_JSON_H_
#define XSP_DERIVE_ROOFS_ROOF_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "derive/roofs/roof.h"

namespace xsp::roofs {

/// {"kind", "name", "dtype", "unit", "cores", "value", "provenance", "how", "used"}: a member for
/// each of a roof's. Texts may hold bytes that are no UTF-8.
nlohmann::json ToJson(const Roof& roof);

/// Reads what ToJson() wrote; other members are ignored. Nothing: a member is missing or of another
/// type, the kind is unknown, or the value is no number above 0.
std::optional<Roof> RoofFromJson(const nlohmann::json& object);

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_ROOF_JSON_H_
