#include "derive/compare/machine.h"

#include <initializer_list>

namespace xsp::compare {
namespace {

using nlohmann::json;

std::string FactOf(const json& run, std::initializer_list<const char*> keys) {
  const auto facts = run.find("facts");
  if (facts == run.end() || !facts->is_object()) return {};
  for (const char* key : keys)
    if (const auto fact = facts->find(key); fact != facts->end() && fact->is_string())
      return fact->get<std::string>();
  return {};
}

std::string OfStack(const json& run, const char* part, const char* name) {
  const json* at = &run;
  for (const char* key : {"stack", part, name}) {
    if (!at->is_object()) return {};
    const auto member = at->find(key);
    if (member == at->end()) return {};
    at = &*member;
  }
  return at->is_string() ? at->get<std::string>() : std::string();
}

}  // namespace

Machine MachineOf(const json& run) {
  if (!run.is_object()) return {};
  Machine machine = {FactOf(run, {"cpu.model"}),
                     FactOf(run, {"deviceProperties.0.name", "cuda.device.0.name"})};
  if (machine.cpu.empty()) machine.cpu = OfStack(run, "cpu", "model");
  if (machine.gpu.empty()) machine.gpu = OfStack(run, "gpu", "models");
  return machine;
}

}  // namespace xsp::compare
