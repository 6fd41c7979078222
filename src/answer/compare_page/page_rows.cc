#include "answer/compare_page/page_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/compare_page/node_parents.h"
#include "answer/report/columns_json.h"
#include "store/table.h"

namespace xsp::compare_page {
namespace {

using compare::ComparedNode;
using nlohmann::json;

/// Which nodes are kept: the largest differences, and all that is above them.
std::vector<bool> Kept(const std::vector<ComparedNode>& nodes,
                       const std::vector<std::int32_t>& parents, std::size_t most) {
  std::vector<bool> kept(nodes.size(), nodes.size() <= most);
  if (nodes.size() <= most) return kept;
  std::vector<std::int32_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto weight = [&](std::int32_t i) {
    const ComparedNode& node = nodes[At(i)];
    return std::pair(std::abs(node.difference_ns),
                     std::max(node.a_ns.value_or(0), node.b_ns.value_or(0)));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t x, std::int32_t y) { return weight(x) > weight(y); });
  std::size_t count = 0;
  for (const std::int32_t i : order) {
    std::vector<std::int32_t> missing;
    for (std::int32_t at = i; at >= 0 && !kept[At(at)]; at = parents[At(at)]) missing.push_back(at);
    if (count + missing.size() > most) continue;
    for (const std::int32_t at : missing) kept[At(at)] = true;
    count += missing.size();
  }
  return kept;
}

/// Bytes of a name beyond which it is cut, so that all together fit into `most_bytes`.
std::size_t LongestName(const std::set<std::string_view>& names, std::size_t most_bytes) {
  std::size_t bytes = 0;
  for (const std::string_view name : names) bytes += name.size();
  if (bytes <= most_bytes) return std::string::npos;
  return std::max<std::size_t>(16, most_bytes / names.size());
}

std::string Cut(std::string_view name, std::size_t longest) {
  if (name.size() <= longest) return std::string(name);
  return std::string(name.substr(0, longest - 3)) + "\u2026";
}

store::Cell TextOrNull(std::string text) {
  return text.empty() ? store::Cell() : store::Cell(std::move(text));
}

store::Cell CellOf(const std::optional<double>& number) {
  return number ? store::Cell(*number) : store::Cell();
}

/// Null where the row lacks it.
store::Cell KnownNumber(const json& document_row, const char* name) {
  const auto found = document_row.find(name);
  if (found == document_row.end() || !found->is_number()) return {};
  return found->get<double>();
}

/// Makes the columns of the kept nodes.
class RowWriter {
 public:
  RowWriter(const compare::Sides& sides, const std::vector<ComparedNode>& nodes,
            std::size_t most_rows)
      : names_(sides), nodes_(nodes), parents_(FindParents(names_, nodes)) {
    kept_ = Kept(nodes, parents_.shown, most_rows);
    CountLeftOut();
  }

  json Write(const json& document_rows, std::size_t most_name_bytes) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!kept_[i]) continue;
      names.insert(names_.Of(nodes_[i]));
      names.insert(names_.InB(nodes_[i]));
    }
    longest_ = LongestName(names, most_name_bytes);
    store::Table table;
    table.columns = {"parent",  "name",  "b_name", "kind", "leaf",  "a_ns",   "b_ns",
                     "verdict", "ratio", "low",    "high", "shape", "b_path", "left_out"};
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (kept_[i]) table.rows.push_back(RowOf(i, document_rows.at(i)));
    json columns = report::ColumnsJson(table, report::Repeats::kOnce);
    return {{"columns", std::move(columns)},
            {"rows_left_out", all_left_out_},
            {"names_cut", longest_ != std::string::npos}};
  }

 private:
  void CountLeftOut() {
    number_.assign(nodes_.size(), kNone);
    left_out_.assign(nodes_.size(), 0);
    std::int32_t next = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (kept_[i]) {
        number_[i] = next++;
        continue;
      }
      ++all_left_out_;
      std::int32_t above = parents_.shown[i];
      while (above >= 0 && !kept_[At(above)]) above = parents_.shown[At(above)];
      if (above >= 0) ++left_out_[At(above)];
    }
  }

  std::vector<store::Cell> RowOf(std::size_t i, const json& document_row) const {
    const ComparedNode& node = nodes_[i];
    const std::int32_t parent = parents_.shown[i];
    const std::string_view name = names_.Of(node), b_name = names_.InB(node);
    const std::string_view shape = node.a_node >= 0   ? names_.a.ShapeOf(At(node.a_node))
                                   : node.b_node >= 0 ? names_.b.ShapeOf(At(node.b_node))
                                                      : std::string_view();
    const bool is_elsewhere = node.a_node >= 0 && node.b_node >= 0 && parents_.in_b[i] != parent;
    return {std::int64_t{parent < 0 ? kNone : number_[At(parent)]},
            Cut(name, longest_),
            TextOrNull(b_name == name ? std::string() : Cut(b_name, longest_)),
            std::string(compare::ToString(node.kind)),
            node.is_leaf,
            CellOf(node.a_ns),
            CellOf(node.b_ns),
            document_row.at("verdict").get<std::string>(),
            KnownNumber(document_row, "ratio"),
            KnownNumber(document_row, "low"),
            KnownNumber(document_row, "high"),
            TextOrNull(std::string(shape)),
            TextOrNull(is_elsewhere ? Cut(node.b_path, 400) : std::string()),
            left_out_[i]};
  }

  ComparedNames names_;
  const std::vector<ComparedNode>& nodes_;
  NodeParents parents_;
  std::vector<bool> kept_;
  std::vector<std::int32_t> number_;  ///< Of a kept node its row.
  std::vector<std::int64_t> left_out_;
  std::int64_t all_left_out_ = 0;
  std::size_t longest_ = std::string::npos;
};

}  // namespace

json PageRows(const compare::Sides& sides, const compare::ComparedTrees& trees,
              const json& document_rows, const RowLimits& limits) {
  return RowWriter(sides, trees.nodes, limits.rows).Write(document_rows, limits.name_bytes);
}

}  // namespace xsp::compare_page
