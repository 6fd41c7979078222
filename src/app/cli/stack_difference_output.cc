#include "app/cli/stack_difference_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "store/export.h"

namespace xsp::cli {

namespace {

using collect::Fact;
using collect::FactDifference;
using collect::StackDifference;
using nlohmann::json;

constexpr int kNarrowest = 16;
constexpr const char* kGap = "  ";

std::string ForPeople(const Fact& fact) {
  if (!fact.value.empty()) return fact.value;
  return fact.why.empty() ? "(not there)" : fmt::format("not visible: {}", fact.why);
}

/// Lines of at most `width` bytes: Wrap() leaves a path as long as it is.
std::vector<std::string> Wrapped(const std::string& text, int width) {
  const auto most = static_cast<std::size_t>(width);
  std::vector<std::string> lines;
  std::istringstream stream(xsp::report::Wrap(text, width, 0));
  for (std::string line; std::getline(stream, line);) {
    for (; line.size() > most; line.erase(0, most)) lines.push_back(line.substr(0, most));
    lines.push_back(line);
  }
  return lines;
}

/// A row of three columns; what is too long goes on below.
void AddRow(const std::string& key, std::size_t key_width, const std::string& a,
            const std::string& b, int width, std::string& text) {
  const std::vector<std::string> left = Wrapped(a, width), right = Wrapped(b, width);
  for (std::size_t i = 0; i < std::max<std::size_t>({1, left.size(), right.size()}); ++i) {
    std::string line =
        fmt::format("{:<{}}{}{:<{}}{}{}", i == 0 ? key : "", key_width, kGap,
                    i < left.size() ? left[i] : "", width, kGap, i < right.size() ? right[i] : "");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
}

/// "not compared: backend (only A has it)", or nothing.
std::string NotCompared(const std::vector<std::string>& parts, const StackCapture& has) {
  if (parts.empty()) return "";
  return fmt::format("Not compared: {} (only {} has {}).\n", fmt::join(parts, ", "), has.name,
                     parts.size() == 1 ? "it" : "them");
}

std::string TextForPeople(const StackCapture& a, const StackCapture& b,
                          const StackDifference& difference, int width) {
  std::string text;
  std::size_t key_width = 4;
  for (const FactDifference& both : difference.differing) {
    key_width = std::max(key_width, both.a.key.size());
  }
  const int column = std::max(kNarrowest, (width - static_cast<int>(key_width) - 4) / 2);
  if (!difference.differing.empty()) AddRow("fact", key_width, a.name, b.name, column, text);
  for (const FactDifference& both : difference.differing) {
    AddRow(both.a.key, key_width, ForPeople(both.a), ForPeople(both.b), column, text);
  }
  if (!text.empty()) text += "\n";
  const std::size_t count = difference.differing.size();
  text += fmt::format("{} and {}: {} differ{}, {} {} the same", a.name, b.name,
                      count == 0   ? "no fact"
                      : count == 1 ? "1 fact"
                                   : fmt::format("{} facts", count),
                      count < 2 ? "s" : "", difference.same, difference.same == 1 ? "is" : "are");
  if (difference.left_out > 0) {
    const bool one = difference.left_out == 1;
    text += fmt::format("; {} momentary {} omitted (--all shows {})", difference.left_out,
                        one ? "fact is" : "facts are", one ? "it" : "them");
  }
  text += ".\n" + NotCompared(difference.only_in_a, a) + NotCompared(difference.only_in_b, b);
  return text;
}

store::Cell Cell(const std::string& text) {
  return text.empty() ? store::Cell() : store::Cell(text);
}

json OrNull(const std::string& text) { return text.empty() ? json() : json(text); }

std::string TextAsCsv(const StackDifference& difference) {
  store::Table table{{"key", "a", "b", "a_hidden", "b_hidden"}, {}};
  for (const FactDifference& both : difference.differing) {
    table.rows.push_back(
        {both.a.key, Cell(both.a.value), Cell(both.b.value), Cell(both.a.why), Cell(both.b.why)});
  }
  return store::ToCsv(table);
}

std::string TextAsJson(const StackCapture& a, const StackCapture& b,
                       const StackDifference& difference) {
  json differing = json::array();
  for (const FactDifference& both : difference.differing) {
    differing.push_back({{"key", both.a.key},
                         {"a", OrNull(both.a.value)},
                         {"b", OrNull(both.b.value)},
                         {"a_hidden", OrNull(both.a.why)},
                         {"b_hidden", OrNull(both.b.why)}});
  }
  const json document = {
      {"a", {{"name", a.name}, {"kind", a.kind}}}, {"b", {{"name", b.name}, {"kind", b.kind}}},
      {"differences", std::move(differing)},       {"same", difference.same},
      {"left_out", difference.left_out},           {"only_in_a", difference.only_in_a},
      {"only_in_b", difference.only_in_b}};
  return document.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string FormatStackDifference(const StackCapture& a, const StackCapture& b,
                                  const StackDifference& difference, Format format, int width) {
  if (format == Format::kCsv) return TextAsCsv(difference);
  if (format == Format::kJson) return TextAsJson(a, b, difference);
  return TextForPeople(a, b, difference, width);
}

}  // namespace xsp::cli
