#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/cli/summary_output.h"
#include "app/cli/view.h"

namespace xsp::cli::findings_view {
namespace {

using nlohmann::json;

/// "warning; gain: 1.20 ms (0.80 ms to 1.50 ms), 8.00 % of the call; more: xsp analyze A3".
std::string DetailsOf(const json& finding) {
  std::string details = finding["severity"];
  if (const json& gain = finding["gain"]; !gain.is_null())
    details += fmt::format("; gain: {}", gain["text"].get<std::string>());
  if (const json& evidence = finding["evidence"]; evidence.contains("analysis"))
    return details + fmt::format("; more: xsp analyze {}", evidence["analysis"].get<std::string>());
  return details + fmt::format("; more: #{} in the report", finding["see"].get<std::string>());
}

/// The rules of each reason to abstain, in order of their first.
std::vector<std::pair<std::string, std::vector<std::string>>> ByReason(const json& abstained) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const json& abstention : abstained) {
    const std::string reason = WithoutCodeMarks(abstention["reason"]);
    auto known = std::ranges::find(reasons, reason, &decltype(reasons)::value_type::first);
    if (known == reasons.end()) known = reasons.insert(known, {reason, {}});
    known->second.push_back(abstention["id"]);
  }
  return reasons;
}

Result<int> ShowFindings(const api::Document& document, Format format) {
  if (format == Format::kCsv) {
    return Error{ErrorKind::kUsage, "findings are not a table: --format csv",
                 "Use json; `xsp analyze ID --format csv` writes the rows of an analysis."};
  }
  const json& body = std::get<json>(document.content);
  const int width = xsp::report::StyleOfStandardOutput().width;
  int number = 0;
  for (const json& finding : body["findings"]) {
    const std::string sentence = WithoutCodeMarks(finding["sentence"]);
    PrintLine(xsp::report::Wrap(fmt::format("{}. {}", ++number, sentence), width, 3));
    PrintLine("   " + xsp::report::Wrap(DetailsOf(finding), width - 3, 3));
  }
  if (number == 0) PrintLine("No finding holds.");
  if (body["abstained"].empty()) return document.exit_status;
  PrintLine("");
  PrintLine("Abstained");
  for (const auto& [reason, rules] : ByReason(body["abstained"]))
    PrintLine(xsp::report::Wrap(fmt::format("- {}: {}", fmt::join(rules, ", "), reason), width, 2));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowFindings); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "findings", .declare = Declare};

}  // namespace xsp::cli::findings_view
