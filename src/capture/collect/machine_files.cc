#include "capture/collect/machine_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "os/files.h"

namespace xsp::collect {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLimitBytes = 16 << 20;
constexpr std::string_view kBlank = " \t\r\n";

std::string_view Trimmed(std::string_view text) {
  // Device trees and /proc end some texts with a zero byte.
  while (!text.empty() && (text.back() == '\0' || kBlank.find(text.back()) != kBlank.npos)) {
    text.remove_suffix(1);
  }
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text;
}

}  // namespace

std::optional<std::string> MachineFiles::Text(const fs::path& path) const {
  auto text = os::ReadFile(root_ / path, kLimitBytes);
  if (!text.ok()) return std::nullopt;
  return std::string(Trimmed(text.value()));
}

std::optional<std::int64_t> MachineFiles::Number(const fs::path& path) const {
  const auto text = Text(path);
  return text ? LeadingNumber(*text) : std::nullopt;
}

std::optional<std::string> MachineFiles::Value(const fs::path& path, std::string_view key) const {
  const auto text = Text(path);
  if (!text) return std::nullopt;
  std::string_view rest = *text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const auto start = line.find_first_not_of(" \t");
    const bool blank = start != 0 && start != line.npos;
    if (start == line.npos) continue;
    line.remove_prefix(start);
    if (line.front() == ':' || line.front() == '=') {
      line.remove_prefix(1);
    } else if (!blank) {
      continue;  // The key only begins like it.
    }
    return std::string(Trimmed(line));
  }
  return std::nullopt;
}

std::optional<std::int64_t> MachineFiles::NumberOf(const fs::path& path,
                                                   std::string_view key) const {
  const auto value = Value(path, key);
  return value ? LeadingNumber(*value) : std::nullopt;
}

std::vector<std::string> MachineFiles::Names(const fs::path& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(root_ / folder, error), end; !error && it != end;
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> MachineFiles::LinkTarget(const fs::path& path) const {
  std::error_code error;
  const fs::path target = fs::read_symlink(root_ / path, error);
  return error ? std::nullopt : std::optional(target.string());
}

bool MachineFiles::Exists(const fs::path& path) const {
  std::error_code error;
  return fs::exists(root_ / path, error);
}

std::optional<std::int64_t> LeadingNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc()) return std::nullopt;
  return value;
}

void FactSheet::Add(std::string_view name, std::optional<std::string> value, std::string_view why) {
  Fact fact{fmt::format("{}.{}", prefix_, name), value.value_or(""), ""};
  if (fact.value.empty()) fact.why = why;
  facts_.push_back(std::move(fact));
}

void FactSheet::Add(std::string_view name, std::optional<std::int64_t> value,
                    std::string_view why) {
  Add(name, value ? std::optional(fmt::format("{}", *value)) : std::nullopt, why);
}

}  // namespace xsp::collect
