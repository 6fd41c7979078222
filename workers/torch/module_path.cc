#include "torch/module_path.h"

#include <torch/csrc/jit/runtime/interpreter.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace xsp::worker_torch {
namespace {

/// What TorchScript writes where it has no name of an attribute: the model, a method of the same
/// module, an instance that it lost.
constexpr std::array<std::string_view, 4> kNoNames = {"TOP", "SELF", "INSTANCE_NAME_UNKNOWN",
                                                      "UNKNOWN_INSTANCE"};

}  // namespace

std::string ModulePath() {
  std::string path;
  // "layer1(Sequential)::forward": attribute, class and method.
  for (const std::string& frame : torch::jit::currentModuleHierarchy()) {
    const std::string_view name = std::string_view(frame).substr(0, frame.find('('));
    if (name.empty() || name.size() == frame.size() ||
        std::find(kNoNames.begin(), kNoNames.end(), name) != kNoNames.end())
      continue;
    path.append(path.empty() ? "" : ".").append(name);
  }
  return path;
}

}  // namespace xsp::worker_torch
