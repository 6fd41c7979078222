#include <fmt/format.h>

#include <optional>

#include "api/operation.h"
#include "api/operations/program_status.h"
#include "capture/monitor/sampler.h"
#include "core/json_text.h"
#include "measure/sessions/monitor_session.h"
#include "store/export.h"

namespace xsp::api::monitor_operation {
namespace {

using nlohmann::json;

/// A row of the summary: what, of which part, unit, mean and greatest value.
struct Line {
  std::string name, part, unit;
  std::optional<double> mean, most;
};

/// The columns of table 6 first, then every series that has values.
std::vector<Line> SummaryLines(const xsp::monitor::Series& series) {
  const std::vector<std::size_t> rows = xsp::monitor::AllRows(series);
  const xsp::monitor::SystemUsage usage = xsp::monitor::UsageIn(series, rows);
  std::vector<Line> lines = {
      {"cpu_pct", "", "%", usage.cpu_pct, usage.cpu_pct_most},
      {"gpu_pct_sum", "", "%", usage.gpu_pct_sum, usage.gpu_pct_sum_most},
      {"system_memory_mb", "", "MB", usage.system_memory_mb, usage.system_memory_mb_most},
      {"gpu_memory_mb_sum", "", "MB", usage.gpu_memory_mb_sum, usage.gpu_memory_mb_sum_most},
      {"pcie_mbps", "", "Mbit/s", usage.pcie_mbps, std::nullopt},
      {"nvlink_mbps", "", "Mbit/s", usage.nvlink_mbps, std::nullopt}};
  for (const xsp::monitor::ChannelSummary& channel : xsp::monitor::Summarise(series, rows)) {
    lines.push_back({channel.channel->name, channel.channel->part, channel.channel->unit,
                     channel.mean, channel.most});
  }
  return lines;
}

store::Table SummaryTable(const std::vector<Line>& lines) {
  const auto cell = [](const std::optional<double>& value) {
    return value ? store::Cell(*value) : store::Cell();
  };
  store::Table table{{"name", "part", "unit", "mean", "most"}, {}};
  for (const Line& line : lines)
    table.rows.push_back({line.name, line.part, line.unit, cell(line.mean), cell(line.most)});
  return table;
}

json DocumentOf(const sessions::MonitorOutcome& outcome) {
  const xsp::monitor::Series& series = outcome.series;
  json hidden = json::array();
  for (const xsp::monitor::Hidden& item : series.hidden)
    hidden.push_back({{"name", item.name}, {"why", item.why}});
  json program = nullptr;
  if (outcome.exit) program = {{"exit_code", outcome.exit->code}, {"signal", outcome.exit->signal}};
  return {{"run", outcome.stored.ok() ? json(outcome.stored.value().string()) : json()},
          {"samples", series.samples},
          {"seconds", static_cast<double>(series.wall_ns) * 1e-9},
          {"monitor_share", series.CostShare()},
          {"monitor_cost", sessions::CostSentence(series)},
          {"late", series.late},
          {"program", std::move(program)},
          {"summary", core::ParseJson(store::ToJson(SummaryTable(SummaryLines(series))))},
          {"hidden", std::move(hidden)}};
}

Result<Document> Monitor(const Context& context, const sessions::MonitorRequest& given) {
  sessions::MonitorRequest request = given;
  request.store = context.store;
  request.command = context.command_line;
  request.progress = context.progress;
  if (!request.program.empty() && request.seconds > 0) {
    return Error{ErrorKind::kUsage, "--seconds cannot be combined with a program",
                 "The machine is sampled for as long as the program runs."};
  }
  // Otherwise signals are the program's.
  if (request.program.empty()) request.interrupts = &context.interrupts();
  XSP_TRY(const sessions::MonitorOutcome outcome, sessions::MonitorMachine(request));
  Document document{.content = DocumentOf(outcome)};
  if (outcome.exit) document.exit_status = StatusOfProgram(*outcome.exit);
  if (outcome.interrupted && request.seconds > 0)
    document.exit_status = static_cast<int>(ErrorKind::kInterrupted);
  if (!outcome.stored.ok()) NoteFailure(outcome.stored.error(), document);
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<sessions::MonitorRequest>();
  fields.Add("rate", &request->rate_hz,
             {.help = "Samples per second, 0.01 to 1000", .value_name = "HZ", .unit = "Hz"});
  fields.Add("seconds", &request->seconds,
             {.help = "Without COMMAND: duration (default: until Ctrl-C)",
              .value_name = "S",
              .unit = "s",
              .range = core::kNonNegative});
  fields.Add("name", &request->name,
             {.help = "Name of the experiment in the store (default: COMMAND's name and the time)",
              .value_name = "NAME"});
  std::string sampled =
      "After `--`: a program and its arguments. The machine is sampled while it runs; its input, "
      "output, exit status and signals do not change, and the summary goes to standard error. "
      "Samplers:";
  for (const SamplerSpec* sampler : xsp::monitor::AllSamplers())
    sampled += fmt::format("\n  {}: {}", sampler->name, sampler->summary);
  fields.Add("program", &request->program,
             {.help = sampled, .refers = core::Refers::kProgram, .program = true});
  return [&context, request] { return Monitor(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "monitor",
    .summary = "Samples CPUs, memory, disks, network, GPUs and power while a program runs",
    .example =
        "xsp monitor -- python3 train.py\n"
        "         xsp monitor --rate 20 --format json -o usage.json -- make -j8\n"
        "         xsp monitor --seconds 10",
    .effect = Effect::kMeasures,
    .result = R"({"type": "object", "required": ["run", "samples", "seconds", "summary"],
      "properties": {
        "run": {"type": ["string", "null"],
          "description": "Path of the experiment; null: it could not be stored"},
        "samples": {"type": "integer"},
        "seconds": {"type": "number"},
        "monitor_share": {"type": "number", "description": "Of one core, for sampling"},
        "monitor_cost": {"type": "string"},
        "late": {"type": "integer", "description": "Samples that came late"},
        "program": {"type": ["object", "null"], "properties": {
          "exit_code": {"type": "integer"}, "signal": {"type": "integer"}}},
        "summary": {"type": "array", "items": {"type": "object", "properties": {
          "name": {"type": "string"}, "part": {"type": "string"}, "unit": {"type": "string"},
          "mean": {"type": ["number", "null"]}, "most": {"type": ["number", "null"]}}}},
        "hidden": {"type": "array", "items": {"type": "object", "properties": {
          "name": {"type": "string"}, "why": {"type": "string"}}}}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
};

}  // namespace xsp::api::monitor_operation
