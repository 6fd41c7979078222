#include <algorithm>
#include <filesystem>

#include "api/operation.h"
#include "api/operations/machine_roofs.h"
#include "api/operations/stack_capture.h"
#include "api/operations/stack_difference_document.h"
#include "capture/collect/collector.h"
#include "capture/collect/stack.h"
#include "capture/collect/stack_difference.h"
#include "core/json_text.h"

namespace xsp::api::system_operation {
namespace {

using nlohmann::json;

struct Request {
  RoofOptions roofs;
  bool no_roofs = false;
  std::vector<std::string> diff;  // A, or A and B.
  bool all = false;
  std::string device;
  std::filesystem::path picture;
};

Result<std::vector<ProcessorRoofs>> Roofs(const Context& context, const Request& request) {
  if (!request.device.empty()) {
    XSP_TRY(ProcessorRoofs sheet, RoofsOfDataSheet(request.device));
    return std::vector<ProcessorRoofs>{std::move(sheet)};
  }
  if (request.no_roofs) return std::vector<ProcessorRoofs>{};
  return RoofsOfThisMachine(request.roofs, *context.progress);
}

json DocumentOf(const std::vector<collect::Fact>& stack, const std::vector<ProcessorRoofs>& all) {
  json document = ToJson(all.empty() ? ProcessorRoofs() : all.front());
  document["stack"] = core::ParseJson(collect::ToJson(stack));
  json facts = json::array();
  for (const collect::Fact& fact : stack)
    facts.push_back({{"key", fact.key},
                     {"value", fact.value.empty() ? json() : json(fact.value)},
                     {"why", fact.why}});
  document["stack_facts"] = std::move(facts);
  document["gpus"] = json::array();
  for (std::size_t i = 1; i < all.size(); ++i) document["gpus"].push_back(ToJson(all[i]));
  return document;
}

Result<Document> System(const Context& context, const Request& request) {
  if (!request.picture.empty() && request.picture.extension() != ".svg" &&
      request.picture.extension() != ".html") {
    return Error{ErrorKind::kUsage, "a chart is an .svg or .html file: " + request.picture.string(),
                 "xsp system -o roofs.svg"};
  }
  const std::vector<collect::Fact> stack = request.device.empty()
                                               ? collect::CaptureStack(collect::AllCollectors())
                                               : std::vector<collect::Fact>();
  XSP_TRY(const std::vector<ProcessorRoofs> all, Roofs(context, request));
  Document document{.content = DocumentOf(stack, all)};
  if (request.picture.empty()) return document;
  XSP_TRY(const auto files, WriteRooflines(all, request.picture));
  for (const std::filesystem::path& file : files)
    document.notes.push_back("wrote " + file.string());
  return document;
}

/// What differs between two captured stacks; the second is this machine now where only one is
/// named.
Result<Document> Diff(const Context& context, const Request& request) {
  XSP_TRY(const StackCapture a, ReadStackCapture(context.store, request.diff.front()));
  StackCapture b;
  if (request.diff.size() > 1) {
    XSP_TRY(b, ReadStackCapture(context.store, request.diff.back()));
  } else {
    b = CaptureThisMachine();
  }
  const auto momentary = [&](std::string_view key) {
    return !request.all && collect::IsMomentary(key, collect::AllCollectors());
  };
  return Document{.content =
                      StackDifferenceDocument(a, b, collect::Compare(a.facts, b.facts, momentary))};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("again", &request->roofs.again,
             {.help = "Measure the roofs again even if they are cached"});
  fields.Add("no_roofs", &request->no_roofs, {.help = "Omit the roofs"});
  fields.Add("output", &request->picture,
             {.help = "Write a chart of the roofs: slopes of bandwidth and ceilings of data types, "
                      "with ridges",
              .value_name = "FILE.svg|FILE.html",
              .refers = core::Refers::kOutput,
              .excludes = {"no_roofs"},
              .letter = 'o'});
  fields.Add("device", &request->device,
             {.help = "Show the data sheet of this GPU or CPU instead of this machine",
              .value_name = "NAME"});
  fields.Add("cores", &request->roofs.cores,
             {.help = "Number of cores that a job may use (0: all)", .value_name = "N"});
  fields.Add(
      "diff", &request->diff,
      {.help = "Show the differences between the stacks A and B, each a file that `xsp system "
               "--format json` wrote, an experiment or a run; without B, this machine now",
       .value_name = "A [B]",
       .refers = core::Refers::kStored,
       .max_items = 2});
  fields.Add(
      "all", &request->all,
      {.help = "With --diff: also compare momentary facts (load, uptime, ...)", .needs = "diff"});
  return [&context, request] {
    return request->diff.empty() ? System(context, *request) : Diff(context, *request);
  };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "system",
    .summary = "Shows this machine's stack and its roofs, with how they were measured",
    .example =
        "xsp system -o roofs.svg\n"
        "         xsp system --device \"NVIDIA H100 80GB HBM3\" -o h100.html",
    .effect = Effect::kMeasures,
    .result = R"({"type": "object", "oneOf": [
      {"required": ["processor", "roofs", "data_sheet", "stack"]},
      {"required": ["differences"], "description": "With diff"}], "properties": {
        "processor": {"type": "string", "description": "Empty: without roofs"},
        "roofs": {"type": "array", "description": "As measured", "items": {"type": "object",
          "properties": {
            "kind": {"enum": ["flops", "bandwidth"]}, "name": {"type": "string"},
            "dtype": {"type": "string"}, "unit": {"type": "string"}, "cores": {"type": "integer"},
            "value": {"type": "number", "description": "FLOP/s (int8: op/s) or byte/s"},
            "provenance": {"type": "string"}, "how": {"type": "string"},
            "used": {"type": "boolean"}, "share_of_data_sheet": {"type": "number"},
            "explanation": {"type": "string"}}}},
        "data_sheet": {"type": "array", "items": {"type": "object"}},
        "no_data_sheet": {"type": "string", "description": "Why there is none"},
        "measured_at": {"type": "string"}, "conditions": {"type": "string"},
        "gpus": {"type": "array", "items": {"type": "object"},
          "description": "Each as the processor"},
        "stack": {"type": "object", "description": "Facts by part; hidden: why a fact has no value"},
        "stack_facts": {"type": "array", "description": "The same in the order of capture",
          "items": {"type": "object", "properties": {"key": {"type": "string"},
            "value": {"type": ["string", "null"]}, "why": {"type": "string"}}}},
        "a": {"type": "object"}, "b": {"type": "object"},
        "differences": {"type": "array", "items": {"type": "object", "properties": {
          "key": {"type": "string"},
          "a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]},
          "a_hidden": {"type": ["string", "null"]}, "b_hidden": {"type": ["string", "null"]}}}},
        "same": {"type": "integer"}, "left_out": {"type": "integer"},
        "only_in_a": {"type": "array", "items": {"type": "string"}},
        "only_in_b": {"type": "array", "items": {"type": "string"}}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
};

}  // namespace xsp::api::system_operation
