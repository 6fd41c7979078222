#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "app/cli/comparison_output.h"
#include "app/cli/json_table.h"
#include "app/cli/summary_output.h"
#include "app/cli/view.h"
#include "core/counted.h"

namespace xsp::cli::run_view {
namespace {

using nlohmann::json;

/// "model, layer (3 processes), kernel, details"
std::string RungsText(const json& rungs) {
  std::string text;
  for (const json& rung : rungs) {
    const int processes = rung["processes"];
    text += (text.empty() ? "" : ", ") + rung["rung"].get<std::string>();
    if (processes > 1) text += fmt::format(" ({} processes)", processes);
  }
  return text.empty() ? "not possible" : text;
}

/// Seconds of a point as ns, for the table; null where they are not known.
json TimeOf(const json& rungs) {
  double seconds = 0;
  for (const json& rung : rungs) {
    if (rung["seconds"].is_null()) return nullptr;
    seconds += rung["seconds"].get<double>();
  }
  return rungs.empty() ? json() : json(seconds * 1e9);
}

std::string StoredText(const json& stored) {
  std::string text;
  for (const json& one : stored)
    text += (text.empty() ? "" : ", ") + one["experiment"].get<std::string>();
  return text;
}

void ShowPlan(const json& body) {
  const xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  json rows = json::array();
  for (const json& point : body["points"])
    rows.push_back({{"backend", point["backend"]},
                    {"batch", point["batch"]},
                    {"precision", point["precision"]},
                    {"device", point["device"]},
                    {"rungs", RungsText(point["rungs"])},
                    {"time", TimeOf(point["rungs"])},
                    {"stored", StoredText(point["stored"])}});
  PrintLine(fmt::format("Plan for {}: nothing is measured.", body["model"].get<std::string>()));
  PrintLine("");
  PrintLine(xsp::report::RenderTable(
      {{"backend", ""},
       {"batch", ""},
       {"precision", ""},
       {"device", ""},
       {"rungs", ""},
       {"time", "ns"},
       {"in the store", ""}},
      TableOf({"backend", "batch", "precision", "device", "rungs", "time", "stored"}, rows),
      style));
  PrintLine("");
  for (const json& sentence : body["sentences"])
    PrintLine(xsp::report::Wrap(sentence.get<std::string>(), style.width, 0));
}

std::string NumberText(const json& number, const char* format) {
  return number.is_number() ? fmt::format(fmt::runtime(format), number.get<double>()) : "not known";
}

/// "results of output logits [1,1000]: largest difference 1.2e-06, cosine 1.0000"
std::string ResultText(const json& result) {
  std::string text = "results";
  if (result["output"].is_string())
    text += fmt::format(" of output {}", result["output"].get<std::string>());
  if (result["message"].is_string())
    return fmt::format("{} cannot be compared: {}", text, result["message"].get<std::string>());
  text += fmt::format(" {}: largest difference {}, cosine {}", result["shape"].get<std::string>(),
                      NumberText(result["largest_difference"], "{:.3g}"),
                      NumberText(result["cosine"], "{:.4f}"));
  if (const std::int64_t values = result["not_finite_in_one"]; values > 0)
    text += fmt::format(", {} infinite or not a number in only one of them",
                        core::Counted(values, "value"));
  return text;
}

/// The comparison of an experiment with the one that it alternated with.
void ShowComparison(const json& body) {
  constexpr int kRows = 10;
  const int width = xsp::report::StyleOfStandardOutput().width;
  PrintLine("");
  for (const json& pair : body["comparison"]["pairs"]) {
    const bool has_changed = std::ranges::any_of(pair["rows"], IsChanged);
    PrintComparison(pair, {has_changed ? "changed" : "leaves", kRows});
    for (const json& result : pair["results"])
      PrintLine(xsp::report::Wrap(ResultText(result), width, 4));
    PrintLine("");
  }
}

Result<int> ShowExperiment(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  if (body.contains("estimate")) {
    ShowPlan(body);
    if (body.contains("against")) {
      PrintLine("\nMeasured alternately with:\n");
      ShowPlan(body["against"]);
    }
    return 0;
  }
  const std::string path = body["experiment"];
  XSP_TRY(const store::Database database, store::Database::Open({path}));
  XSP_RETURN_IF_ERROR(PrintSummary(body, database));
  if (const std::string conditions = body["conditions"]; !conditions.empty())
    PrintLine(xsp::report::Wrap(conditions, xsp::report::StyleOfStandardOutput().width, 0));
  if (body.contains("comparison")) ShowComparison(body);
  PrintLine(fmt::format("experiment  {}", path));
  if (body.contains("against"))
    PrintLine(fmt::format("against     {}", body["against"]["experiment"].get<std::string>()));
  if (body.contains("comparison") && body["comparison"].contains("page"))
    PrintLine(fmt::format("comparison  {}", body["comparison"]["page"].get<std::string>()));
  PrintLine(fmt::format("report      {}", body.value("report", "xsp report")));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowExperiment); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "run", .declare = Declare};

}  // namespace xsp::cli::run_view
