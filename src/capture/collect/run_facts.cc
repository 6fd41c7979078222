#include "capture/collect/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "capture/collect/stack_difference.h"

namespace xsp::collect {

using nlohmann::json;

namespace {

/// Families of a recording's facts that tell of the job and how it went, not of the software.
constexpr std::string_view kOfTheJob[] = {"job",   "warmup", "inputs",      "outputs", "dataset",
                                          "error", "worker", "cpu_capture", "monitor"};

}  // namespace

std::vector<Fact> StackOf(const json& document) {
  const auto stack = document.find("stack");
  return stack == document.end() ? std::vector<Fact>() : FromJson(*stack);
}

std::vector<Fact> BackendOf(const json& document) {
  std::vector<Fact> facts;
  const auto reported = document.find("facts");
  if (reported == document.end() || !reported->is_object()) return facts;
  const auto worker = reported->find("worker.name");
  if (worker == reported->end() || !worker->is_string()) return facts;
  const std::string prefix = worker->get<std::string>() + ".";
  for (const auto& [key, value] : reported->items()) {
    const std::string_view family = std::string_view(key).substr(0, key.find('.'));
    const bool of_the_job =
        std::find(std::begin(kOfTheJob), std::end(kOfTheJob), family) != std::end(kOfTheJob);
    if (of_the_job || !value.is_string()) continue;
    const std::string text = value.get<std::string>();
    // Several lines are a framework's whole build log: what matters in it is a fact of its own.
    if (text.empty() || text.find('\n') != text.npos) continue;
    const std::string name = key.starts_with(prefix) ? key.substr(prefix.size()) : key;
    facts.push_back({fmt::format("backend.{}{}", prefix, name), text, ""});
  }
  return facts;
}

}  // namespace xsp::collect
