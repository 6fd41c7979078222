#include "answer/report/summary_document.h"

#include <algorithm>
#include <string>

#include "answer/findings/gain_text.h"
#include "answer/report/summary.h"
#include "core/json_text.h"
#include "store/export.h"

namespace xsp::report {
namespace {

/// Backticks mark code on the page; a program does without.
std::string Plain(std::string text) {
  std::erase(text, '`');
  return text;
}

/// " Saves about 3.10 ms, 8.20 % of the call."; empty: nothing is expected.
std::string GainOf(const findings::Finding& finding) {
  const std::string text = finding.gain ? findings::ShortGainText(*finding.gain) : "";
  return text.empty() ? "" : " " + text;
}

}  // namespace

Result<nlohmann::json> SummaryDocument(const store::Database& database,
                                       const std::vector<findings::Rule>& rules) {
  using nlohmann::json;
  const auto rows = [&](const char* sql) -> Result<json> {
    XSP_TRY(const store::Table table, database.Query(sql));
    return core::ParseJson(store::ToJson(table));
  };
  json document;
  XSP_TRY(document["points"], rows("SELECT point_id, model, backend, device, precision, batch, "
                                   "latency_ns, latency_low_ns, latency_high_ns, batch * 1e9 / "
                                   "latency_ns AS items_per_s, peak_bytes, status FROM point "
                                   "ORDER BY point_id"));
  XSP_TRY(document["rungs"], rows("SELECT run_id, point_id, rung, samples, disturbed, latency_ns, "
                                  "overhead_ratio, overhead_ratio_low, overhead_ratio_high, status "
                                  "FROM run WHERE rung <> 'details' ORDER BY run_id"));
  XSP_TRY(const Summary summary, Summarise(database, rules));
  document["badges"] = json::array();
  for (const Badge& badge : summary.badges)
    document["badges"].push_back({{"id", badge.id},
                                  {"status", badge.status},
                                  {"value", badge.value},
                                  {"sentence", badge.sentence}});
  document["findings"] = json::array();
  for (const findings::Finding& finding : summary.leading())
    document["findings"].push_back(Plain(finding.sentence) + GainOf(finding));
  document["findings_left_out"] = summary.findings.found.size() - summary.leading().size();
  return document;
}

}  // namespace xsp::report
