#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "answer/wording/quantity.h"
#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "core/json_text.h"
#include "core/number_check.h"
#include "store/export.h"

namespace xsp::cli::ideal_view {
namespace {

using nlohmann::json;

constexpr int kRowsForPeople = 20;

/// What only concerns how the answer is shown.
struct Options {
  std::string sort = "gap";
  int top = -1;  ///< Below 0: not given.
};

std::string Ns(const json& time_ns) { return xsp::wording::FormatQuantity(time_ns, "ns"); }

/// "resnet50 (PyTorch 2.15.0, batch 1, float32, 1 thread)".
std::string TitleOf(const json& point) {
  std::string title =
      fmt::format("{} ({}", point["model"].get<std::string>(), point["backend"].get<std::string>());
  if (point["batch"].is_number())
    title += fmt::format(", batch {}", core::JsonText(point["batch"]));
  title += ", " + point["precision"].get<std::string>();
  if (point["threads"].is_number())
    title += fmt::format(", {} {}", core::JsonText(point["threads"]),
                         point["threads"] == 1 ? "thread" : "threads");
  return title + (point["on_device"].get<bool>() ? ", device time)" : ")");
}

std::string Share(double part, double whole) {
  return whole > 0 ? xsp::wording::Percent(part / whole) : std::string("-");
}

std::string PathLine(const json& point) {
  const json& path = point["critical_path"];
  if (path.is_object() && path["compute_ns"] == 0)
    return fmt::format("critical path: {} measured a step, none of it kernels",
                       Ns(path["measured_ns"]));
  if (path.is_object()) {
    std::string line = fmt::format(
        "critical path: {} measured a step, {} of it kernels; {} with the best known times of its "
        "kernels",
        Ns(path["measured_ns"]), Ns(path["compute_ns"]), Ns(path["best_known_ns"]));
    if (path["bound_ns"].is_number())
      line += fmt::format("; at least {} with their bounds alone", Ns(path["bound_ns"]));
    return line;
  }
  if (point["on_device"].get<bool>())
    return "critical path: not known, because there is no timeline; only the sums of the layers";
  return "critical path: not known, because dependencies between layers are not recorded on CPUs; "
         "the sums hold for layers that run one after another";
}

/// One line for each sum.
std::vector<std::string> SumsOf(const json& point) {
  const double measured = point["measured_ns"], best = point["best_known_ns"];
  std::vector<std::string> lines;
  if (point["latency_ns"].is_number()) {
    std::string line = fmt::format("model call: {}", Ns(point["latency_ns"]));
    if (const json& busiest = point["busiest"]; busiest.is_object())
      line += fmt::format("; its busiest resource, {}, needs at least {}",
                          busiest["resource"].get<std::string>(), Ns(busiest["bound_ns"]));
    lines.push_back(line);
  }
  lines.push_back(fmt::format("all layers, one after another: {} measured", Ns(measured)));
  lines.push_back(fmt::format(
      "best known: {} ({} of it; {} of {} layers are faster elsewhere, {} of them by alternatives)",
      Ns(best), Share(best, measured), core::JsonText(point["improved_layers"]),
      point["layers"].size(), core::JsonText(point["improved_by_alternatives"])));
  if (point["bound_ns"].is_number()) {
    const double bounded = point["bounded_ns"];
    lines.push_back(
        fmt::format("bound: {} ({} of the measured {} of layers with a known cost, {} of the time)",
                    Ns(point["bound_ns"]), Share(point["bound_ns"], bounded), Ns(bounded),
                    Share(bounded, measured)));
  } else {
    lines.push_back("bound: not known, because no layer has a cost or the machine has no roofs");
  }
  if (point["exceeded_layers"] != 0)
    lines.push_back(fmt::format("layers above their roof: {} (a cost, a roof or a time is wrong)",
                                core::JsonText(point["exceeded_layers"])));
  lines.push_back(PathLine(point));
  return lines;
}

/// The layers as rows; `best_in` names where the best time was measured.
std::vector<json> RowsOf(const json& point, const Options& options) {
  std::vector<json> rows;
  for (const json& layer : point["layers"]) {
    json row = layer;
    const double measured = layer["measured_ns"];
    row["gap_ns"] = measured - layer["best_known_ns"].get<double>();
    if (layer["bound_ns"].is_number())
      row["achieved_share"] = layer["bound_ns"].get<double>() / measured;
    row["best_share"] = layer["best_known_ns"].get<double>() / measured;
    if (const json& best = layer["best_known"]; best.is_object())
      row["best_in"] = best["experiment"].is_string()
                           ? fmt::format("{} ({})", best["experiment"].get<std::string>(),
                                         best["backend"].get<std::string>())
                           : fmt::format("{}: {}, {}", best["backend"].get<std::string>(),
                                         best["implementation"].get<std::string>(),
                                         best["format"].get<std::string>());
    rows.push_back(std::move(row));
  }
  const auto above_bound = [](const json& row) {
    const json& bound = row["bound_ns"];
    return bound.is_number() ? row["measured_ns"].get<double>() - bound.get<double>() : -1.0;
  };
  if (options.sort == "gap")
    std::ranges::stable_sort(rows, std::greater<>(),
                             [](const json& row) { return row["gap_ns"].get<double>(); });
  if (options.sort == "bound") std::ranges::stable_sort(rows, std::greater<>(), above_bound);
  return rows;
}

/// Cuts `rows` to those that are shown, and notes in `style` how many these are.
void Shorten(const Options& options, std::vector<json>& rows, xsp::report::TerminalStyle& style) {
  const int top = options.top < 0 ? kRowsForPeople : options.top;
  if (top <= 0 || rows.size() <= static_cast<std::size_t>(top)) return;
  style.rows_left_out = static_cast<std::int64_t>(rows.size()) - top;
  rows.resize(static_cast<std::size_t>(top));
}

/// The median of the fastest alternative of another data type; null: none, or that of the
/// primitive.
json OtherType(const json& primitive, const std::string& dtype) {
  json fastest;
  if (primitive["dtype"] == dtype) return fastest;
  for (const json& one : primitive["alternatives"])
    if (one["dtype"] == dtype && (fastest.is_null() || one["median_ns"] < fastest))
      fastest = one["median_ns"];
  return fastest;
}

/// The data types besides that of the run, which are shown.
std::vector<std::string> OtherTypes(const json& point) {
  if (point["on_device"] == true) return {"tfloat32", "float16", "bfloat16"};
  return {"bfloat16", "int8"};
}

/// The primitives whose alternatives are known.
void PrintPrimitives(const json& point, const Options& options) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  std::vector<json> rows;
  for (const json& primitive : point["primitives"]) {
    if (!primitive["fastest"].is_object()) continue;
    const json& fastest = primitive["fastest"];
    json row = primitive;
    row["ran"] = primitive["implementation"];
    row["fastest_ns"] = fastest["median_ns"];
    row["speedup"] = fastest["speedup"];
    row["format"] = fastest["format"];
    row["algorithm"] = fastest["algorithm"];
    row["fastest"] = fastest["implementation"];
    for (const std::string& dtype : OtherTypes(point))
      row[dtype + "_ns"] = OtherType(primitive, dtype);
    rows.push_back(std::move(row));
  }
  const json& counts = point["alternatives"];
  if (rows.empty()) {
    if (counts["left"] != 0)
      PrintLine(
          fmt::format("  alternatives of {} primitives are not measured: xsp ideal "
                      "--alternatives measures them",
                      core::JsonText(counts["left"])));
    return;
  }
  PrintLine("");
  PrintLine(xsp::report::Wrap(
      fmt::format("Alternatives of primitives: {} known, {} of them measured now, {} left, {} "
                  "refused by the library. Other data types give other results: they do not count "
                  "as best known.",
                  core::JsonText(counts["known"]), core::JsonText(counts["measured_now"]),
                  core::JsonText(counts["left"]), core::JsonText(counts["refused"])),
      style.width, 2));
  Shorten(options, rows, style);
  std::vector<xsp::report::TerminalColumn> columns = {
      {"layer", ""},        {"kernels", "1"}, {"ran", ""},     {"measured_ns", "ns"},
      {"fastest_ns", "ns"}, {"speedup", "1"}, {"fastest", ""}, {"format", ""}};
  for (const std::string& dtype : OtherTypes(point)) columns.push_back({dtype + "_ns", "ns"});
  std::vector<std::string> names;
  for (const xsp::report::TerminalColumn& column : columns) names.push_back(column.name);
  PrintLine(xsp::report::RenderTable(columns, TableOf(std::move(names), rows), style));
}

void PrintPoint(const json& point, const Options& options) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  PrintLine(xsp::report::Wrap(TitleOf(point), style.width, 2));
  for (const std::string& line : SumsOf(point))
    PrintLine("  " + xsp::report::Wrap(line, style.width - 2, 4));
  std::vector<json> rows = RowsOf(point, options);
  Shorten(options, rows, style);
  PrintLine(
      xsp::report::RenderTable({{"name", ""},
                                {"measured_ns", "ns"},
                                {"best_known_ns", "ns"},
                                {"bound_ns", "ns"},
                                {"best_share", "1"},
                                {"achieved_share", "1"},
                                {"resource", ""},
                                {"best_in", ""}},
                               TableOf({"name", "measured_ns", "best_known_ns", "bound_ns",
                                        "best_share", "achieved_share", "resource", "best_in"},
                                       rows),
                               style));
  PrintPrimitives(point, options);
}

