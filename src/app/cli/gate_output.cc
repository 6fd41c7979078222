#include "app/cli/gate_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "answer/report/terminal.h"
#include "api/operations/gate_text.h"
#include "app/cli/output.h"

namespace xsp::cli {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> kOutcomes = {"regression", "inconclusive", "pass"};

/// "2 regression, 1 pass"
std::string OutcomesText(const json& gates) {
  std::vector<std::string> counts;
  for (const std::string_view outcome : kOutcomes) {
    const auto n =
        std::ranges::count_if(gates, [&](const json& gate) { return gate["outcome"] == outcome; });
    if (n > 0) counts.push_back(fmt::format("{} {}", n, outcome));
  }
  return fmt::format("{}", fmt::join(counts, ", "));
}

void PrintIndented(const std::string& text, int indent, int width) {
  PrintLine(std::string(static_cast<std::size_t>(indent), ' ') +
            xsp::report::Wrap(text, width - indent, indent + 4));
}

bool HasGates(const json& pair) { return pair.contains("gates") && !pair["gates"].empty(); }

}  // namespace

void PrintGates(const json& pair, int width) {
  if (!HasGates(pair)) return;
  PrintLine("gates: " + OutcomesText(pair["gates"]));
  for (const json& gate : pair["gates"]) {
    PrintIndented(fmt::format("{}: {}: {}", gate["outcome"].get<std::string>(),
                              gate["gate"].get<std::string>(), api::GateValueText(gate)),
                  2, width);
    for (const std::string& line : api::GateNodeLines(gate)) PrintIndented(line, 6, width);
  }
}

void PrintGatesAsMarkdown(const json& pair) {
  if (!HasGates(pair)) return;
  PrintLine(
      fmt::format("**Gates: {}**\n\n| outcome | gate | value | what took more time |\n"
                  "| --- | --- | --- | --- |",
                  OutcomesText(pair["gates"])));
  for (const json& gate : pair["gates"]) {
    const bool is_pass = gate["outcome"] == "pass";
    std::string nodes;
    for (const std::string& line : api::GateNodeLines(gate))
      nodes += (nodes.empty() ? "" : "<br>") + EscapedMarkdown(line);
    const std::string outcome = gate["outcome"];
    PrintLine(fmt::format("| {} | {} | {} | {} |", is_pass ? outcome : "**" + outcome + "**",
                          EscapedMarkdown(gate["gate"].get<std::string>()),
                          EscapedMarkdown(api::GateValueText(gate)), nodes));
  }
  PrintLine("");
}

std::string EscapedMarkdown(std::string_view text) {
  static const std::map<char, std::string_view> kEntities = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'\n', " "}, {'\r', " "}};
  std::string escaped;
  for (const char c : text) {
    if (const auto entity = kEntities.find(c); entity != kEntities.end()) {
      escaped += entity->second;
      continue;
    }
    if (std::string_view("\\|*_`[]#~").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace xsp::cli
