#include "api/operations/compare_gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/operations/gate_junit.h"
#include "os/files.h"
#include "store/baselines.h"

namespace xsp::api {
namespace {

using nlohmann::json;

json NumberOrNull(const std::optional<double>& number) { return number ? json(*number) : json(); }

json NodeDocument(const compare::GateNode& node) {
  return {{"path", node.path},
          {"kind", compare::ToString(node.kind)},
          {"a_ns", NumberOrNull(node.a_ns)},
          {"b_ns", NumberOrNull(node.b_ns)},
          {"difference_ns", node.difference_ns},
          {"share", node.share}};
}

json GateDocument(const compare::GateResult& result) {
  json nodes = json::array();
  for (const compare::GateNode& node : result.nodes) nodes.push_back(NodeDocument(node));
  return {{"gate", result.gate.text},
          {"metric", compare::ToString(result.gate.metric)},
          {"limit", result.gate.limit},
          {"outcome", compare::ToString(result.outcome)},
          {"value", NumberOrNull(result.value.ratio)},
          {"low", NumberOrNull(result.value.low)},
          {"high", NumberOrNull(result.value.high)},
          {"a", NumberOrNull(result.value.a)},
          {"b", NumberOrNull(result.value.b)},
          {"unit", result.value.unit},
          {"of", result.value.note.empty() ? json() : json(result.value.note)},
          {"reason", result.reason.empty() ? json() : json(result.reason)},
          {"nodes", std::move(nodes)}};
}

/// Whether its value is in no table that a comparison reads anyway.
bool NeedsMeasures(const compare::Gate& gate) {
  return gate.metric == compare::GateMetric::kMemory || gate.metric == compare::GateMetric::kEnergy;
}

}  // namespace

void AddGateFields(core::RequestFields& fields, GateRequest& request) {
  fields.Add(
      "baseline", &request.baseline,
      {.help = "Compare with this baseline (`xsp baseline set`): its experiment is the first "
               "side",
       .value_name = "NAME"});
  fields.Add("gate", &request.gates,
             {.help = "How much worse the other side may be: latency, throughput, memory, device "
                      "(time), energy, or the rows layer:GLOB, module:GLOB, kernel:GLOB together. "
                      "Exit status 6: a gate is not met, 7: that cannot be known",
              .value_name = "METRIC=SHARE,...",
              .list = core::ListStyle::kOneWord});
  fields.Add(
      "gate_noise", &request.noise,
      {.help = "The difference between two runs of one program that gates assume where it is "
               "not known (one process or trace of a side) or the machine was busy, such as "
               "5%. Without it they are inconclusive; 0% compares the numbers as they are",
       .value_name = "SHARE",
       .needs = "gate"});
  fields.Add("junit", &request.junit,
             {.help = "Also write the gates to this file, as JUnit XML",
              .value_name = "FILE",
              .refers = core::Refers::kOutput,
              .needs = "gate"});
}

Result<std::vector<std::string>> WithBaseline(const Context& context, const GateRequest& request,
                                              std::vector<std::string> sides) {
  if (request.baseline.empty()) return sides;
  XSP_TRY(const store::Baseline baseline, store::FindBaseline(context.store, request.baseline));
  sides.insert(sides.begin(), baseline.selector.empty()
                                  ? baseline.experiment
                                  : fmt::format("{}#{}", baseline.experiment, baseline.selector));
  return sides;
}

Result<GateCheck> GateCheck::Create(const GateRequest& request) {
  GateCheck check;
  XSP_TRY(check.gates_, compare::ParseGates(request.gates));
  if (!request.noise.empty()) {
    XSP_TRY(check.noise_, compare::ParseShare(request.noise, "the noise of gates"));
  }
  check.junit_ = request.junit;
  return check;
}

Status GateCheck::Judge(const compare::Sides& sides, const compare::ComparedSides& compared,
                        json& pair) const {
  if (gates_.empty()) return Ok{};
  compare::SideMeasures a, b;
  if (std::ranges::any_of(gates_, NeedsMeasures)) {
    XSP_TRY(a, compare::ReadMeasures(sides.a));
    XSP_TRY(b, compare::ReadMeasures(sides.b));
  }
  json& documents = pair["gates"] = json::array();
  for (const compare::GateResult& result :
       compare::JudgeGates(sides, compared, a, b, gates_, noise_))
    documents.push_back(GateDocument(result));
  return Ok{};
}

Status GateCheck::Finish(Document& document) const {
  if (gates_.empty()) return Ok{};
  json& content = std::get<json>(document.content);
  std::vector<const json*> pairs;
  if (content.contains("pairs")) {
    for (const json& pair : content["pairs"]) pairs.push_back(&pair);
  } else {
    pairs.push_back(&content);
  }
  std::string worst = "pass";
  for (const json* pair : pairs) {
    for (const json& gate : (*pair)["gates"])
      if (gate["outcome"] == "regression" || worst == "pass") worst = gate["outcome"];
  }
  if (worst == "regression") document.exit_status = static_cast<int>(ErrorKind::kGate);
  if (worst == "inconclusive") document.exit_status = static_cast<int>(ErrorKind::kInconclusive);
  const std::string report = JunitXml(pairs);
  content["outcome"] = worst;
  return junit_.empty() ? Status(Ok{}) : os::WriteFileAtomically(junit_, report);
}

}  // namespace xsp::api
