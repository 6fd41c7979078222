#include "answer/suggest/pareto.h"

#include <algorithm>
#include <utility>

namespace xsp::suggest {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Candidates that each one dominates.
using Graph = std::vector<std::vector<std::size_t>>;

/// Strongly connected components of a graph, by Tarjan's algorithm (1972) without recursion.
class Components {
 public:
  explicit Components(const Graph& graph)
      : graph_(graph), component_(graph.size(), kNone), found_(graph.size(), kNone),
        lowest_(graph.size(), 0) {
    for (std::size_t node = 0; node < graph.size(); ++node)
      if (found_[node] == kNone) Search(node);
  }

  std::size_t Of(std::size_t node) const { return component_[node]; }
  std::size_t count() const { return count_; }

 private:
  void Enter(std::size_t node) {
    found_[node] = lowest_[node] = next_++;
    path_.emplace_back(node, 0);
    open_.push_back(node);
  }

  void Search(std::size_t root) {
    Enter(root);
    while (!path_.empty()) {
      auto& [node, edge] = path_.back();
      if (edge < graph_[node].size()) {
        const std::size_t other = graph_[node][edge++];
        const std::size_t from = node;
        if (found_[other] == kNone) {
          Enter(other);
        } else if (component_[other] == kNone) {
          lowest_[from] = std::min(lowest_[from], found_[other]);
        }
        continue;
      }
      Leave(node);
    }
  }

  void Leave(std::size_t node) {
    path_.pop_back();
    if (!path_.empty()) {
      std::size_t& of_parent = lowest_[path_.back().first];
      of_parent = std::min(of_parent, lowest_[node]);
    }
    if (lowest_[node] != found_[node]) return;
    std::size_t member = kNone;
    do {
      member = open_.back();
      open_.pop_back();
      component_[member] = count_;
    } while (member != node);
    ++count_;
  }

  const Graph& graph_;
  std::vector<std::size_t> component_, found_, lowest_, open_;
  std::vector<std::pair<std::size_t, std::size_t>> path_;  ///< Node and its next edge.
  std::size_t next_ = 0, count_ = 0;
};

}  // namespace

bool Dominates(const ObjectiveValues& a, const ObjectiveValues& b,
               const std::vector<Direction>& directions) {
  bool is_better = false;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (IsBetter(b[i], a[i], directions[i])) return false;
    is_better = is_better || IsBetter(a[i], b[i], directions[i]);
  }
  return is_better;
}

bool AreTied(const ObjectiveValues& a, const ObjectiveValues& b,
             const std::vector<Direction>& directions) {
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (IsBetter(a[i], b[i], directions[i]) || IsBetter(b[i], a[i], directions[i])) return false;
  return true;
}

ParetoFront FindFront(const std::vector<ObjectiveValues>& candidates,
                      const std::vector<Direction>& directions) {
  Graph dominated(candidates.size());
  for (std::size_t a = 0; a < candidates.size(); ++a)
    for (std::size_t b = 0; b < candidates.size(); ++b)
      if (a != b && Dominates(candidates[a], candidates[b], directions)) dominated[a].push_back(b);
  const Components components(dominated);
  std::vector<bool> is_dominated(components.count(), false);
  for (std::size_t a = 0; a < candidates.size(); ++a)
    for (const std::size_t b : dominated[a])
      if (components.Of(a) != components.Of(b)) is_dominated[components.Of(b)] = true;
  ParetoFront front;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    front.on_front.push_back(!is_dominated[components.Of(i)]);
  front.dominated_by.resize(candidates.size());
  for (const bool by_front : {true, false})
    for (std::size_t a = 0; a < candidates.size(); ++a)
      for (const std::size_t b : dominated[a])
        if (front.on_front[a] == by_front && !front.on_front[b] && !front.dominated_by[b])
          front.dominated_by[b] = a;
  return front;
}

}  // namespace xsp::suggest
