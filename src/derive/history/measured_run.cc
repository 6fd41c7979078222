#include "derive/history/measured_run.h"

#include <fmt/format.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "capture/collect/run_facts.h"
#include "derive/compare/machine.h"
#include "store/directory.h"

namespace xsp::history {
namespace {

using nlohmann::json;

std::string FactOf(const std::vector<collect::Fact>& facts, std::string_view key) {
  for (const collect::Fact& fact : facts)
    if (fact.key == key) return fact.value;
  return {};
}

std::string Joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// What an imported file that names its device says of the machine.
std::string MachineOfFile(const json& run) {
  const std::string gpu = compare::MachineOf(run).gpu;
  return gpu.empty() ? "not known" : gpu;
}

}  // namespace

// Hardware alone: what of it a run may use, and its software, may change within a series.
std::string MachineOf(const std::vector<collect::Fact>& stack) {
  const std::string threads = FactOf(stack, "cpu.threads");
  return Joined({FactOf(stack, "cpu.model"), threads.empty() ? "" : threads + " threads",
                 FactOf(stack, "gpu.models")});
}

Result<MeasuredRun> ReadMeasuredRun(const std::filesystem::path& folder) {
  XSP_TRY(const store::Directory directory, store::Inspect(folder));
  const json& document = directory.json;
  if (!document.is_object())
    return Error{ErrorKind::kBadInput, fmt::format("no run: {}", folder.string()), ""};
  MeasuredRun run;
  run.facts = collect::StackOf(document);
  run.machine = MachineOf(run.facts);
  if (run.machine.empty()) run.machine = MachineOfFile(document);
  for (collect::Fact& fact : collect::BackendOf(document)) run.facts.push_back(std::move(fact));
  if (const auto model = document.find("model"); model != document.end() && model->is_object()) {
    const auto sum = model->find("sha256");
    if (sum != model->end() && sum->is_string())
      run.facts.push_back({"model.sha256", sum->get<std::string>(), ""});
  }
  if (const auto disturbance = document.find("disturbance");
      disturbance != document.end() && disturbance->is_object()) {
    const auto busy = disturbance->find("busy");
    if (busy != disturbance->end() && busy->is_boolean()) run.was_busy = busy->get<bool>();
  }
  return run;
}

}  // namespace xsp::history
