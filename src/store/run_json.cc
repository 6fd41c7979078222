#include "store/run_json.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/clock_text.h"
#include "core/json_text.h"
#include "store/schema.h"

namespace xsp::store {
namespace {

using nlohmann::json;

Result<json> ParseObject(std::string_view text) {
  json object = text.empty() ? json::object() : core::ParseJson(text);
  if (!object.is_object()) {
    return Error{ErrorKind::kInternal, "not a JSON object: " + std::string(text.substr(0, 80)), ""};
  }
  object["format_version"] = kFormatVersion;
  return object;
}

std::string Dump(const json& object) {
  // Facts and examples come from foreign files: bytes that are no UTF-8 are replaced.
  return core::JsonText(object, 2) + "\n";
}

}  // namespace

Result<std::string> CompleteRunJson(const trace::Trace& trace, std::string_view text) {
  XSP_TRY(json run, ParseObject(text));
  if (!run["clock"].is_object()) run["clock"] = json::object();
  run["clock"]["origin"] = trace.clock_origin == trace::ClockOrigin::kEpoch ? "epoch" : "source";
  json& facts = run["facts"];
  if (!facts.is_object()) facts = json::object();
  for (const auto& [key, value] : trace.facts) facts[key] = value;
  std::array<std::int64_t, trace::kLevelCount> counts{};
  for (const trace::Level level : trace.spans.level) ++counts.at(static_cast<std::size_t>(level));
  run["spans"] = json::object();
  for (int i = 0; i < trace::kLevelCount; ++i) {
    run["spans"][std::string(trace::ToString(static_cast<trace::Level>(i)))] =
        counts.at(static_cast<std::size_t>(i));
  }
  run["diagnostics"] = json::array();
  for (const auto& [name, diagnostic] : trace.diagnostics) {
    run["diagnostics"].push_back({{"name", name},
                                  {"count", diagnostic.count},
                                  {"example", diagnostic.example},
                                  {"hint", diagnostic.hint}});
  }
  return Dump(run);
}

Result<std::string> CompleteExperimentJson(std::string_view name, std::string_view text) {
  XSP_TRY(json experiment, ParseObject(text));
  experiment["name"] = name;
  experiment["xsp_version"] = XSP_VERSION;
  if (!experiment.contains("created")) experiment["created"] = core::NowRfc3339Milliseconds();
  return Dump(experiment);
}

}  // namespace xsp::store
