#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "store/export.h"

namespace xsp::cli::sweep_view {
namespace {

using nlohmann::json;
using Columns = std::vector<xsp::report::TerminalColumn>;

Columns ColumnsOf(bool is_plan) {
  if (is_plan)
    return {{"name", ""},  {"status", ""},     {"seconds", "s"},
            {"basis", ""}, {"experiment", ""}, {"why", ""}};
  return {{"name", ""},
          {"status", ""},
          {"latency_ns", "ns"},
          {"latency_low_ns", "ns"},
          {"latency_high_ns", "ns"},
          {"throughput", "1/s"},
          {"experiment", ""}};
}

store::Table RowsOf(const Columns& columns, const json& points) {
  std::vector<std::string> names;
  for (const xsp::report::TerminalColumn& column : columns) names.push_back(column.name);
  return TableOf(std::move(names), points);
}

int CountOf(const json& points, std::string_view status) {
  int count = 0;
  for (const json& point : points) count += point["status"] == status ? 1 : 0;
  return count;
}

/// "12 points: 3 measured, 8 stored, 1 failed"
std::string CountsText(const json& points) {
  std::string text = fmt::format("{} point{}", points.size(), points.size() == 1 ? "" : "s");
  const char* separator = ": ";
  for (const char* status : {"measured", "stored", "partial", "failed", "interrupted", "running",
                             "queued", "missing", "elsewhere"}) {
    const int count = CountOf(points, status);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", separator, count, status);
    separator = ", ";
  }
  return text;
}

std::string TimeText(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// What is left, and how far that can be trusted.
std::string TimeLeftText(const json& plan) {
  if (CountOf(plan["points"], "missing") == 0) return "nothing is left to measure";
  const int unknown = plan["seconds_unknown"], bounds = plan["upper_bounds"];
  std::string text = fmt::format("about {} to measure", TimeText(plan["seconds"]));
  if (bounds > 0)
    text += fmt::format("; of {} point{} this is an upper bound by limits of time, without loading",
                        bounds, bounds == 1 ? "" : "s");
  if (unknown > 0)
    text +=
        fmt::format("; the time of {} more point{} is not known", unknown, unknown == 1 ? "" : "s");
  return text;
}

/// How to follow and how to cancel what was submitted.
std::string JobsText(const json& jobs) {
  std::string ids;
  for (const json& job : jobs) ids += (ids.empty() ? "" : " ") + job["job"].get<std::string>();
  if (ids.empty()) return "nothing is left to measure";
  return fmt::format(
      "the same command without --detach follows the jobs; `squeue --me` lists them, `scancel {}` "
      "cancels them",
      ids);
}

Result<int> ShowSweep(const api::Document& document, Format format) {
  const json& sweep = std::get<json>(document.content);
  const bool is_plan = !sweep.contains("status");
  const Columns columns = ColumnsOf(is_plan);
  const store::Table rows = RowsOf(columns, sweep["points"]);
  if (format == Format::kCsv) {
    PrintLine(store::ToCsv(rows));
    return document.exit_status;
  }
  const xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  PrintLine(xsp::report::RenderTable(columns, rows, style));
  const auto sentence = [&](const std::string& text) {
    PrintLine(xsp::report::Wrap(text, style.width, 0));
  };
  sentence(CountsText(sweep["points"]));
  if (is_plan) {
    sentence(TimeLeftText(sweep));
  } else if (sweep["status"] == "submitted") {
    sentence(JobsText(sweep["jobs"]));
  } else {
    sentence(fmt::format("xsp list --sweep {} lists the experiments",
                         sweep["sweep"].get<std::string>()));
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowSweep); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "sweep", .declare = Declare};

}  // namespace xsp::cli::sweep_view
