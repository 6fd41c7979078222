#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/stack_capture.h"
#include "app/cli/stack_difference_output.h"
#include "capture/collect/collector.h"
#include "capture/collect/stack.h"
#include "capture/collect/stack_difference.h"
#include "derive/roofs/cpu_table.h"
#include "derive/roofs/data_sheet_share.h"
#include "derive/roofs/device_table.h"
#include "derive/roofs/roofline_picture.h"
#include "measure/roof_loops/gpu_roofs.h"
#include "measure/roof_loops/measured_roofs.h"
#include "os/files.h"
#include "os/processor.h"

namespace xsp::cli::system {
namespace {

using nlohmann::json;

struct Options {
  bool again = false;
  bool no_roofs = false;
  int cores = 0;
  std::vector<std::string> diff;  // A, or A and B.
  bool all = false;
  std::string device;
  std::filesystem::path picture;
  Format format = Format::kTable;
};

/// The measured roofs beside the data sheet of the same processor or device.
struct Roofs {
  std::string title;
  bool measured = true;
  roofs::RoofReport report;
  std::vector<roofs::Roof> sheet;
  std::string no_sheet;  ///< Why there is no data sheet.
  std::vector<roofs::DataSheetShare> shares;

  /// Of report.roofs[i]; null: the data sheet says nothing of it.
  const roofs::DataSheetShare* ShareOf(std::size_t i) const {
    for (const roofs::DataSheetShare& share : shares)
      if (share.roof == i) return &share;
    return nullptr;
  }
};

/// Physical cores among `cpus` CPUs of the processor: two threads of one core share its units.
int PhysicalCores(const os::Processor& processor, int cpus) {
  const auto online = static_cast<int>(processor.online.size());
  if (processor.cores <= 0 || online <= processor.cores) return cpus;
  const int threads = online / processor.cores;
  return std::max(1, cpus / std::max(1, threads));
}

/// The sheet's roofs of one core and of all, as many as were measured.
void AddDataSheet(const os::Processor& processor, Roofs& roofs) {
  int most = 1;
  for (const roofs::Roof& roof : roofs.report.roofs) most = std::max(most, roof.cores);
  roofs::DataSheetConditions conditions{.disturbed = roofs.report.disturbed,
                                        .virtualised = processor.Has("hypervisor")};
  for (const int cores : most > 1 ? std::vector<int>{1, most} : std::vector<int>{1}) {
    auto sheet = roofs::CpuDataSheet(
        processor.model, {.cores = PhysicalCores(processor, cores), .sockets = processor.sockets});
    if (!sheet.ok()) {
      roofs.no_sheet = sheet.error().what;
      return;
    }
    for (roofs::Roof& roof : sheet.value()) {
      if (roof.kind == "bandwidth" && cores != most) continue;
      if (roof.how.find("a bound") != std::string::npos) conditions.clock_is_bound = true;
      if (roof.kind == "flops") roof.cores = cores;
      roofs.sheet.push_back(std::move(roof));
    }
  }
  roofs.shares = roofs::SharesOfDataSheet(roofs.report.roofs, roofs.sheet, conditions);
}

store::Cell ShareCell(const roofs::DataSheetShare* share) {
  return share == nullptr ? store::Cell() : store::Cell(share->share);
}

store::Table RoofTable(const std::vector<Roofs>& all) {
  store::Table table{{"processor", "kind", "name", "dtype", "unit", "cores", "value", "value_unit",
                      "used", "how", "provenance", "share_of_data_sheet"},
                     {}};
  const auto add = [&](const Roofs& of, const roofs::Roof& roof,
                       const roofs::DataSheetShare* share) {
    table.rows.push_back({of.title, roof.kind, roof.name, roof.dtype, roof.unit,
                          std::int64_t{roof.cores}, roof.value,
                          std::string(roof.kind == "bandwidth" ? "byte/s"
                                      : roof.dtype == "int8"   ? "op/s"
                                                               : "FLOP/s"),
                          roof.used, roof.how, roof.provenance, ShareCell(share)});
  };
  for (const Roofs& roofs : all) {
    for (std::size_t i = 0; i < roofs.report.roofs.size(); ++i)
      add(roofs, roofs.report.roofs[i], roofs.ShareOf(i));
    for (const roofs::Roof& roof : roofs.sheet) add(roofs, roof, nullptr);
  }
  return table;
}

/// With the share of the data sheet where `of` has one for these roofs.
void PrintRoofs(const std::vector<roofs::Roof>& roofs, const Roofs* of) {
  const bool shares = of != nullptr && !of->shares.empty();
  for (const char* kind : {"flops", "bandwidth"}) {
    std::vector<xsp::report::TerminalColumn> columns = {
        {"name", ""},
        {"cores", ""},
        {"value", std::string_view(kind) == "flops" ? "flop/s" : "byte/s"}};
    if (shares) columns.push_back({"share_of_data_sheet", ""});
    columns.push_back({"used", ""});
    columns.push_back({"how", ""});
    store::Table table;
    for (const auto& column : columns) table.columns.push_back(column.name);
    for (std::size_t i = 0; i < roofs.size(); ++i) {
      const roofs::Roof& roof = roofs[i];
      if (roof.kind != kind) continue;
      std::vector<store::Cell> row = {
          roof.name, roof.cores > 0 ? store::Cell(std::int64_t{roof.cores}) : store::Cell(),
          roof.value};
      if (shares) row.push_back(ShareCell(of->ShareOf(i)));
      row.push_back(roof.used);
      row.push_back(roof.how);
      table.rows.push_back(std::move(row));
    }
    if (!table.rows.empty())
      PrintLine(xsp::report::RenderTable(columns, table, xsp::report::StyleOfStandardOutput()));
  }
}

/// Why a share of the data sheet is not what it should be; each reason once, with its roofs.
void PrintExplanations(const Roofs& roofs) {
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const roofs::DataSheetShare& share : roofs.shares) {
    if (share.explanation.empty()) continue;
    const roofs::Roof& roof = roofs.report.roofs[share.roof];
    const std::string item =
        fmt::format("{} of {}: {:.0f} %", roof.name, roof.cores, 100 * share.share);
    auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) {
      return reason.first == share.explanation;
    });
    if (known == reasons.end()) {
      reasons.emplace_back(share.explanation, item);
    } else {
      known->second += ", " + item;
    }
  }
  const int width = xsp::report::StyleOfStandardOutput().width;
  for (const auto& [reason, items] : reasons)
    PrintLine(xsp::report::Wrap(fmt::format("{}: {}.", items, reason), width, 2));
}