void PrintCsv(const json& body, const Options& options) {
  std::vector<json> all;
  for (const json& point : body["points"])
    for (json& row : RowsOf(point, options)) {
      for (const char* key : {"point_id", "model", "backend", "batch"}) row[key] = point[key];
      all.push_back(std::move(row));
    }
  PrintLine(store::ToCsv(
      TableOf({"point_id", "model", "backend", "batch", "layer_index", "name", "type",
               "measured_ns", "best_known_ns", "bound_ns", "resource", "exceeded", "best_in"},
              all)));
}

Result<int> ShowIdeal(const api::Document& document, Format format, const Options& options) {
  if (format == Format::kJson) return ShowPlainly(document, format);
  const json& body = std::get<json>(document.content);
  if (format == Format::kCsv) {
    PrintCsv(body, options);
    return document.exit_status;
  }
  const json& looked = body["experiments"];
  PrintLine(fmt::format("searched: {} other {} of this machine; not of it: {}; unreadable: {}",
                        core::JsonText(looked["same_machine"]),
                        looked["same_machine"] == 1 ? "experiment" : "experiments",
                        core::JsonText(looked["other_machine"]),
                        core::JsonText(looked["unreadable"])));
  if (!body["with_disturbed"].get<bool>())
    PrintLine(
        "not taken: times of runs with interference in most calls (--with-disturbed takes them)");
  for (const json& point : body["points"]) {
    PrintLine("");
    PrintPoint(point, options);
  }
  return document.exit_status;
}

Show Declare(CLI::App& app, const api::Context&) {
  const auto options = std::make_shared<Options>();
  app.add_option("--top", options->top,
                 "Layers of a table (0: all; default: 20). CSV and JSON have all")
      ->check(CLI::Validator(core::NonNegativeNumber, ""))
      ->type_name("N");
  app.add_option(
         "--sort", options->sort,
         "gap (to the best known time), bound (distance to the bound) or order (of execution)")
      ->check(CLI::IsMember({"gap", "bound", "order"}).description(""))
      ->type_name("HOW")
      ->default_str("gap");
  return [options](const api::Document& document, Format format) {
    return ShowIdeal(document, format, *options);
  };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "ideal", .declare = Declare};

}  // namespace xsp::cli::ideal_view
