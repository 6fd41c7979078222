#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "collect/stack.h"
#include "machine/roof.h"
#include "registry/registry.h"

namespace xsp::cli::system {
namespace {

using nlohmann::json;

struct Options {
  bool again = false;
  bool no_roofs = false;
  int cores = 0;
  Format format = Format::kTable;
};

store::Table RoofTable(const machine::RoofReport& report) {
  store::Table table{
      {"kind", "name", "dtype", "unit", "cores", "value", "value_unit", "used", "how"}, {}};
  for (const machine::Roof& roof : report.roofs) {
    table.rows.push_back({roof.kind, roof.name, roof.dtype, roof.unit, std::int64_t{roof.cores},
                          roof.value,
                          std::string(roof.kind == "bandwidth" ? "byte/s"
                                      : roof.dtype == "int8"   ? "op/s"
                                                               : "FLOP/s"),
                          roof.used, roof.how});
  }
  return table;
}

void PrintForPeople(const std::vector<collect::Fact>& stack, const machine::RoofReport* report) {
  const xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  std::size_t widest = 0;
  for (const collect::Fact& fact : stack) widest = std::max(widest, fact.key.size());
  for (const collect::Fact& fact : stack) {
    const std::string text =
        fact.value.empty() ? fmt::format("not visible: {}", fact.why) : fact.value;
    PrintLine(fmt::format("{:<{}}  {}", fact.key, widest, text));
  }
  if (report == nullptr) return;
  PrintLine(fmt::format("\nRoofs, measured {} ({})", report->measured_at, report->conditions));
  for (const char* kind : {"flops", "bandwidth"}) {
    store::Table table{{"name", "cores", "value", "used", "how"}, {}};
    for (const machine::Roof& roof : report->roofs)
      if (roof.kind == kind)
        table.rows.push_back(
            {roof.name, std::int64_t{roof.cores}, roof.value, roof.used, roof.how});
    PrintLine(xsp::report::RenderTable(
        {{"name", ""},
         {"cores", ""},
         {"value", std::string_view(kind) == "flops" ? "flop/s" : "byte/s"},
         {"used", ""},
         {"how", ""}},
        table, style));
  }
}

Result<int> System(const Options& options) {
  const std::vector<collect::Fact> stack = collect::CaptureStack(registry::AllCollectors());
  machine::RoofReport report;
  if (!options.no_roofs) {
    ProgressLine progress;
    XSP_TRY(report,
            machine::MeasuredRoofs({.cores = options.cores,
                                    .again = options.again,
                                    .progress = [&](std::string_view step, double fraction) {
                                      progress.Step(step, fraction, -1);
                                    }}));
  }
  if (options.format == Format::kCsv) {
    Print(RoofTable(report), {}, Format::kCsv);
  } else if (options.format == Format::kTable) {
    PrintForPeople(stack, options.no_roofs ? nullptr : &report);
  } else {
    json roofs = json::array();
    for (const machine::Roof& roof : report.roofs)
      roofs.push_back({{"kind", roof.kind},
                       {"name", roof.name},
                       {"dtype", roof.dtype},
                       {"unit", roof.unit},
                       {"cores", roof.cores},
                       {"value", roof.value},
                       {"provenance", roof.provenance},
                       {"how", roof.how},
                       {"used", roof.used}});
    PrintLine(json{{"stack", json::parse(collect::ToJson(stack), nullptr, false)},
                   {"roofs", std::move(roofs)},
                   {"measured_at", report.measured_at},
                   {"conditions", report.conditions}}
                  .dump(2));
  }
  return 0;
}

Action Declare(CLI::App& app, const Session&) {
  auto options = std::make_shared<Options>();
  app.add_flag("--again", options->again, "Measure the roofs even when they are known");
  app.add_flag("--no-roofs", options->no_roofs, "Leave the roofs out");
  app.add_option("--cores", options->cores, "Cores that a job may use (0: all)")
      ->type_name("N")
      ->capture_default_str();
  AddFormatOption(app, &options->format);
  return [options] { return System(*options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "system",
    .summary = "This machine: its stack, and its roofs with how they were found",
    .example = "xsp system --format json",
    .declare = Declare,
};

}  // namespace xsp::cli::system
