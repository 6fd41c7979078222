#include "derive/history/experiment_filter.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

#include "derive/history/stored_points.h"

namespace xsp::history {
namespace {

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Whether each word of `text` is somewhere in the entry.
bool HasWords(const store::CatalogueEntry& entry, const std::string& text) {
  std::string all = entry.name + "\n" + entry.model + "\n" + entry.backend + "\n" + entry.status;
  for (const auto& [key, value] : entry.tags) all += "\n" + key + "=" + value;
  all = Lower(std::move(all));
  std::istringstream words(Lower(text));
  for (std::string word; words >> word;)
    if (all.find(word) == std::string::npos) return false;
  return true;
}

bool Fits(const store::CatalogueEntry& entry, const ExperimentFilter& filter) {
  return (filter.model.empty() || entry.model == filter.model) &&
         Lower(entry.backend).find(Lower(filter.backend)) != std::string::npos &&
         std::ranges::all_of(filter.tags, [&](const auto& tag) { return HasTag(entry, tag); }) &&
         entry.created >= filter.since &&
         (filter.until.empty() || entry.created.substr(0, filter.until.size()) <= filter.until) &&
         HasWords(entry, filter.text);
}

}  // namespace

bool HasTag(const store::CatalogueEntry& entry, const std::string& wanted) {
  const std::size_t equals = wanted.find('=');
  const auto found = entry.tags.find(wanted.substr(0, equals));
  return found != entry.tags.end() &&
         (equals == std::string::npos || found->second == wanted.substr(equals + 1));
}

Result<std::vector<store::CatalogueEntry>> FilteredExperiments(const std::filesystem::path& store,
                                                               const ExperimentFilter& filter) {
  XSP_TRY(std::vector<store::CatalogueEntry> entries, store::List(store));
  std::set<std::string> on_machine;
  if (!filter.machine.empty()) {
    XSP_TRY(const StoredPoints read,
            ReadStoredPoints(store, {.model = {}, .machine = filter.machine}));
    for (const StoredPoint& point : read.points) on_machine.insert(point.experiment);
  }
  std::erase_if(entries, [&](const store::CatalogueEntry& entry) {
    return !Fits(entry, filter) || (!filter.machine.empty() && !on_machine.contains(entry.name));
  });
  return entries;
}

}  // namespace xsp::history