void PrintStack(const std::vector<collect::Fact>& stack) {
  std::size_t widest = 0;
  for (const collect::Fact& fact : stack) widest = std::max(widest, fact.key.size());
  for (const collect::Fact& fact : stack) {
    const std::string text =
        fact.value.empty() ? fmt::format("not visible: {}", fact.why) : fact.value;
    PrintLine(fmt::format("{:<{}}  {}", fact.key, widest, text));
  }
}

void PrintForPeople(const Roofs& roofs) {
  if (roofs.measured) {
    PrintLine(fmt::format("\nRoofs of {}, measured {} ({})", roofs.title, roofs.report.measured_at,
                          roofs.report.conditions));
    PrintRoofs(roofs.report.roofs, &roofs);
  }
  if (!roofs.sheet.empty()) {
    PrintLine(fmt::format("\nData sheet of {}", roofs.title));
    PrintRoofs(roofs.sheet, nullptr);
    PrintExplanations(roofs);
  } else {
    PrintLine(
        xsp::report::Wrap(roofs.no_sheet + ".", xsp::report::StyleOfStandardOutput().width, 2));
  }
}

/// The GPUs that are here, each beside its data sheet, with the reason if they cannot be measured.
std::vector<Roofs> GpuRoofs(const Options& options) {
  std::vector<Roofs> all;
  if (!roof_loops::HasNvidiaDriver()) return all;
  ProgressLine progress;
  auto gpus = roof_loops::MeasuredGpuRoofs(
      {.again = options.again, .progress = [&](std::string_view step, double fraction) {
         progress.Step(step, fraction, -1);
       }});
  if (!gpus.ok()) {
    progress.Note(fmt::format("{}\nhint: {}", gpus.error().what, gpus.error().hint));
    return all;
  }
  for (roof_loops::GpuRoofs& gpu : gpus.value()) {
    Roofs roofs;
    roofs.title = gpu.name;
    roofs.report = std::move(gpu.report);
    auto sheet = roofs::DataSheetRoofs(gpu.name);
    if (sheet.ok()) {
      roofs.sheet = std::move(sheet).value();
      roofs.shares = roofs::SharesOfDataSheet(
          roofs.report.roofs, roofs.sheet, {.disturbed = roofs.report.disturbed, .is_gpu = true});
    } else {
      roofs.no_sheet = sheet.error().what;
    }
    all.push_back(std::move(roofs));
  }
  return all;
}

