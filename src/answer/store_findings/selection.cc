#include "answer/store_findings/selection.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

#include "derive/history/stored_points.h"

namespace xsp::store_findings {
namespace {

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool HasTag(const store::CatalogueEntry& entry, const std::string& wanted) {
  const std::size_t equals = wanted.find('=');
  const auto found = entry.tags.find(wanted.substr(0, equals));
  return found != entry.tags.end() &&
         (equals == std::string::npos || found->second == wanted.substr(equals + 1));
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

bool Fits(const store::CatalogueEntry& entry, const Selection& selection) {
  return (selection.model.empty() || entry.model == selection.model) &&
         Lower(entry.backend).find(Lower(selection.backend)) != std::string::npos &&
         std::ranges::all_of(selection.tags, [&](const auto& tag) { return HasTag(entry, tag); }) &&
         entry.created >= selection.since &&
         (selection.until.empty() ||
          entry.created.substr(0, selection.until.size()) <= selection.until) &&
         HasWords(entry, selection.text);
}

}  // namespace

Result<std::vector<store::CatalogueEntry>> Select(const std::filesystem::path& store,
                                                  const Selection& selection) {
  XSP_TRY(std::vector<store::CatalogueEntry> entries, store::List(store));
  std::set<std::string> on_machine;
  if (!selection.machine.empty()) {
    XSP_TRY(const history::StoredPoints read,
            history::ReadStoredPoints(store, {.model = {}, .machine = selection.machine}));
    for (const history::StoredPoint& point : read.points) on_machine.insert(point.experiment);
  }
  std::erase_if(entries, [&](const store::CatalogueEntry& entry) {
    return !Fits(entry, selection) ||
           (!selection.machine.empty() && !on_machine.contains(entry.name));
  });
  std::ranges::reverse(entries);
  return entries;
}

}  // namespace xsp::store_findings
