#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "answer/wording/quantity.h"
#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "core/counted.h"

namespace xsp::cli::timeline_view {
namespace {

using nlohmann::json;

std::string TimeText(const json& ns) { return xsp::wording::FormatQuantity(ns, "ns"); }

/// How busy a lane is in each of `columns` parts of the interval, 0 to 1.
std::vector<double> BusyShares(const json& document, const json& track, std::int64_t lane,
                               std::size_t columns) {
  std::vector<double> busy(columns, 0.0);
  const json& blocks = document["blocks"];
  const double length = document["to_ns"].get<double>() - document["from_ns"].get<double>();
  const double column_ns = length / static_cast<double>(columns);
  for (std::size_t i = 0; i < blocks["track"].size(); ++i) {
    if (blocks["track"][i] != track || blocks["lane"][i] != lane) continue;
    const double start = std::max(0.0, blocks["start_ns"][i].get<double>());
    const double duration = blocks["duration_ns"][i].get<double>();
    const double end = std::min(length, blocks["start_ns"][i].get<double>() + duration);
    if (end <= start) continue;
    const double share = blocks["busy_ns"][i].get<double>() / duration;
    const auto last = std::min(columns - 1, static_cast<std::size_t>(end / column_ns));
    for (auto at = static_cast<std::size_t>(start / column_ns); at <= last; ++at) {
      const double from = static_cast<double>(at) * column_ns;
      const double within = std::min(end, from + column_ns) - std::max(start, from);
      busy[at] += share * std::max(0.0, within) / column_ns;
    }
  }
  return busy;
}

std::string Bars(const std::vector<double>& shares) {
  static constexpr const char* kHeights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string bars;
  for (const double share : shares) {
    const double eighths = std::ceil(std::clamp(share, 0.0, 1.0) * 8 - 1e-9);
    bars += kHeights[static_cast<std::size_t>(eighths)];
  }
  return bars;
}

void PrintObjects(const json& rows, const std::vector<report::TerminalColumn>& columns,
                  Format format) {
  std::vector<std::string> names;
  for (const report::TerminalColumn& column : columns) names.push_back(column.name);
  Print(TableOf(names, rows), columns, format);
}

void PrintTracks(const json& document) {
  constexpr std::size_t kColumns = 60;
  constexpr std::int64_t kMaxShownLanes = 8;
  for (const json& track : document["tracks"]) {
    PrintLine(fmt::format("{} ({})", track["name"].get<std::string>(),
                          core::Counted(track["spans"].get<std::int64_t>(), "span")));
    const auto lanes = track["lanes"].get<std::int64_t>();
    for (std::int64_t lane = 0; lane < std::min(lanes, kMaxShownLanes); ++lane)
      PrintLine("  |" + Bars(BusyShares(document, track["id"], lane, kColumns)) + "|");
    if (lanes > kMaxShownLanes) PrintLine(fmt::format("  {} more lanes", lanes - kMaxShownLanes));
  }
}

void PrintSums(const json& sums, Format format) {
  constexpr std::size_t kShown = 15;
  json rows = sums["rows"];
  const std::size_t all = rows.size();
  if (all > kShown) rows.erase(rows.begin() + kShown, rows.end());
  if (rows.empty()) return PrintLine("No spans in this interval.");
  PrintLine(fmt::format("\n{} spans in the interval, the names with the most time:",
                        sums["spans"].get<std::int64_t>()));
  PrintObjects(
      rows,
      {{"level", ""}, {"name", ""}, {"spans", ""}, {"duration_ns", "ns"}, {"longest_ns", "ns"}},
      format);
}

void PrintSpans(const json& rows, Format format) {
  if (rows.empty()) return;
  PrintObjects(rows,
               {{"id", ""}, {"level", ""}, {"name", ""}, {"start_ns", "ns"}, {"duration_ns", "ns"}},
               format);
}

void PrintSpan(const json& span, Format format) {
  PrintLine(fmt::format("\nSpan {}", span["id"].get<std::int64_t>()));
  PrintSpans(json::array({span}), format);
  if (!span["parents"].empty()) PrintLine("Within:");
  PrintSpans(span["parents"], format);
  if (!span["flows"].empty()) PrintLine("Connected on other tracks:");
  PrintSpans(span["flows"], format);
}

Result<int> ShowTimeline(const api::Document& document, Format format) {
  const json& content = std::get<json>(document.content);
  PrintLine(fmt::format("{}: {} to {} of {}", content["run"].get<std::string>(),
                        TimeText(content["from_ns"]), TimeText(content["to_ns"]),
                        TimeText(content["duration_ns"])));
  if (content.contains("tracks") && content.contains("blocks")) PrintTracks(content);
  if (content.contains("sums")) PrintSums(content["sums"], format);
  if (content.contains("hits")) {
    PrintLine(fmt::format("\nFound: {} spans", content["hits"]["spans"].get<std::int64_t>()));
    PrintSpans(content["hits"]["rows"], format);
  }
  if (content.contains("span")) PrintSpan(content["span"], format);
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowTimeline); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "timeline", .declare = Declare};

}  // namespace xsp::cli::timeline_view