json RoofsJson(const std::vector<roofs::Roof>& roofs, const Roofs& of) {
  json array = json::array();
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const roofs::Roof& roof = roofs[i];
    json item = {{"kind", roof.kind},
                 {"name", roof.name},
                 {"dtype", roof.dtype},
                 {"unit", roof.unit},
                 {"cores", roof.cores},
                 {"value", roof.value},
                 {"provenance", roof.provenance},
                 {"how", roof.how},
                 {"used", roof.used}};
    const roofs::DataSheetShare* share = &roofs == &of.report.roofs ? of.ShareOf(i) : nullptr;
    if (share != nullptr) {
      item["share_of_data_sheet"] = share->share;
      if (!share->explanation.empty()) item["explanation"] = share->explanation;
    }
    array.push_back(std::move(item));
  }
  return array;
}

json ToJson(const Roofs& roofs) {
  return {{"processor", roofs.title},
          {"roofs", RoofsJson(roofs.report.roofs, roofs)},
          {"data_sheet", RoofsJson(roofs.sheet, roofs)},
          {"no_data_sheet", roofs.no_sheet},
          {"measured_at", roofs.report.measured_at},
          {"conditions", roofs.report.conditions}};
}

Status WritePicture(const Roofs& roofs, const std::filesystem::path& file) {
  const roofs::RooflinePicture picture{
      roofs.title,
      roofs.measured ? fmt::format("solid: measured {} ({}); dashed: data sheet",
                                   roofs.report.measured_at, roofs.report.conditions)
                     : "dashed: data sheet",
      roofs.report.roofs, roofs.sheet};
  roofs::RooflinePicture drawn = picture;
  // One core's ceilings would only crowd the picture.
  int most = 0;
  for (const roofs::Roof& roof : drawn.sheet) most = std::max(most, roof.cores);
  std::erase_if(drawn.sheet, [&](const roofs::Roof& roof) {
    return roof.kind == "flops" && roof.cores != most;
  });
  const std::string text =
      file.extension() == ".svg" ? roofs::RooflineSvg(drawn) : roofs::RooflinePage(drawn);
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(file, text));
  Say(fmt::format("wrote {}", file.string()));
  return Ok{};
}

/// The first to `file`, each GPU to a file beside it: roofs.svg, roofs-gpu0.svg.
Status WritePictures(const std::vector<Roofs>& all, const std::filesystem::path& file) {
  if (file.empty()) return Ok{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::filesystem::path own = file;
    if (i > 0)
      own.replace_filename(
          fmt::format("{}-gpu{}{}", file.stem().string(), i - 1, file.extension().string()));
    XSP_RETURN_IF_ERROR(WritePicture(all[i], own));
  }
  return Ok{};
}

