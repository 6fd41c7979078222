#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/stack_capture.h"
#include "cli/stack_difference_output.h"
#include "collect/stack.h"
#include "collect/stack_difference.h"
#include "machine/roof.h"
#include "registry/registry.h"

namespace xsp::cli::system {
namespace {

using nlohmann::json;

struct Options {
  bool again = false;
  bool no_roofs = false;
  int cores = 0;
  std::vector<std::string> diff;  // A, or A and B.
  bool all = false;
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

/// What differs between two captured stacks; the second is this machine now where only one is
/// named.
Result<int> Diff(const Session& session, const Options& options) {
  XSP_TRY(const StackCapture a, ReadStackCapture(session.store, options.diff.front()));
  StackCapture b;
  if (options.diff.size() > 1) {
    XSP_TRY(b, ReadStackCapture(session.store, options.diff.back()));
  } else {
    b = CaptureThisMachine();
  }
  const auto momentary = [&](std::string_view key) {
    return !options.all && collect::IsMomentary(key, registry::AllCollectors());
  };
  PrintLine(FormatStackDifference(a, b, collect::Compare(a.facts, b.facts, momentary),
                                  options.format, report::StyleOfStandardOutput().width));
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_flag("--again", options->again, "Measure the roofs even when they are known");
  app.add_flag("--no-roofs", options->no_roofs, "Leave the roofs out");
  app.add_option("--cores", options->cores, "Cores that a job may use (0: all)")
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* diff =
      app.add_option("--diff", options->diff,
                     "What differs in the stack of A and B: each a file that `xsp system --format "
                     "json` wrote, an experiment or a run; without B, this machine now")
          ->expected(1, 2)
          ->type_name("A [B]");
  app.add_flag("--all", options->all,
               "With --diff: also what changes by itself (load, uptime, ...)")
      ->needs(diff);
  AddFormatOption(app, &options->format);
  return [&session, options] {
    return options->diff.empty() ? System(*options) : Diff(session, *options);
  };
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
