#include "ingest/importers/kineto/module_path.h"

#include <algorithm>
#include <array>

namespace xsp::importers::kineto {
namespace {

/// What TorchScript writes where it has no name of an attribute: the model, a method of the same
/// module, an instance that it lost.
constexpr std::array<std::string_view, 4> kNoNames = {"TOP", "SELF", "INSTANCE_NAME_UNKNOWN",
                                                      "UNKNOWN_INSTANCE"};

}  // namespace

std::string PathOfHierarchy(std::string_view hierarchy) {
  std::string path;
  // "attribute(class)::method.", of a plain function "::function."
  while (!hierarchy.empty()) {
    const std::size_t method = hierarchy.find("::");
    const std::string_view instance = hierarchy.substr(0, method);
    const std::string_view name = instance.substr(0, instance.find('('));
    const bool is_named = name.size() < instance.size() && !name.empty() &&
                          name.find('.') == std::string_view::npos &&
                          std::find(kNoNames.begin(), kNoNames.end(), name) == kNoNames.end();
    if (is_named) path.append(path.empty() ? "" : ".").append(name);
    const std::size_t end = method == std::string_view::npos ? method : hierarchy.find('.', method);
    hierarchy.remove_prefix(end == std::string_view::npos ? hierarchy.size() : end + 1);
  }
  return path;
}

}  // namespace xsp::importers::kineto
