#include "measure/sweeps/machine_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace xsp::sweeps {
namespace {

std::string FactOf(const std::vector<collect::Fact>& stack, std::string_view key) {
  for (const collect::Fact& fact : stack)
    if (fact.key == key) return fact.value;
  return {};
}

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool Contains(const std::string& text, const std::string& part) {
  return Lower(text).find(Lower(part)) != std::string::npos;
}

bool HasWord(const std::string& text, const std::string& word) {
  std::istringstream words(text);
  for (std::string each; words >> each;)
    if (each == word) return true;
  return false;
}

std::string OrHidden(const std::string& value) { return value.empty() ? "not known" : value; }

}  // namespace

std::string WhyNotThisMachine(const MachineConstraint& constraint,
                              const std::vector<collect::Fact>& stack) {
  const std::string architecture = FactOf(stack, "system.architecture");
  if (!constraint.architecture.empty() && architecture != constraint.architecture)
    return fmt::format("its architecture is {}, not {}", OrHidden(architecture),
                       constraint.architecture);
  const std::string cpu = FactOf(stack, "cpu.model"), gpus = FactOf(stack, "gpu.models");
  if (!constraint.device.empty() && !Contains(cpu, constraint.device) &&
      !Contains(gpus, constraint.device))
    return fmt::format("neither its processor ({}) nor its GPUs ({}) are called {}", OrHidden(cpu),
                       gpus.empty() ? "none" : gpus, constraint.device);
  const std::string memory = FactOf(stack, "memory.total_bytes");
  const double memory_gb = std::strtod(memory.c_str(), nullptr) / 1e9;
  if (constraint.memory_gb > 0 && memory_gb < constraint.memory_gb)
    return fmt::format("its memory is {}, less than {:g} GB",
                       memory.empty() ? "not known" : fmt::format("{:.1f} GB", memory_gb),
                       constraint.memory_gb);
  const std::string sets = FactOf(stack, "cpu.instruction_sets");
  for (const std::string& feature : constraint.features)
    if (!HasWord(sets, feature))
      return fmt::format("its processor has no {} (it has {})", feature, OrHidden(sets));
  return {};
}

}  // namespace xsp::sweeps
