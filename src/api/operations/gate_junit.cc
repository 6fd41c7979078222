#include "api/operations/gate_junit.h"

#include <fmt/format.h>

#include <string_view>

#include "api/operations/gate_text.h"
#include "core/utf8.h"

namespace xsp::api {
namespace {

using nlohmann::json;

/// Whether XML 1.0 may have the character (section 2.2).
bool IsXmlCharacter(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code < 0xD800 || (code >= 0xE000 && code <= 0xFFFD) || code >= 0x10000;
}

/// Text or the value of an attribute.
std::string Xml(std::string_view text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = core::NextCharacter(text, at);
    switch (code) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      // In an attribute they would become spaces.
      case '\t':
      case '\n':
      case '\r':
        escaped += fmt::format("&#{};", static_cast<int>(code));
        break;
      default:
        core::AppendUtf8(IsXmlCharacter(code) ? code : 0xFFFD, escaped);
    }
  }
  return escaped;
}

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0;
};

Counts CountsOf(const json& pair) {
  Counts counts;
  for (const json& gate : pair["gates"]) {
    ++counts.tests;
    counts.failures += gate["outcome"] == "regression";
    counts.errors += gate["outcome"] == "inconclusive";
  }
  return counts;
}

std::string CountsText(const Counts& counts) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="0")", counts.tests,
                     counts.failures, counts.errors);
}

std::string CaseXml(const json& gate) {
  const std::string head =
      fmt::format(R"(    <testcase classname="xsp.gates.{}" name="{}" time="0")",
                  Xml(gate["metric"].get<std::string>()), Xml(gate["gate"].get<std::string>()));
  if (gate["outcome"] == "pass") return head + "/>\n";
  const char* const element = gate["outcome"] == "regression" ? "failure" : "error";
  std::string body;
  for (const std::string& line : GateNodeLines(gate)) body += Xml(line) + "\n";
  return fmt::format("{}>\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", head,
                     element, Xml(gate["outcome"].get<std::string>()), Xml(GateValueText(gate)),
                     body, element);
}

}  // namespace

std::string JunitXml(std::span<const json* const> pairs) {
  Counts all;
  std::string suites;
  for (const json* pair : pairs) {
    const Counts counts = CountsOf(*pair);
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
    suites += fmt::format("  <testsuite name=\"{} -&gt; {}\" {} time=\"0\">\n",
                          Xml((*pair)["sides"][0]["name"].get<std::string>()),
                          Xml((*pair)["sides"][1]["name"].get<std::string>()), CountsText(counts));
    for (const json& gate : (*pair)["gates"]) suites += CaseXml(gate);
    suites += "  </testsuite>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"xsp compare\" {} "
      "time=\"0\">\n{}</testsuites>\n",
      CountsText(all), suites);
}

}  // namespace xsp::api
