#include "answer/store_findings/survey_document.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/statistics.h"

namespace xsp::store_findings {
namespace {

using nlohmann::json;

/// One experiment that has a rule.
struct Holder {
  const SurveyedExperiment* experiment = nullptr;
  const KnownFinding* finding = nullptr;

  /// Orders gains that are not known after all others.
  double share() const { return finding->gain ? finding->gain->share() : -1; }
};

/// The experiments that have one rule.
struct Group {
  const findings::Rule* rule = nullptr;
  std::vector<Holder> holders;  ///< The largest gain first.
  std::size_t abstained = 0;

  double largest_share() const { return holders.front().share(); }
};

/// All rules that at least one experiment has.
std::vector<Group> GroupsOf(const std::vector<SurveyedExperiment>& experiments,
                            const std::vector<findings::Rule>& rules) {
  std::map<std::string_view, Group> by_id;
  for (const findings::Rule& rule : rules) by_id[rule.id].rule = &rule;
  for (const SurveyedExperiment& experiment : experiments) {
    if (!experiment.findings) continue;
    for (const KnownFinding& finding : experiment.findings->found)
      if (const auto group = by_id.find(finding.rule); group != by_id.end())
        group->second.holders.push_back({&experiment, &finding});
    for (const std::string& rule : experiment.findings->abstained)
      if (const auto group = by_id.find(rule); group != by_id.end()) ++group->second.abstained;
  }
  std::vector<Group> groups;
  for (auto& [id, group] : by_id) {
    if (group.holders.empty()) continue;
    // Experiments come newest first, and stay so where gains are equal.
    std::ranges::stable_sort(group.holders, std::greater<>(), &Holder::share);
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, std::greater<>(), [](const Group& group) {
    return std::tuple(group.holders.size(), group.largest_share());
  });
  return groups;
}

bool IsShown(const Group& group, const ShownPart& part) {
  const auto has = [](const std::vector<std::string>& wanted, std::string_view one) {
    return wanted.empty() || std::ranges::find(wanted, one) != wanted.end();
  };
  return has(part.rules, group.rule->id) &&
         has(part.severities, findings::NameOf(group.rule->severity));
}

json ModelsOf(const Group& group) {
  std::set<std::string> models;
  for (const Holder& holder : group.holders)
    if (const std::string& model = holder.experiment->stored.model; !model.empty())
      models.insert(model);
  return models;
}

/// null: no gain of the group is known.
json GainsOf(const Group& group) {
  std::vector<double> shares;
  double repeated_ns = 0, once_ns = 0;
  for (const Holder& holder : group.holders) {
    if (!holder.finding->gain) continue;
    shares.push_back(holder.share());
    (holder.finding->gain->is_repeated() ? repeated_ns : once_ns) += holder.finding->gain->ns;
  }
  if (shares.empty()) return nullptr;
  return {{"experiments", shares.size()},
          {"largest_share", group.largest_share()},
          {"largest_experiment", group.holders.front().experiment->stored.name},
          {"median_share", core::Median(shares)},
          {"total_ns", repeated_ns},
          {"total_once_ns", once_ns}};
}

json RowOf(const Holder& holder) {
  const store::CatalogueEntry& stored = holder.experiment->stored;
  const std::optional<KnownGain>& gain = holder.finding->gain;
  json row = {{"experiment", stored.name},
              {"created", stored.created},
              {"model", stored.model},
              {"backend", stored.backend},
              {"point_id", holder.experiment->findings->point_id},
              {"point", holder.experiment->findings->point},
              {"sentence", holder.finding->sentence},
              {"gain_ns", nullptr},
              {"gain_share", nullptr},
              {"gain", nullptr}};
  if (!gain) return row;
  row["gain_ns"] = {gain->low_ns, gain->ns, gain->high_ns};
  row["gain_share"] = gain->share();
  row["gain"] = {{"whole", gain->whole}, {"whole_ns", gain->whole_ns}};
  return row;
}

json GroupJson(const Group& group, const ShownPart& part) {
  json rows = json::array();
  const std::size_t begin = std::min(part.offset, group.holders.size());
  const std::size_t end = begin + std::min(part.rows, group.holders.size() - begin);
  for (std::size_t i = begin; i < end; ++i) rows.push_back(RowOf(group.holders[i]));
  return {{"id", group.rule->id},
          {"title", group.rule->title},
          {"severity", findings::NameOf(group.rule->severity)},
          {"see", group.rule->see},
          {"experiments", group.holders.size()},
          {"abstained", group.abstained},
          {"models", ModelsOf(group)},
          {"gain", GainsOf(group)},
          {"rows", std::move(rows)}};
}

}  // namespace

json SurveyDocument(const std::vector<SurveyedExperiment>& experiments,
                    const std::vector<findings::Rule>& rules, const ShownPart& part) {
  std::size_t known = 0, missing = 0;
  json unreadable = json::array();
  for (const SurveyedExperiment& experiment : experiments) {
    known += experiment.findings ? 1 : 0;
    missing += experiment.is_missing() ? 1 : 0;
    if (!experiment.unreadable.empty())
      unreadable.push_back(
          {{"experiment", experiment.stored.name}, {"reason", experiment.unreadable}});
  }
  json shown = json::array();
  const std::vector<Group> groups = GroupsOf(experiments, rules);
  for (const Group& group : groups)
    if (IsShown(group, part)) shown.push_back(GroupJson(group, part));
  return {{"experiments", experiments.size()},
          {"known", known},
          {"not_known", missing},
          {"unreadable", std::move(unreadable)},
          {"rules", std::move(shown)}};
}

}  // namespace xsp::store_findings