Result<Roofs> RoofsOf(const Options& options) {
  Roofs roofs;
  if (!options.device.empty()) {
    roofs.title = options.device;
    roofs.measured = false;
    auto sheet = roofs::DataSheetRoofs(options.device);
    if (!sheet.ok() && sheet.error().kind == ErrorKind::kNotPossible) {
      auto cpu = roofs::CpuDataSheet(options.device, {});
      if (cpu.ok() || cpu.error().kind != ErrorKind::kNotPossible) sheet = std::move(cpu);
    }
    XSP_TRY(roofs.sheet, std::move(sheet));
    return roofs;
  }
  const os::Processor processor = os::ReadProcessor();
  roofs.title = processor.model.empty() ? "this machine" : processor.model;
  ProgressLine progress;
  XSP_TRY(roofs.report,
          roof_loops::MeasuredRoofs({.cores = options.cores,
                                     .again = options.again,
                                     .progress = [&](std::string_view step, double fraction) {
                                       progress.Step(step, fraction, -1);
                                     }}));
  AddDataSheet(processor, roofs);
  return roofs;
}

Result<int> System(const Options& options) {
  if (!options.picture.empty() && options.picture.extension() != ".svg" &&
      options.picture.extension() != ".html") {
    return Error{ErrorKind::kUsage, "a chart is an .svg or .html file: " + options.picture.string(),
                 "xsp system -o roofs.svg"};
  }
  const bool sheet_only = !options.device.empty();
  const std::vector<collect::Fact> stack =
      sheet_only ? std::vector<collect::Fact>() : collect::CaptureStack(collect::AllCollectors());
  Roofs roofs;
  const bool with_roofs = sheet_only || !options.no_roofs;
  if (with_roofs) {
    XSP_TRY(roofs, RoofsOf(options));
  }
  std::vector<Roofs> all;
  if (with_roofs) {
    all.push_back(std::move(roofs));
    if (!sheet_only)
      for (Roofs& gpu : GpuRoofs(options)) all.push_back(std::move(gpu));
  }
  XSP_RETURN_IF_ERROR(WritePictures(all, options.picture));
  if (options.format == Format::kCsv) {
    Print(RoofTable(all), {}, Format::kCsv);
  } else if (options.format == Format::kTable) {
    PrintStack(stack);
    for (const Roofs& each : all) PrintForPeople(each);
  } else {
    const Roofs first = all.empty() ? Roofs() : all.front();
    json document = ToJson(first);
    document["stack"] = json::parse(collect::ToJson(stack), nullptr, false);
    document["gpus"] = json::array();
    for (std::size_t i = 1; i < all.size(); ++i) document["gpus"].push_back(ToJson(all[i]));
    PrintLine(document.dump(2));
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
    return !options.all && collect::IsMomentary(key, collect::AllCollectors());
  };
  PrintLine(FormatStackDifference(a, b, collect::Compare(a.facts, b.facts, momentary),
                                  options.format, xsp::report::StyleOfStandardOutput().width));
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_flag("--again", options->again, "Measure the roofs again even if they are cached");
  CLI::Option* no_roofs = app.add_flag("--no-roofs", options->no_roofs, "Omit the roofs");
  app.add_option(
         "-o,--output", options->picture,
         "Write a chart of the roofs: slopes of bandwidth and ceilings of data types, with ridges")
      ->type_name("FILE.svg|FILE.html")
      ->excludes(no_roofs);
  app.add_option("--device", options->device,
                 "Show the data sheet of this GPU or CPU instead of this machine")
      ->type_name("NAME");
  app.add_option("--cores", options->cores, "Number of cores that a job may use (0: all)")
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* diff =
      app.add_option(
             "--diff", options->diff,
             "Show the differences between the stacks A and B, each a file that `xsp system "
             "--format json` wrote, an experiment or a run; without B, this machine now")
          ->expected(1, 2)
          ->type_name("A [B]");
  app.add_flag("--all", options->all,
               "With --diff: also compare momentary facts (load, uptime, ...)")
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
    .summary = "Shows this machine's stack and its roofs, with how they were measured",
    .example =
        "xsp system -o roofs.svg\n"
        "         xsp system --device \"NVIDIA H100 80GB HBM3\" -o h100.html",
    .declare = Declare,
};

}  // namespace xsp::cli::system
