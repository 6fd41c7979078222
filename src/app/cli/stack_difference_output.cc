#include "app/cli/stack_difference_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "app/cli/json_table.h"
#include "store/export.h"

namespace xsp::cli {
namespace {

using nlohmann::json;

constexpr int kMinWidth = 16;
constexpr const char* kGap = "  ";

/// Of the side `side`, "a" or "b", of a fact that differs.
std::string ForPeople(const json& fact, const std::string& side) {
  if (fact[side].is_string()) return fact[side];
  const json& why = fact[side + "_hidden"];
  return why.is_null() ? "(not there)" : fmt::format("not visible: {}", why.get<std::string>());
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

/// "Not compared: backend (only A has it).", or nothing.
std::string NotCompared(const json& parts, const std::string& name) {
  if (parts.empty()) return "";
  return fmt::format("Not compared: {} (only {} has {}).\n",
                     fmt::join(parts.get<std::vector<std::string>>(), ", "), name,
                     parts.size() == 1 ? "it" : "them");
}

/// "2 facts differ, 1 is the same; 1 momentary fact is omitted (--all shows it)."
std::string CountsText(const json& difference) {
  const std::size_t count = difference["differences"].size();
  const std::int64_t same = difference["same"], left_out = difference["left_out"];
  std::string text = fmt::format("{} differ{}, {} {} the same",
                                 count == 0   ? "no fact"
                                 : count == 1 ? "1 fact"
                                              : fmt::format("{} facts", count),
                                 count < 2 ? "s" : "", same, same == 1 ? "is" : "are");
  if (left_out > 0) {
    const bool one = left_out == 1;
    text += fmt::format("; {} momentary {} omitted (--all shows {})", left_out,
                        one ? "fact is" : "facts are", one ? "it" : "them");
  }
  return text + ".\n";
}

std::string TextForPeople(const json& difference, int width) {
  const std::string a = difference["a"]["name"], b = difference["b"]["name"];
  const json& differing = difference["differences"];
  std::string text;
  std::size_t key_width = 4;
  for (const json& fact : differing)
    key_width = std::max(key_width, fact["key"].get<std::string>().size());
  const int column = std::max(kMinWidth, (width - static_cast<int>(key_width) - 4) / 2);
  if (!differing.empty()) AddRow("fact", key_width, a, b, column, text);
  for (const json& fact : differing)
    AddRow(fact["key"], key_width, ForPeople(fact, "a"), ForPeople(fact, "b"), column, text);
  if (!text.empty()) text += "\n";
  return text + fmt::format("{} and {}: ", a, b) + CountsText(difference) +
         NotCompared(difference["only_in_a"], a) + NotCompared(difference["only_in_b"], b);
}

}  // namespace

std::string FormatStackDifference(const json& difference, Format format, int width) {
  if (format != Format::kCsv) return TextForPeople(difference, width);
  return store::ToCsv(
      TableOf({"key", "a", "b", "a_hidden", "b_hidden"}, difference["differences"]));
}

}  // namespace xsp::cli
