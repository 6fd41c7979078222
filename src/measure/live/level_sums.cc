#include "measure/live/level_sums.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/vocabulary.h"

namespace xsp::live {

using nlohmann::json;

namespace {

/// A damaged recording has any times: a sum ends at the largest number.
void Increase(std::int64_t& sum, std::int64_t by) {
  if (__builtin_add_overflow(sum, std::max<std::int64_t>(0, by), &sum)) sum = INT64_MAX;
}

}  // namespace

void LevelSums::Add(const LiveBatch& batch) {
  for (const LiveSpan& span : batch.spans)
    if (span.parent_id != 0 && span.duration_ns &&
        (children_.size() < kKeptParents || children_.contains(span.parent_id)))
      Increase(children_[span.parent_id][span.level], *span.duration_ns);
  for (const LiveSpan& span : batch.spans) Add(span);
}

void LevelSums::Add(const LiveSpan& span) {
  std::int64_t time_ns = std::max<std::int64_t>(0, span.duration_ns.value_or(0));
  if (const auto below = children_.find(span.id); below != children_.end()) {
    // Children that overlap take more time than their parent.
    if (const auto it = below->second.find(span.level); it != below->second.end())
      time_ns = std::max<std::int64_t>(0, time_ns - it->second);
    children_.erase(below);
  }
  Level& level = runs_[span.run][span.level];
  auto it = level.names.find(span.name);
  if (it == level.names.end() && level.names.size() < kKeptNames)
    it = level.names.try_emplace(span.name).first;
  for (Sum* sum : {&level.all, it == level.names.end() ? &level.later : &it->second}) {
    ++sum->spans;
    Increase(sum->time_ns, time_ns);
  }
}

json LevelSums::ToJson(const std::string& name, const Level& level) {
  std::vector<std::pair<std::string, Sum>> by_time(level.names.begin(), level.names.end());
  const std::size_t shown = std::min(by_time.size(), kShownNames);
  std::partial_sort(by_time.begin(), by_time.begin() + static_cast<std::ptrdiff_t>(shown),
                    by_time.end(), [](const auto& a, const auto& b) {
                      return a.second.time_ns > b.second.time_ns ||
                             (a.second.time_ns == b.second.time_ns && a.first < b.first);
                    });
  json names = json::array();
  for (std::size_t i = 0; i < shown; ++i)
    names.push_back({{"name", by_time[i].first},
                     {"spans", by_time[i].second.spans},
                     {"time_ns", by_time[i].second.time_ns}});
  const std::size_t others = by_time.size() - shown + (level.later.spans > 0 ? 1 : 0);
  return {{"level", name},
          {"spans", level.all.spans},
          {"time_ns", level.all.time_ns},
          {"names", std::move(names)},
          {"other_names", others}};
}

json LevelSums::ToJson() const {
  json runs = json::array();
  for (const auto& [run, by_name] : runs_) {
    json levels = json::array();
    for (int i = 0; i < trace::kLevelCount; ++i) {
      const std::string name(trace::ToString(static_cast<trace::Level>(i)));
      if (const auto it = by_name.find(name); it != by_name.end())
        levels.push_back(ToJson(name, it->second));
    }
    runs.push_back({{"run", run}, {"levels", std::move(levels)}});
  }
  return {{"runs", std::move(runs)}};
}

}  // namespace xsp::live
