#ifndef XSP_DERIVE_ROOFS_JSON_MEMBER_H_
#define XSP_DERIVE_ROOFS_JSON_MEMBER_H_

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

namespace xsp::roofs {

/// Assigns a member of `object`, a JSON object. False: it is missing or of another type than `to`
/// (text, bool or number), which is then unchanged.
template <typename T>
bool TakeMember(const nlohmann::json& object, const char* key, T& to) {
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

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_JSON_MEMBER_H_
