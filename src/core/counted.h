#ifndef XSP_CORE_COUNTED_H_
#define XSP_CORE_COUNTED_H_

#include <concepts>
#include <string>
#include <string_view>

namespace xsp::core {

/// A count with the word that goes with it: "1 workload", "3 workloads", "0 workloads". `many`:
/// the word for more than one, where it is not `one` with an s behind it.
template <std::integral T>
std::string Counted(T count, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one) + "s" : text.append(many);
}

/// The word that goes with a count: ByNumber(n, "is", "are"). `one` and `many` are borrowed.
template <std::integral T>
constexpr std::string_view ByNumber(T count, std::string_view one, std::string_view many) {
  return count == 1 ? one : many;
}

}  // namespace xsp::core

#endif  // XSP_CORE_COUNTED_H_
