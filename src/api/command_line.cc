#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/request_json.h"
#include "core/json_text.h"

namespace xsp::api {
namespace {

using nlohmann::json;

/// `word` as a shell reads it as one.
std::string Quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n'\"\\$&|;<>()*?[]{}~#`!") == std::string::npos)
    return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string WordOf(const json& value) {
  return value.is_string() ? value.get<std::string>() : core::AsciiJsonText(value);
}

class CommandLineFields final : public core::RequestFields {
 public:
  explicit CommandLineFields(const json& request) : request_(request) {}

  void Add(const std::string& name, core::FieldValue, const core::FieldInfo& info) override {
    const auto found = request_.find(name);
    if (found == request_.end() || found->is_null() || *found == false || *found == json::array())
      return;
    std::string option = "--" + name;
    std::ranges::replace(option, '_', '-');
    const json values = found->is_array() ? *found : json::array({*found});
    std::vector<std::string> words;
    for (const json& value : values) words.push_back(WordOf(value));
    if (info.program) {
      for (const std::string& word : words) program_ += " " + Quoted(word);
    } else if (info.positional) {
      for (const std::string& word : words) positional_ += " " + Quoted(word);
    } else if (*found == true) {
      options_ += " " + option;
    } else if (info.list == core::ListStyle::kCommas || info.list == core::ListStyle::kOneWord) {
      options_ += fmt::format(" {} {}", option, Quoted(fmt::format("{}", fmt::join(words, ","))));
    } else {
      for (const std::string& word : words) options_ += fmt::format(" {} {}", option, Quoted(word));
    }
  }

  /// What follows the command's name.
  std::string Text() const {
    return positional_ + options_ + (program_.empty() ? "" : " --" + program_);
  }

 private:
  const json& request_;
  std::string positional_, options_, program_;
};

}  // namespace

std::string CommandLine(const Operation& operation, const json& request) {
  CommandLineFields fields(request);
  const Context nobody;
  operation.declare(fields, nobody);
  std::string name = operation.name;
  std::ranges::replace(name, '/', ' ');
  return "xsp " + name + fields.Text();
}

}  // namespace xsp::api
