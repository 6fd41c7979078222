#include "answer/compare_page/page_sums.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/compare_page/node_parents.h"

namespace xsp::compare_page {
namespace {

using compare::ComparedNode;
using compare::NodeKind;
using nlohmann::json;

constexpr std::size_t kLongestName = 400;

std::string Cut(std::string_view name) {
  if (name.size() <= kLongestName) return std::string(name);
  return std::string(name.substr(0, kLongestName - 3)) + "\u2026";
}

/// Nodes that are one line of the page.
struct Sum {
  std::size_t first = 0;  ///< Of the nodes.
  std::int64_t count = 0;
  std::optional<double> a_ns, b_ns;
  std::string_view operator_name;  ///< That all are in; empty: several, or none.

  double Difference() const { return b_ns.value_or(0) - a_ns.value_or(0); }
};

using Names = std::pair<std::string_view, std::string_view>;
using Sums = std::map<Names, Sum>;

class Summing {
 public:
  Summing(const compare::Sides& sides, const std::vector<ComparedNode>& nodes)
      : names_(sides), nodes_(nodes), parents_(FindParents(names_, nodes).shown) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::int32_t above = parents_[i];
      operators_.push_back(nodes[i].kind == NodeKind::kOperator ? static_cast<std::int32_t>(i)
                           : above < 0                          ? -1
                                                                : operators_[At(above)]);
      Add(i);
    }
  }

  json Write(std::size_t most) const {
    return {{"types", Types(most)},
            {"only_a", Lone(only_a_, most)},
            {"only_b", Lone(only_b_, most)},
            {"renamed", Renamed(most)}};
  }

 private:
  void Add(std::size_t i) {
    const ComparedNode& node = nodes_[i];
    const std::string_view name = names_.Of(node), b_name = names_.InB(node);
    const bool is_loose = node.is_leaf && operators_[i] < 0;
    if (node.kind == NodeKind::kOperator || is_loose) AddTo(types_[{name, {}}], i);
    if (!node.is_leaf || node.kind == NodeKind::kBetween) return;
    const Names of_kind{name, compare::ToString(node.kind)};
    if (!node.a_ns) AddTo(only_b_[of_kind], i);
    if (!node.b_ns) AddTo(only_a_[of_kind], i);
    if (node.a_ns && node.b_ns && !b_name.empty() && b_name != name)
      AddTo(renamed_[{name, b_name}], i);
  }

  void AddTo(Sum& sum, std::size_t i) const {
    const ComparedNode& node = nodes_[i];
    const std::string_view own =
        operators_[i] < 0 ? std::string_view() : names_.Of(nodes_[At(operators_[i])]);
    if (sum.count == 0) {
      sum.first = i;
      sum.operator_name = own;
    } else if (sum.operator_name != own) {
      sum.operator_name = {};
    }
    ++sum.count;
    if (node.a_ns) sum.a_ns = sum.a_ns.value_or(0) + *node.a_ns;
    if (node.b_ns) sum.b_ns = sum.b_ns.value_or(0) + *node.b_ns;
  }

  /// The largest by the size of their difference, which of lone work is its time.
  static std::vector<const Sums::value_type*> Largest(const Sums& sums, std::size_t most) {
    std::vector<const Sums::value_type*> list;
    for (const auto& item : sums) list.push_back(&item);
    std::stable_sort(list.begin(), list.end(), [](const auto* x, const auto* y) {
      return std::abs(x->second.Difference()) > std::abs(y->second.Difference());
    });
    if (list.size() > most) list.resize(most);
    return list;
  }

  /// Names above the node.
  std::string WhereIs(std::size_t i) const {
    std::string where;
    for (std::int32_t at = parents_[i]; at >= 0; at = parents_[At(at)])
      where = std::string(names_.Of(nodes_[At(at)])) + (where.empty() ? "" : " / ") + where;
    return Cut(where);
  }

  static json NumberOrNull(const std::optional<double>& number) {
    return number ? json(*number) : json(nullptr);
  }

  json Types(std::size_t most) const {
    json rows = json::array();
    for (const auto* item : Largest(types_, most))
      rows.push_back({{"name", Cut(item->first.first)},
                      {"count", item->second.count},
                      {"where", item->second.count == 1 ? WhereIs(item->second.first) : ""},
                      {"a_ns", NumberOrNull(item->second.a_ns)},
                      {"b_ns", NumberOrNull(item->second.b_ns)}});
    return {{"rows", std::move(rows)}, {"total", types_.size()}};
  }

  json Lone(const Sums& sums, std::size_t most) const {
    double time_ns = 0;
    for (const auto& [names, sum] : sums) time_ns += std::abs(sum.Difference());
    json rows = json::array();
    for (const auto* item : Largest(sums, most))
      rows.push_back({{"name", Cut(item->first.first)},
                      {"kind", item->first.second},
                      {"where", WhereIs(item->second.first)},
                      {"count", item->second.count},
                      {"time_ns", std::abs(item->second.Difference())}});
    return {{"rows", std::move(rows)}, {"total", sums.size()}, {"time_ns", time_ns}};
  }

  json Renamed(std::size_t most) const {
    json rows = json::array();
    for (const auto* item : Largest(renamed_, most))
      rows.push_back({{"a", Cut(item->first.first)},
                      {"b", Cut(item->first.second)},
                      {"operator", Cut(item->second.operator_name)},
                      {"count", item->second.count},
                      {"a_ns", NumberOrNull(item->second.a_ns)},
                      {"b_ns", NumberOrNull(item->second.b_ns)}});
    return {{"rows", std::move(rows)}, {"total", renamed_.size()}};
  }

  ComparedNames names_;
  const std::vector<ComparedNode>& nodes_;
  std::vector<std::int32_t> parents_;
  std::vector<std::int32_t> operators_;  ///< The operator that a node is, or is in; -1: none.
  Sums types_, only_a_, only_b_, renamed_;
};

}  // namespace

json PageSums(const compare::Sides& sides, const compare::ComparedTrees& trees, std::size_t most) {
  return Summing(sides, trees.nodes).Write(most);
}

}  // namespace xsp::compare_page
