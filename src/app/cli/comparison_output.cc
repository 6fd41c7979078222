#include "app/cli/comparison_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "answer/report/terminal.h"
#include "answer/wording/quantity.h"
#include "api/operations/gate_text.h"
#include "app/cli/gate_output.h"
#include "app/cli/json_table.h"
#include "app/cli/view.h"

namespace xsp::cli {
namespace {

using nlohmann::json;

std::string Ns(double time_ns) { return xsp::wording::FormatQuantity(time_ns, "ns"); }

std::string Signed(double time_ns) { return (time_ns > 0 ? "+" : "") + Ns(time_ns); }

std::string VerdictText(const std::string& verdict) {
  if (verdict == "no_difference") return "no difference found";
  if (verdict == "unknown_noise") return "not known whether it is noise";
  return verdict;
}

/// The verdict on the whole. What is claimed of two sessions, whose noise is not known, may not
/// hold for the next two.
std::string WholeVerdictText(const json& pair) {
  std::string text = VerdictText(pair["verdict"]);
  const auto sessions = pair.find("sessions");
  const bool is_of_two =
      sessions != pair.end() && sessions->is_object() && !(*sessions)["included"].get<bool>();
  if (is_of_two && (pair["verdict"] == "faster" || pair["verdict"] == "slower"))
    text += " in these two sessions";
  return text;
}

/// "before: 309 us of device work per call, after: 391 us (+81.3 us)". Means: the ratio beside them
/// may be one of typical calls.
std::string WholeText(const json& pair) {
  const json &a = pair["sides"][0], &b = pair["sides"][1];
  const bool on_device = pair["basis"] == "device";
  return fmt::format("{}: {} {} per call, {}: {} ({})", a["name"].get<std::string>(),
                     Ns(a["total_ns"]), on_device ? "of device work" : "mean wall time",
                     b["name"].get<std::string>(), Ns(b["total_ns"]),
                     Signed(pair["difference_ns"].get<double>()));
}

std::string RatioText(const json& pair) {
  if (pair["ratio"].is_null()) return {};
  std::string text =
      fmt::format("; ratio of {} {}", pair["ratio_of"] == "latency" ? "latencies" : "totals",
                  wording::FormatRatio(pair["ratio"].get<double>()));
  if (!pair["low"].is_null() && !pair["high"].is_null())
    text += fmt::format(", 95 % interval {} to {}", wording::FormatRatio(pair["low"].get<double>()),
                        wording::FormatRatio(pair["high"].get<double>()));
  return text;
}

bool IsShown(const json& row, const std::string& rows) {
  if (rows == "all") return true;
  if (rows == "leaves") return row["leaf"].get<bool>();
  if (rows == "changed") return IsChanged(row);
  return row["kind"] == rows.substr(0, rows.size() - 1);  // operators, modules
}

/// With the ratio that a claim rests on: means of one process, which stand beside it, may differ
/// the other way.
std::string RowVerdictText(const json& row) {
  std::string text = VerdictText(row["verdict"]);
  if (!IsChanged(row)) return text;
  const auto claims = [&](const json& ratio) {
    return ratio.contains("low") && ratio["low"].is_number() && ratio["high"].is_number() &&
           (row["verdict"] == "slower" ? ratio["low"].get<double>() > 1
                                       : ratio["high"].get<double>() < 1);
  };
  if (claims(row)) return text + fmt::format(" ({:.3g})", row["ratio"].get<double>());
  if (!row.contains("relative") || !claims(row["relative"])) return text;
  return text +
         fmt::format(" ({:.3g} relative to the rest)", row["relative"]["ratio"].get<double>());
}

}  // namespace

bool IsChanged(const json& row) { return row["verdict"] == "faster" || row["verdict"] == "slower"; }

std::vector<std::string> LinesOfComparison(const json& pair) {
  std::vector<std::string> lines = {WholeText(pair)};
  std::string verdict = "verdict: " + WholeVerdictText(pair) + RatioText(pair);
  if (pair["reason"].is_string()) verdict += " (" + pair["reason"].get<std::string>() + ")";
  lines.push_back(verdict);
  lines.push_back("comparable: " + pair["comparable"]["verdict"].get<std::string>());
  for (const json& difference : pair["comparable"]["differences"])
    lines.push_back(
        fmt::format("different {}: {} | {}{}", difference["what"].get<std::string>(),
                    difference["a"].get<std::string>(), difference["b"].get<std::string>(),
                    difference["matters"].get<bool>() ? "" : " (not expected to change times)"));
  for (const json& side : pair["sides"]) {
    const json& time = side["device_time"];
    if (!time.is_object()) continue;
    lines.push_back(fmt::format(
        "{}, device per step: {} compute, {} communication, {} copies, {} idle; wall time {}",
        side["name"].get<std::string>(), Ns(time["compute_ns"]), Ns(time["communication_ns"]),
        Ns(time["copy_ns"]), Ns(time["idle_ns"]), Ns(side["wall_ns"])));
  }
  std::string sums = fmt::format("in no row: {}", Ns(pair["residual_ns"].get<double>()));
  if (pair["aligned_share"].is_number())
    sums += fmt::format("; time with a counterpart on the other side: {}",
                        xsp::wording::Percent(pair["aligned_share"]));
  lines.push_back(sums);
  return lines;
}

ShownRows ChosenRows(const json& pair, const RowChoice& choice) {
  std::vector<std::pair<double, const json*>> rows;  // With the size of the difference.
  for (const json& row : pair["rows"])
    if (IsShown(row, choice.rows))
      rows.emplace_back(std::abs(row["difference_ns"].get<double>()), &row);
  std::ranges::stable_sort(rows, std::greater<>(), &std::pair<double, const json*>::first);
  ShownRows shown;
  const auto top = static_cast<std::size_t>(choice.top);
  if (top > 0 && rows.size() > top) {
    shown.left_out = rows.size() - top;
    rows.resize(top);
  }
  for (const auto& [size, row] : rows) shown.rows.push_back(*row);
  return shown;
}

const std::vector<std::string>& ComparisonColumns() {
  static const std::vector<std::string> kColumns = {"difference_ns", "a_ns", "b_ns",
                                                    "verdict",       "kind", "path"};
  return kColumns;
}

void PrintComparison(const json& pair, const RowChoice& choice) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  PrintGates(pair, style.width);
  for (const std::string& line : LinesOfComparison(pair))
    PrintLine(xsp::report::Wrap(line, style.width, 4));
  ShownRows shown = ChosenRows(pair, choice);
  style.rows_left_out = static_cast<std::int64_t>(shown.left_out);
  std::vector<json>& rows = shown.rows;
  if (rows.empty())
    return PrintLine(choice.rows == "changed" ? "no row is called faster or slower"
                                              : "no row with time");
  // Where nothing is known of any row, the whole's verdict says so.
  std::vector<std::string> names = ComparisonColumns();
  if (std::ranges::all_of(rows, [](const json& row) { return row["verdict"] == "unknown_noise"; }))
    std::erase(names, "verdict");
  for (json& row : rows) {
    row["path"] = api::ShortRowPath(row["path"], row["kind"]);
    row["verdict"] = RowVerdictText(row);
  }
  std::vector<xsp::report::TerminalColumn> columns;
  for (const std::string& name : names)
    columns.push_back({name, name.ends_with("_ns") ? "ns" : ""});
  PrintLine(xsp::report::RenderTable(columns, TableOf(names, rows), style));
}

}  // namespace xsp::cli
