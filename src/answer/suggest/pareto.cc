#include "answer/suggest/pareto.h"

#include <algorithm>
#include <utility>

namespace xsp::suggest {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Candidates that each one dominates.
using Graph = std::vector<std::vector<std::size_t>>;

/// Strongly connected components of a graph (Tarjan 1972), without recursion.
class Components {
 public:
  explicit Components(const Graph& graph)
      : graph_(graph),
        component_(graph.size(), kNone),
        found_(graph.size(), kNone),
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
  const std::size_t count = candidates.size();
  const auto dominates = [&](std::size_t a, std::size_t b) {
    return a != b && Dominates(candidates[a], candidates[b], directions);
  };
  ParetoFront front{std::vector<bool>(count, false), {}};
  front.dominated_by.resize(count);
  std::vector<std::size_t> reached;  // From what nothing dominates: it is in no circle.
  for (std::size_t b = 0; b < count; ++b) {
    bool is_dominated = false;
    for (std::size_t a = 0; a < count && !is_dominated; ++a) is_dominated = dominates(a, b);
    front.on_front[b] = !is_dominated;
    if (!is_dominated) reached.push_back(b);
  }
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < count; ++i)
    if (!front.on_front[i]) rest.push_back(i);
  for (std::size_t next = 0; next < reached.size(); ++next)
    std::erase_if(rest, [&](std::size_t b) {
      if (!dominates(reached[next], b)) return false;
      front.dominated_by[b] = reached[next];
      reached.push_back(b);
      return true;
    });
  // What is left is dominated by circles alone.
  Graph graph(rest.size());
  for (std::size_t a = 0; a < rest.size(); ++a)
    for (std::size_t b = 0; b < rest.size(); ++b)
      if (dominates(rest[a], rest[b])) graph[a].push_back(b);
  const Components components(graph);
  std::vector<bool> is_dominated(components.count(), false);
  for (std::size_t a = 0; a < rest.size(); ++a)
    for (const std::size_t b : graph[a])
      if (components.Of(a) != components.Of(b)) is_dominated[components.Of(b)] = true;
  for (std::size_t i = 0; i < rest.size(); ++i)
    front.on_front[rest[i]] = !is_dominated[components.Of(i)];
  for (const bool by_front : {true, false})
    for (std::size_t a = 0; a < rest.size(); ++a)
      for (const std::size_t b : graph[a])
        if (front.on_front[rest[a]] == by_front && !front.on_front[rest[b]] &&
            !front.dominated_by[rest[b]])
          front.dominated_by[rest[b]] = rest[a];
  return front;
}

}  // namespace xsp::suggest
