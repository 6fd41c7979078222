#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "answer/compare_page/compare_page.h"
#include "api/operation.h"
#include "api/operations/compare_document.h"
#include "api/operations/compare_gates.h"
#include "api/operations/compared_sources.h"
#include "derive/compare/compared_sides.h"
#include "derive/history/session_sources.h"

namespace xsp::api::compare_operation {
namespace {

using nlohmann::json;

struct Request {
  std::vector<std::string> sides;
  std::string bound;
  GateRequest gates;
  std::filesystem::path output;
};

/// "2%" or "0.02" as 0.02. Nothing where it is empty.
Result<std::optional<double>> ParseBound(const std::string& text) {
  if (text.empty()) return std::optional<double>();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string_view unit = end;
  const double bound = unit == "%" ? number / 100 : number;
  if (end == text.c_str() || !(unit.empty() || unit == "%") || !(bound > 0 && bound < 1))
    return Error{ErrorKind::kUsage, fmt::format("not a share above 0 and below 1: bound {}", text),
                 "For example: --bound 2%"};
  return std::optional(bound);
}

/// Of other sessions, where it would widen an interval. A store that cannot be read knows none.
compare::SessionNoise NoiseOfSessions(const Context& context, const compare::Sides& sides) {
  const bool has_interval = sides.a.calls.size() > 1 && sides.b.calls.size() > 1;
  if (!has_interval || compare::WereMeasuredTogether(sides)) return {};
  auto noise = history::ReadSessionNoise(context.store, sides);
  return noise.ok() ? std::move(noise).value() : compare::SessionNoise();
}

Result<Document> Compare(const Context& context, const Request& request) {
  XSP_TRY(const std::optional<double> bound, ParseBound(request.bound));
  XSP_TRY(const GateCheck gates, GateCheck::Create(request.gates));
  XSP_TRY(const std::vector<std::string> names,
          WithBaseline(context, request.gates, request.sides));
  XSP_TRY(const ComparedSources sources, FindSources(context, names));
  Document document;
  json pairs = json::array();
  compare_page::ComparePage page(sources.pairs.size(), context.command_line);
  for (const auto& [a, b] : sources.pairs) {
    XSP_TRY(const compare::Sides sides, compare::ReadSides(a, b));
    const compare::ComparedSides compared =
        compare::CompareSides(sides, bound, NoiseOfSessions(context, sides));
    pairs.push_back(CompareDocument(sides, compared));
    XSP_RETURN_IF_ERROR(gates.Judge(sides, compared, pairs.back()));
    if (!request.output.empty()) XSP_RETURN_IF_ERROR(page.Add(sides, compared, pairs.back()));
    NoteComparison(sides, compared, document.notes);
  }
  if (pairs.size() == 1) {
    document.content = std::move(pairs.front());
  } else {
    document.content = json{{"pairs", std::move(pairs)}};
  }
  XSP_RETURN_IF_ERROR(gates.Finish(document));
  if (!request.output.empty()) {
    XSP_RETURN_IF_ERROR(page.Write(document.notes, request.output));
    std::get<json>(document.content)["page"] = request.output.string();
  }
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("side", &request->sides,
             {.help = "What to compare, the base first: names in the store, NAME/RUN, directories, "
                      "or files of a profiler (or a folder of one execution's), which are not "
                      "stored. NAME#batch=8,backend=torch is "
                      "one point (also device, precision, model, point)",
              .value_name = "SIDE",
              .refers = core::Refers::kStored,
              .required = true,
              .positional = true});
  fields.Add("bound", &request->bound,
             {.help = "The verdict is `equivalent` if the whole interval of the ratio lies within "
                      "this relative difference, such as 2%",
              .value_name = "SHARE"});
  AddGateFields(fields, request->gates);
  fields.Add("output", &request->output,
             {.help = "Also write a page with charts to this file",
              .value_name = "FILE.html",
              .refers = core::Refers::kOutputPage,
              .letter = 'o'});
  return [&context, request] { return Compare(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "compare",
    .summary = "Compares two or more experiments, runs or traces: which is faster, and where",
    .example = "xsp compare before after --bound 2%",
    .effect = Effect::kReads,
    .result = R"({"type": "object",
      "description": "One pair of sides; of several the object {pairs: [...]}, against the first",
      "properties": {
        "pairs": {"type": "array", "items": {"type": "object"},
          "description": "Where there are several; each an object as this one"},
        "page": {"type": "string", "description": "With output: path of the page"},
        "sides": {"type": "array", "items": {"type": "object", "properties": {
          "name": {"type": "string"},
          "total_ns": {"type": "number", "description": "Of the basis, mean per model call"},
          "device_ns": {"type": ["number", "null"],
            "description": "Sum of the durations of device work; null: none"},
          "busy_ns": {"type": ["number", "null"], "description": "Its union, by device"},
          "wall_ns": {"type": "number", "description": "Duration of a model call"},
          "calls": {"type": "integer"},
          "processes": {"type": "integer", "description": "With unprofiled calls"},
          "kernels_outside": {"type": "integer", "description": "In no model call or step"},
          "device_time": {"type": ["object", "null"],
            "description": "How devices spent their time: mean per step"}}}},
        "basis": {"enum": ["device", "host"],
          "description": "device: device work; host: layers and the time between them"},
        "comparable": {"type": "object", "properties": {
          "verdict": {"enum": ["yes", "partly", "no"]},
          "without_layers": {"type": ["string", "null"],
            "description": "Which side has no layers while the other has, and how to get them"},
          "differences": {"type": "array", "items": {"type": "object", "properties": {
            "what": {"type": "string"}, "a": {"type": "string"}, "b": {"type": "string"},
            "matters": {"type": "boolean",
              "description": "It can by itself explain a difference in time"}}}}}},
        "verdict": {"enum": ["faster", "slower", "no_difference", "equivalent", "inconclusive",
          "unknown_noise"], "description": "Of the second side"},
        "reason": {"type": ["string", "null"]},
        "ratio": {"type": ["number", "null"], "description": "Second side / first"},
        "low": {"type": ["number", "null"], "description": "Of its 95 % interval"},
        "high": {"type": ["number", "null"]},
        "sessions": {"type": ["object", "null"],
          "description": "Of two sessions; null: the sides were measured alternately", "properties": {
          "others": {"type": "integer",
            "description": "Other sessions of the same programs in the store"},
          "spread": {"type": ["number", "null"],
            "description": "Standard deviation of the logarithms of their latencies"},
          "included": {"type": "boolean", "description": "Whether intervals include the spread"}}},
        "ratio_of": {"enum": ["latency", "total"],
          "description": "latency: of calls without profiling; total: of total_ns"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {
          "path": {"type": "string"},
          "b_path": {"type": "string", "description": "In the second side, if it differs"},
          "kind": {"enum": ["module", "operator", "kernel", "communication", "copy", "set",
            "between"]},
          "leaf": {"type": "boolean", "description": "Its time is in no other row"},
          "a_ns": {"type": ["number", "null"], "description": "null: not in this side"},
          "b_ns": {"type": ["number", "null"]},
          "difference_ns": {"type": "number"},
          "verdict": {"type": "string"},
          "ratio": {"type": ["number", "null"],
            "description": "Second / first over all processes; absent: noise not known"},
          "low": {"type": ["number", "null"], "description": "Of its own 95 % interval"},
          "high": {"type": ["number", "null"]},
          "relative": {"type": "object",
            "description": "Likewise relative to the rest, where the verdict uses it"}}}},
        "difference_ns": {"type": "number", "description": "Of total_ns"},
        "gates": {"type": "array", "description": "Where gates were given", "items": {
          "type": "object", "properties": {
          "gate": {"type": "string", "description": "As given"},
          "metric": {"enum": ["latency", "throughput", "memory", "device", "energy", "layer",
            "module", "kernel"]},
          "limit": {"type": "number", "description": "Share of the first side"},
          "outcome": {"enum": ["pass", "regression", "inconclusive"]},
          "value": {"type": ["number", "null"], "description": "Second side / first"},
          "low": {"type": ["number", "null"],
            "description": "Of its 95 % interval, measured or with the assumed noise"},
          "high": {"type": ["number", "null"]},
          "a": {"type": ["number", "null"]}, "b": {"type": ["number", "null"]},
          "unit": {"type": "string", "description": "Of a and b"},
          "of": {"type": ["string", "null"],
            "description": "Which value it is, where the metric does not say"},
          "reason": {"type": ["string", "null"]},
          "nodes": {"type": "array", "description": "Unless it passed: what took more time",
            "items": {"type": "object", "properties": {
            "path": {"type": "string"}, "kind": {"type": "string"},
            "a_ns": {"type": ["number", "null"]}, "b_ns": {"type": ["number", "null"]},
            "difference_ns": {"type": "number"},
            "share": {"type": "number", "description": "Of the difference"}}}}}}},
        "outcome": {"enum": ["pass", "regression", "inconclusive"],
          "description": "The worst of all gates of all pairs"},
        "residual_ns": {"type": "number", "description": "Part of it that is in no leaf"},
        "aligned_share": {"type": ["number", "null"],
          "description": "Share of the time of both in leaves that both have"}}})",
    .declare = Declare,
};

}  // namespace xsp::api::compare_operation
