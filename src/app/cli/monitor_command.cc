#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "answer/wording/quantity.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/program_arguments.h"
#include "app/cli/started_program.h"
#include "capture/monitor/sampler.h"
#include "core/number_check.h"
#include "measure/sessions/monitor_session.h"
#include "store/export.h"

namespace xsp::cli::monitor {
namespace {

using nlohmann::json;
using wording::FormatQuantity;

struct Options {
  sessions::MonitorRequest request;
  std::vector<std::string> misplaced;  ///< What should stand after `--`.
  std::filesystem::path output;
  Format format = Format::kTable;
};

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

/// Each value with a unit and a prefix of its own: they are of many kinds.
std::string ForPeople(const Line& line, const std::optional<double>& value) {
  if (!value) return "-";
  return FormatQuantity(*value, line.unit, line.unit == "1" && line.name.ends_with("_share"));
}

std::string SummaryText(const std::vector<Line>& lines, const sessions::MonitorOutcome& outcome) {
  store::Table table{{"what", "of", "mean", "most"}, {}};
  for (const Line& line : lines)
    table.rows.push_back(
        {line.name, line.part, ForPeople(line, line.mean), ForPeople(line, line.most)});
  std::string text =
      xsp::report::RenderTable({{"what", ""}, {"of", ""}, {"mean", ""}, {"most", ""}}, table,
                               xsp::report::StyleOfStandardOutput());
  if (!text.ends_with('\n')) text += '\n';
  for (const xsp::monitor::Hidden& hidden : outcome.series.hidden)
    text += fmt::format("not visible: {}: {}\n", hidden.name, hidden.why);
  text += fmt::format("{} samples in {:.3g} s. {}\n", outcome.series.samples,
                      static_cast<double>(outcome.series.wall_ns) * 1e-9,
                      sessions::CostSentence(outcome.series));
  if (outcome.stored.ok()) text += outcome.stored.value().string() + "\n";
  return text;
}

std::string SummaryJson(const std::vector<Line>& lines, const sessions::MonitorOutcome& outcome) {
  const xsp::monitor::Series& series = outcome.series;
  json hidden = json::array();
  for (const xsp::monitor::Hidden& item : series.hidden)
    hidden.push_back({{"name", item.name}, {"why", item.why}});
  json program = nullptr;
  if (outcome.exit) program = {{"exit_code", outcome.exit->code}, {"signal", outcome.exit->signal}};
  return json{{"run", outcome.stored.ok() ? json(outcome.stored.value().string()) : json()},
              {"samples", series.samples},
              {"seconds", static_cast<double>(series.wall_ns) * 1e-9},
              {"monitor_share", series.CostShare()},
              {"late", series.late},
              {"program", program},
              {"summary", json::parse(store::ToJson(SummaryTable(lines)))},
              {"hidden", hidden}}
      .dump(2, ' ', false, json::error_handler_t::replace);
}

std::string Summary(const Options& options, const sessions::MonitorOutcome& outcome) {
  const std::vector<Line> lines = SummaryLines(outcome.series);
  if (options.format == Format::kCsv) return store::ToCsv(SummaryTable(lines));
  if (options.format == Format::kJson) return SummaryJson(lines, outcome);
  return SummaryText(lines, outcome);
}

Result<int> Monitor(const Session& session, const Options& options) {
  sessions::MonitorRequest request = options.request;
  request.program = ProgramArguments();
  if (!options.misplaced.empty()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("program is not after `--`: {}", options.misplaced.front()),
                 fmt::format("xsp monitor -- {}", fmt::join(options.misplaced, " "))};
  }
  request.store = session.store;
  request.command = session.command_line;
  if (!request.program.empty() && request.seconds > 0) {
    return Error{ErrorKind::kUsage, "--seconds cannot be combined with a program",
                 "The machine is sampled for as long as the program runs."};
  }
  XSP_TRY(const sessions::MonitorOutcome outcome, sessions::MonitorMachine(request));
  Status delivered = DeliverBeside(options.output, Summary(options, outcome));
  if (!outcome.stored.ok()) delivered = outcome.stored.error();
  if (outcome.exit) return EndAsTheProgram(*outcome.exit, delivered);
  XSP_RETURN_IF_ERROR(delivered);
  const bool too_early = outcome.interrupted && request.seconds > 0;
  return too_early ? static_cast<int>(ErrorKind::kInterrupted) : 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("--rate", options->request.rate_hz, "Samples per second, 0.01 to 1000")
      ->type_name("HZ")
      ->capture_default_str();
  app.add_option("--seconds", options->request.seconds,
                 "Without COMMAND: duration (default: until Ctrl-C)")
      ->type_name("S")
      ->check(core::PositiveNumber);
  app.add_option("--name", options->request.name,
                 "Name of the experiment in the store (default: COMMAND's name and the time)")
      ->type_name("NAME");
  app.add_option("-o,--output", options->output, "Write the summary to this file")
      ->type_name("FILE");
  std::string sampled =
      "After `--`: a program and its arguments. The machine is sampled while it runs; its input, "
      "output, exit status and signals do not change, and the summary goes to standard error. "
      "Samplers:";
  for (const SamplerSpec* sampler : xsp::monitor::AllSamplers())
    sampled += fmt::format("\n  {}: {}", sampler->name, sampler->summary);
  // By this name main() knows that a program may follow.
  app.add_option("COMMAND", options->misplaced, sampled)->type_name("");
  AddFormatOption(app, &options->format);
  return [&session, options] { return Monitor(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "monitor",
    .summary = "Samples CPUs, memory, disks, network, GPUs and power while a program runs",
    .example =
        "xsp monitor -- python3 train.py\n"
        "         xsp monitor --rate 20 --format json -o usage.json -- make -j8\n"
        "         xsp monitor --seconds 10",
    .declare = Declare,
};

}  // namespace xsp::cli::monitor
