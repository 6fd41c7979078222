#include "ingest/importers/nvidia_smi_dmon/log_line.h"

#include <algorithm>
#include <charconv>
#include <ctime>

#include "ingest/importers/nvidia_smi_dmon/series.h"

namespace xsp::importers::nvidia_smi_dmon {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool Contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A number of exactly `digits` digits in front of `text`, which it loses, and of what follows if
/// it is `separator`; -1: there is none.
int TakeDigits(std::string_view& text, std::size_t digits, char separator) {
  int value = 0;
  if (text.size() < digits || text.front() < '0' || text.front() > '9') return -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || end != text.data() + digits) return -1;
  text.remove_prefix(digits);
  if (separator == '\0') return value;
  if (text.empty() || text.front() != separator) return -1;
  text.remove_prefix(1);
  return value;
}

bool IsWithin(int value, int least, int most) { return value >= least && value <= most; }

}  // namespace

LineKind ReadFields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  line = Trimmed(line);
  if (line.empty()) return LineKind::kEmpty;
  const bool is_csv = line.find(',') != std::string_view::npos;
  const bool is_header = line.front() == '#';
  while (!line.empty()) {
    const std::size_t end = is_csv ? line.find(',') : line.find_first_of(kSpace);
    std::string_view field = Trimmed(line.substr(0, end));
    if (field.starts_with('#')) field = Trimmed(field.substr(1));
    if (!field.empty() || is_csv) fields.push_back(field);
    line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
    if (!is_csv) line = Trimmed(line);
  }
  // In CSV the mark may be missing.
  if (Contains(fields, "gpu") && (is_header || is_csv)) return LineKind::kNames;
  if (Contains(fields, "Idx") && (is_header || is_csv)) return LineKind::kUnits;
  return LineKind::kSample;
}

bool AreOfDmon(const std::vector<std::string_view>& names) {
  const auto gpu = std::find(names.begin(), names.end(), "gpu");
  if (gpu == names.end() || gpu + 1 == names.end() || Contains(names, "pid")) return false;
  const auto is_time = [](std::string_view name) { return name == "Date" || name == "Time"; };
  const auto is_known = [](std::string_view name) { return SeriesOf(name, "").has_value(); };
  return std::all_of(names.begin(), gpu, is_time) && std::any_of(gpu + 1, names.end(), is_known);
}

std::optional<std::int64_t> LocalTimeNs(std::string_view date, std::string_view time) {
  std::tm local = {};
  const int year = TakeDigits(date, 4, '\0');
  const int month = TakeDigits(date, 2, '\0');
  local.tm_mday = TakeDigits(date, 2, '\0');
  local.tm_hour = TakeDigits(time, 2, ':');
  local.tm_min = TakeDigits(time, 2, ':');
  local.tm_sec = TakeDigits(time, 2, '\0');
  local.tm_year = year - 1900;
  local.tm_mon = month - 1;
  local.tm_isdst = -1;
  // Years that 64 bits of nanoseconds hold.
  if (!IsWithin(year, 1971, 2261) || !IsWithin(month, 1, 12) || !IsWithin(local.tm_mday, 1, 31) ||
      !IsWithin(local.tm_hour, 0, 23) || !IsWithin(local.tm_min, 0, 59) ||
      !IsWithin(local.tm_sec, 0, 60) || !date.empty() || !time.empty())
    return std::nullopt;
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  return static_cast<std::int64_t>(std::mktime(&local)) * kSecondNs;
}

}  // namespace xsp::importers::nvidia_smi_dmon
