#include "objects/profile_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "os/files.h"
#include "os/paths.h"

namespace xsp::objects {
namespace {

namespace fs = std::filesystem;

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::string TextOf(const char* variable, const char* name) {
  const std::string home = os::Environment("HOME").value_or("");
  const fs::path path =
      os::Environment(variable).value_or((fs::path(home) / ".aws" / name).string());
  const auto text = os::ReadFile(path, 1 << 20);
  return text.ok() ? text.value() : std::string();
}

}  // namespace

std::map<std::string, std::string> SectionOf(std::string_view text, std::string_view name) {
  std::map<std::string, std::string> values;
  bool is_in = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view line = Trimmed(whole);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') {
      is_in = Trimmed(line.substr(1, line.find(']') - 1)) == name;
      continue;
    }
    const std::size_t equals = line.find('=');
    const bool is_nested = whole[0] == ' ' || whole[0] == '\t';
    if (!is_in || is_nested || equals == std::string_view::npos) continue;
    values[std::string(Trimmed(line.substr(0, equals)))] = Trimmed(line.substr(equals + 1));
  }
  return values;
}

std::map<std::string, std::string> ReadProfile() {
  const std::string name = os::Environment("AWS_PROFILE").value_or("default");
  const std::string section = name == "default" ? name : "profile " + name;
  std::map<std::string, std::string> values =
      SectionOf(TextOf("AWS_SHARED_CREDENTIALS_FILE", "credentials"), name);
  values.merge(SectionOf(TextOf("AWS_CONFIG_FILE", "config"), section));
  return values;
}

}  // namespace xsp::objects
