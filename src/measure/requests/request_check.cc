#include "measure/requests/request_check.h"

#include <fmt/format.h>

#include <utility>

#include "core/utf8.h"
#include "measure/manifest/given_input.h"
#include "measure/requests/backend_option.h"

namespace xsp::requests {

using nlohmann::json;

namespace {

constexpr std::int64_t kLargestBatch = 1 << 20;
constexpr int kMostIterations = 1'000'000;
constexpr int kMostProcesses = 100;

Error Usage(std::string what, std::string hint) {
  return {ErrorKind::kUsage, std::move(what), std::move(hint)};
}

}  // namespace

Status CheckRequest(const ExperimentRequest& request) {
  // Workers are told both as JSON, which has no other text.
  for (const std::string& text : {request.model, request.name})
    if (!core::IsCleanUtf8(text))
      return Usage("the path of the model, or the experiment's name, is not UTF-8: " +
                       core::ToCleanUtf8(text),
                   "Rename the file, or choose another name.");
  if (request.batches.empty()) return Usage("no batch size", "Give one with --batch 1,2,4.");
  for (std::int64_t batch : request.batches) {
    if (batch < 1 || batch > kLargestBatch)
      return Usage(fmt::format("batch size is not between 1 and {}: {}", kLargestBatch, batch), "");
  }
  if (request.iterations < 1 || request.iterations > kMostIterations) {
    return Usage(
        fmt::format("iterations are not between 1 and {}: {}", kMostIterations, request.iterations),
        "");
  }
  if (!(request.precision_target >= 0 && request.precision_target < 1))
    return Usage(
        fmt::format("precision target is not between 0 and 100 %: {}", request.precision_target),
        "Write --precision-target 5%.");
  if (request.time_limit_s < 0)
    return Usage(fmt::format("time limit is negative: {}", request.time_limit_s), "");
  if (request.processes < 0 || request.processes > kMostProcesses)
    return Usage(
        fmt::format("processes are not between 1 and {}: {}", kMostProcesses, request.processes),
        "");
  if (request.loads < 1 || request.loads > request.iterations)
    return Usage(fmt::format("loads are not between 1 and {}, the number of calls: {}",
                             request.iterations, request.loads),
                 "Give more calls with --iterations.");
  if (request.loads > 1 && (!request.scenario.kind.empty() || !request.dataset.text.empty()))
    return Usage("a scenario or a data set loads the model once",
                 "Leave out --loads, or the other.");
  if (request.threads < 0)
    return Usage(fmt::format("threads are negative: {}", request.threads),
                 "0: the framework's choice.");
  if (request.warmup_limit_s < 0)
    return Usage(fmt::format("warm-up limit is negative: {}", request.warmup_limit_s),
                 "0: no limit of time.");
  if (request.deadline_s < 0)
    return Usage(fmt::format("deadline is negative: {}", request.deadline_s), "");
  if (request.memory_limit_bytes < 0)
    return Usage(fmt::format("memory limit is negative: {}", request.memory_limit_bytes), "");
  for (const std::string& input : request.inputs) {
    XSP_TRY(const json given, manifest::ParseGivenInput(input));
    if (!given.contains("name") && request.inputs.size() > 1)
      return Usage(fmt::format("several inputs, and one without its name: {}", input),
                   "Write --input NAME=SHAPE for each.");
  }
  for (const std::string& option : request.options) {
    if (!ParseOption(option))
      return Usage(fmt::format("option is not NAME=VALUE: {}", option),
                   "For one of several backends write BACKEND:NAME=VALUE.");
  }
  if (!request.worker.empty() && request.backends.size() > 1)
    return Usage("one worker program for several backends", "Name only one of them.");
  return Ok{};
}

}  // namespace xsp::requests
