#ifndef XSP_INGEST_PRIMITIVES_OPERATOR_NAME_H_
#define XSP_INGEST_PRIMITIVES_OPERATOR_NAME_H_

#include <string_view>

namespace xsp::primitives {

/// An operator's type taken apart: "aten::add_.Tensor" -> {"aten", "add", in place}. Views into the
/// given text.
struct OperatorName {
  std::string_view space;  ///< Empty where the type has none.
  std::string_view name;   ///< Without the in-place underscore and without the overload.
  bool in_place = false;
};

inline OperatorName ParseOperatorName(std::string_view type) {
  OperatorName result;
  const std::size_t colons = type.rfind("::");
  if (colons != std::string_view::npos) {
    result.space = type.substr(0, colons);
    type.remove_prefix(colons + 2);
  }
  result.name = type.substr(0, type.find('.'));
  // "__is__" ends in two: that is part of the name.
  if (result.name.size() > 1 && result.name.ends_with('_') && !result.name.ends_with("__")) {
    result.in_place = true;
    result.name.remove_suffix(1);
  }
  return result;
}

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_OPERATOR_NAME_H_
