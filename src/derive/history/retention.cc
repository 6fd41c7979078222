#include "derive/history/retention.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "derive/history/experiment_filter.h"

namespace xsp::history {
namespace {

using Period = std::function<std::string(const std::string& created)>;

std::string DayOf(const std::string& created) { return created.substr(0, 10); }

std::string MonthOf(const std::string& created) { return created.substr(0, 7); }

/// The Monday of its week, in days since 1970; as DayOf() where that is no date.
std::string WeekOf(const std::string& created) {
  const std::string day = DayOf(created);
  int year = 0;
  unsigned month = 0, of_month = 0;
  const auto read = [&](std::size_t at, std::size_t size, auto& number) {
    return day.size() >= at + size &&
           std::from_chars(day.data() + at, day.data() + at + size, number).ec == std::errc();
  };
  if (!read(0, 4, year) || !read(5, 2, month) || !read(8, 2, of_month)) return day;
  const std::chrono::sys_days date = std::chrono::year_month_day(
      std::chrono::year(year), std::chrono::month(month), std::chrono::day(of_month));
  const auto monday = date - (std::chrono::weekday(date) - std::chrono::Monday);
  return std::to_string(monday.time_since_epoch().count());
}

/// Keeps the newest of `entries` (indices, newest first) of each of so many periods.
void KeepByPeriod(const std::vector<store::CatalogueEntry>& entries,
                  const std::vector<std::size_t>& newest_first, int periods,
                  const Period& period_of, std::string_view reason,
                  std::vector<std::string>& reasons) {
  std::set<std::string> seen;
  for (const std::size_t i : newest_first) {
    if (std::cmp_greater_equal(seen.size(), periods)) return;
    const bool is_newest = seen.insert(period_of(entries[i].created)).second;
    if (is_newest && reasons[i].empty()) reasons[i] = reason;
  }
}

/// Why an experiment is kept whatever others there are; nothing: no such reason.
std::optional<std::string> OwnReason(const store::CatalogueEntry& entry,
                                     const Retention& retention) {
  if (entry.status != "done") return fmt::format("not finished: {}", entry.status);
  for (const std::string& tag : retention.tags)
    if (HasTag(entry, tag)) return fmt::format("has the tag {}", tag);
  if (!retention.since.empty() && entry.created >= retention.since)
    return fmt::format("not older than {}", retention.since);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> ReasonsToKeep(const std::vector<store::CatalogueEntry>& entries,
                                       const Retention& retention) {
  std::vector<std::string> reasons(entries.size());
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;  // Newest first.
  for (std::size_t i = entries.size(); i-- > 0;) {
    const store::CatalogueEntry& entry = entries[i];
    reasons[i] = OwnReason(entry, retention).value_or("");
    if (entry.status == "done") groups[{entry.model, entry.backend}].push_back(i);
  }
  for (const auto& [of, newest_first] : groups) {
    const std::size_t last =
        std::min(newest_first.size(), static_cast<std::size_t>(retention.last));
    for (std::size_t i = 0; i < last; ++i)
      if (reasons[newest_first[i]].empty())
        reasons[newest_first[i]] = fmt::format("among the last {}", retention.last);
    KeepByPeriod(entries, newest_first, retention.daily, DayOf, "the last of its day", reasons);
    KeepByPeriod(entries, newest_first, retention.weekly, WeekOf, "the last of its week", reasons);
    KeepByPeriod(entries, newest_first, retention.monthly, MonthOf, "the last of its month",
                 reasons);
  }
  return reasons;
}

}  // namespace xsp::history
