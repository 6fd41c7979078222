#include <fmt/format.h>

#include <algorithm>

#include "app/cli/view.h"

namespace xsp::cli::import_view {
namespace {

using nlohmann::json;

/// What took how long, to standard error.
void SayTimes(const json& times) {
  Say(fmt::format("{:<26}{:>9}{:>9}{:>12}", "step", "wall s", "CPU s", "peak MiB"));
  const auto line = [](const std::string& name, double wall_s, double cpu_s,
                       const std::string& peak) {
    Say(fmt::format("{:<26}{:>9.3f}{:>9.3f}{:>12}", name, wall_s, cpu_s, peak));
  };
  double cpu_s = 0;
  for (const json& step : times.at("steps")) {
    cpu_s += step.at("cpu_s").get<double>();
    line(step.at("step"), step.at("wall_s"), step.at("cpu_s"),
         fmt::format("{}", step.at("peak_rss_bytes").get<std::int64_t>() >> 20));
  }
  // Steps run side by side, so only their CPU times add up.
  const double all_s = times.at("cpu_s");
  line("other", 0, std::max(all_s - cpu_s, 0.0), "");
  line("all", times.at("wall_s"), all_s, "");
}

bool HoldsLayersOrKernels(const json& spans) {
  return spans.value("layer", 0) > 0 || spans.value("kernel", 0) > 0;
}

Result<int> ShowRun(const api::Document& document, Format format) {
  const json& body = std::get<json>(document.content);
  if (body.contains("times")) SayTimes(body["times"]);
  if (format == Format::kJson) return ShowPlainly(document, format);
  PrintLine(body["run"].get<std::string>());
  for (const json& input : body["inputs"])
    PrintLine(fmt::format("{}  {}", input["format"].get<std::string>(),
                          input["file"].get<std::string>()));
  for (const char* level : {"application", "model", "layer", "library", "kernel"})
    if (body["spans"].contains(level))
      PrintLine(fmt::format("{:>10} {} spans", body["spans"][level].get<std::int64_t>(), level));
  if (!HoldsLayersOrKernels(body["spans"]))
    PrintLine(
        "no layers and no kernels: the file contains only ranges, counters and threads. A trace of "
        "torch.profiler, or `xsp record -- PROGRAM`, has both.");
  for (const json& file : body["passed_over"])
    PrintLine(fmt::format("of no known format, ignored: {}", file.get<std::string>()));
  if (const std::string runs = body["reference_runs"]; !runs.empty())
    PrintLine(fmt::format("replayed graphs attributed by: {}", runs));
  for (const json& d : body["diagnostics"])
    PrintLine(fmt::format("{:>10} {}: {}", d["count"].get<std::int64_t>(),
                          d["name"].get<std::string>(), d["hint"].get<std::string>()));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return ShowRun; }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "import", .declare = Declare};

}  // namespace xsp::cli::import_view
