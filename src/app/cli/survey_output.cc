#include "app/cli/survey_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/json_table.h"
#include "app/cli/output.h"
#include "app/cli/summary_output.h"

namespace xsp::cli {
namespace {

using nlohmann::json;
using report::TerminalColumn;

/// The rules of a survey, each with its models in one text and its gains beside it.
json RuleRows(const json& survey) {
  json rows = json::array();
  for (const json& rule : survey["rules"]) {
    json row = {{"rule", rule["id"]},
                {"title", rule["title"]},
                {"severity", rule["severity"]},
                {"experiments", rule["experiments"]},
                {"models", rule["models"].size()}};
    if (const json& gain = rule["gain"]; !gain.is_null())
      row.update({{"largest", gain["largest_share"]},
                  {"median", gain["median_share"]},
                  {"total_ns", gain["total_ns"]},
                  {"total_once_ns", gain["total_once_ns"]}});
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The experiments of all rules, each led by its rule.
json ExperimentRows(const json& survey) {
  json rows = json::array();
  for (const json& rule : survey["rules"])
    for (json row : rule["rows"]) {
      row["rule"] = rule["id"];
      row["severity"] = rule["severity"];
      row["sentence"] = WithoutCodeMarks(row["sentence"]);
      if (const json gain = row["gain_ns"]; !gain.is_null()) row["expected_gain_ns"] = gain[1];
      rows.push_back(std::move(row));
    }
  return rows;
}

std::string Experiments(const json& count) {
  return fmt::format("{} experiment{}", count.get<std::size_t>(), count == 1 ? "" : "s");
}

bool HasRows(const json& survey) {
  for (const json& rule : survey["rules"])
    if (!rule["rows"].empty()) return true;
  return false;
}

void PrintRules(const json& survey, Format format) {
  const std::vector<TerminalColumn> columns = {
      {"rule", ""},        {"title", ""},      {"severity", ""},
      {"experiments", ""}, {"models", ""},     {"largest", "ratio"},
      {"median", "ratio"}, {"total_ns", "ns"}, {"total_once_ns", "ns"}};
  std::vector<std::string> names;
  for (const TerminalColumn& column : columns) names.push_back(column.name);
  Print(TableOf(std::move(names), RuleRows(survey)), columns, format);
}

void PrintExperiments(const json& survey) {
  const int width = report::StyleOfStandardOutput().width;
  for (const json& rule : survey["rules"]) {
    const json& rows = rule["rows"];
    const std::string left_out =
        rows.size() == rule["experiments"] ? "" : fmt::format(", {} of them shown", rows.size());
    PrintLine(fmt::format("{} ({}, {}): {}{}", rule["title"].get<std::string>(),
                          rule["id"].get<std::string>(), rule["severity"].get<std::string>(),
                          Experiments(rule["experiments"]), left_out));
    for (const json& row : rows) {
      const json& share = row["gain_share"];
      const std::string gain =
          share.is_null() ? "" : fmt::format(" Gain: {:.3g} %.", 100 * share.get<double>());
      PrintLine("  " + report::Wrap(row["experiment"].get<std::string>() + " (" +
                                        row["point"].get<std::string>() + ")",
                                    width - 2, 2));
      PrintLine("    " + report::Wrap(WithoutCodeMarks(row["sentence"]) + gain, width - 4, 4));
    }
    PrintLine("");
  }
}

}  // namespace

Result<int> ShowSurvey(const api::Document& document, Format format) {
  const json& survey = std::get<json>(document.content);
  const bool has_rows = HasRows(survey);
  if (format == Format::kCsv && has_rows) {
    Print(TableOf({"rule", "severity", "experiment", "created", "model", "backend", "point_id",
                   "point", "expected_gain_ns", "gain_share", "sentence"},
                  ExperimentRows(survey)),
          {}, format);
  } else if (has_rows) {
    PrintExperiments(survey);
  } else if (survey["rules"].empty() && format == Format::kTable) {
    PrintLine(survey["known"] == 0 ? "No findings are known." : "No finding holds.");
  } else {
    PrintRules(survey, format);
  }
  if (format == Format::kTable)
    PrintLine(fmt::format("Findings of {} of {}.", survey["known"].get<std::size_t>(),
                          Experiments(survey["experiments"])));
  return document.exit_status;
}

}  // namespace xsp::cli
