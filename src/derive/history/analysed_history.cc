#include "derive/history/analysed_history.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/json_text.h"

namespace xsp::history {
namespace {

using nlohmann::json;

/// "graph eager, threads 4": without defaults and the worker, which the backend tells.
std::string SettingsText(const std::string& settings) {
  const json all = core::ParseJson(settings);
  if (!all.is_object()) return settings;
  std::string text;
  for (const auto& [name, value] : all.items()) {
    const bool is_default = value == "default" || value == 0 || value == json::array() ||
                            value == json::object() || value == "" || name == "worker";
    if (is_default) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.get<std::string>() : core::JsonText(value));
  }
  return text;
}

std::string SideOf(const Entry& entry) {
  if (entry.is_only_point) return entry.experiment;
  return fmt::format("{}#point={}", entry.experiment, entry.point_id);
}

}  // namespace

Result<AnalysedHistory> Analyse(History history, std::span<const CollectorSpec* const> collectors) {
  AnalysedHistory analysed;
  XSP_TRY(analysed.last_two, CompareLastTwo(history));
  for (const Series& series : history.series)
    analysed.changes.push_back(FindChanges(series, history.metric, collectors));
  analysed.history = std::move(history);
  return analysed;
}

std::size_t SegmentOf(const Changes& changes, std::size_t entry) {
  std::size_t segment = 0;
  while (changes.segments[segment].end <= entry) ++segment;
  return segment;
}

std::string CompareCommand(const Entry& older, const Entry& newer) {
  return fmt::format("xsp compare {} {}", SideOf(older), SideOf(newer));
}

std::string TitleOf(const SeriesKey& key) {
  std::string title = key.backend;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) title += (title.empty() ? "" : ", ") + part;
  };
  add(key.device);
  if (key.precision != "default" && key.precision != "unknown") add(key.precision);
  if (key.batch) add(fmt::format("batch {}", *key.batch));
  add(SettingsText(key.settings));
  add(key.machine == "not known" ? "machine not known" : key.machine);
  return title;
}

}  // namespace xsp::history
