#include "derive/compare/tree_alignment.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "derive/compare/anchored_alignment.h"
#include "derive/compare/kernel_role.h"
#include "derive/compare/layer_alignment.h"

namespace xsp::compare {
namespace {

using core::Token;

Token Mix(Token a, Token b) {
  // SplitMix64 (Steele, Lea and Flood 2014).
  Token x = a * 0x9E3779B97F4A7C15 + b + 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

Token Hash(std::string_view text) { return std::hash<std::string_view>()(text); }

/// What nodes are compared by, from strict to loose. 0: the node has none, and stays.
enum class Key : std::uint8_t {
  kNameAndShape,
  kName,
  kCommonTypeAndShape,
  kCommonType,
  kAnchorAndShape,
  kAnchor,
  kFunction,
  kRole,
  kKind,
  kContentsAndShapes,  ///< Of modules: the operators in them.
  kContents,
  kWork,  ///< Of operators: the names of the device work below them, in order.
};

/// Hashes of each text of a tree.
struct TextHashes {
  std::vector<Token> whole, common_type, anchor, function, role, dimensions;
};

bool IsDeviceWork(NodeKind kind) {
  return kind == NodeKind::kKernel || kind == NodeKind::kCommunication || kind == NodeKind::kCopy ||
         kind == NodeKind::kSet;
}

/// One tree with what alignment needs of it.
class TreeSide {
 public:
  explicit TreeSide(const ComparisonTree& tree) : tree_(tree), nodes_(tree.nodes()) {
    FindChildren();
    HashTexts();
    HashContents();
  }

  const ComparisonNode& node(std::int32_t i) const { return nodes_[static_cast<std::size_t>(i)]; }
  std::size_t size() const { return nodes_.size(); }

  std::span<const std::int32_t> ChildrenOf(std::int32_t i) const {
    const auto at = static_cast<std::size_t>(i);
    return std::span(children_).subspan(first_[at], first_[at + 1] - first_[at]);
  }

  Token TokenOf(std::int32_t i, Key key) const {
    const ComparisonNode& of = node(i);
    const auto kind = static_cast<Token>(of.kind) + 1;
    const Token shape = texts_.dimensions[of.shape];
    switch (key) {
      case Key::kNameAndShape:
        return Mix(Mix(kind, texts_.whole[of.name]), texts_.whole[of.shape]);
      case Key::kName:
        return Mix(kind, texts_.whole[of.name]);
      case Key::kCommonTypeAndShape:
        return Mix(Mix(kind, texts_.common_type[of.name]), shape);
      case Key::kCommonType:
        return Mix(kind, texts_.common_type[of.name]);
      case Key::kAnchorAndShape:
        return texts_.anchor[of.name] == 0 ? 0 : Mix(texts_.anchor[of.name], shape);
      case Key::kAnchor:
        return texts_.anchor[of.name];
      case Key::kFunction:
        return texts_.function[of.name] == 0 ? 0 : Mix(kind, texts_.function[of.name]);
      case Key::kRole:
        return texts_.role[of.name] == 0 ? 0 : Mix(kind, texts_.role[of.name]);
      case Key::kKind:
        return kind;
      case Key::kContentsAndShapes:
        return contents_and_shapes_[static_cast<std::size_t>(i)];
      case Key::kContents:
        return contents_[static_cast<std::size_t>(i)];
      case Key::kWork:
        return WorkOf(i);
    }
    return 0;
  }

  /// Whether most operators are in modules. False of a tree without operators.
  bool HasPaths() const {
    std::size_t operators = 0, in_modules = 0;
    for (const ComparisonNode& of : nodes_) {
      if (of.kind != NodeKind::kOperator) continue;
      ++operators;
      if (node(of.parent).kind == NodeKind::kModule) ++in_modules;
    }
    return 2 * in_modules > operators;
  }

  bool HasOperators() const {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [](const ComparisonNode& of) { return of.kind == NodeKind::kOperator; });
  }

 private:
  void FindChildren() {
    first_.assign(nodes_.size() + 1, 0);
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      ++first_[static_cast<std::size_t>(nodes_[i].parent) + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i) first_[i + 1] += first_[i];
    children_.resize(nodes_.size() - 1);
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      children_[next[static_cast<std::size_t>(nodes_[i].parent)]++] = static_cast<std::int32_t>(i);
  }

  void HashTexts() {
    const trace::StringPool& pool = tree_.texts();
    for (trace::StringId id = 0; id < pool.size(); ++id) {
      const std::string_view text = pool.Get(id);
      texts_.whole.push_back(Hash(text));
      texts_.common_type.push_back(Hash(CommonType(text)));
      const std::string_view anchor = AnchorKind(text);
      texts_.anchor.push_back(anchor.empty() ? 0 : Hash(anchor));
      const std::string_view function = FunctionOf(text);
      texts_.function.push_back(function.empty() ? 0 : Hash(function));
      const std::string_view role = KernelRole(text);
      texts_.role.push_back(role.empty() ? 0 : Hash(role));
      Token dimensions = 0;
      for (const std::int64_t size : SortedDimensions(text))
        dimensions = Mix(dimensions, static_cast<Token>(size));
      texts_.dimensions.push_back(dimensions);
    }
  }

  /// Of each node the operators in and below it, in order; 0: none.
  void HashContents() {
    contents_.assign(nodes_.size(), 0);
    contents_and_shapes_.assign(nodes_.size(), 0);
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const auto at = static_cast<std::int32_t>(i);
      const bool is_operator = nodes_[i].kind == NodeKind::kOperator;
      if (is_operator) {
        contents_[i] = TokenOf(at, Key::kCommonType);
        contents_and_shapes_[i] = TokenOf(at, Key::kCommonTypeAndShape);
        continue;
      }
      for (const std::int32_t child : ChildrenOf(at)) {
        const auto below = static_cast<std::size_t>(child);
        if (contents_[below] == 0) continue;
        contents_[i] = Mix(contents_[i], contents_[below]);
        contents_and_shapes_[i] = Mix(contents_and_shapes_[i], contents_and_shapes_[below]);
      }
    }
  }

  Token WorkOf(std::int32_t i) const {
    Token work = 0;
    for (const std::int32_t child : ChildrenOf(i))
      if (IsDeviceWork(node(child).kind)) work = Mix(work, TokenOf(child, Key::kName));
    return work;
  }

  const ComparisonTree& tree_;
  const std::vector<ComparisonNode>& nodes_;
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> children_;
  TextHashes texts_;
  std::vector<Token> contents_, contents_and_shapes_;
};

class TreeAligner {
 public:
  TreeAligner(const ComparisonTree& a, const ComparisonTree& b)
      : a_(a), b_(b), have_paths_alike_(a_.HasPaths() == b_.HasPaths()) {
    found_.a_to_b.assign(a.size(), -1);
    found_.b_to_a.assign(b.size(), -1);
  }

  TreeAlignment Align() {
    Pair(0, 0);
    AlignOpen();
    AlignAcrossModules();
    AlignOpen();
    AlignWorkAcrossOperators();
    return std::move(found_);
  }

 private:
  using Nodes = std::vector<std::int32_t>;

  void Pair(std::int32_t i, std::int32_t j) {
    found_.a_to_b[static_cast<std::size_t>(i)] = j;
    found_.b_to_a[static_cast<std::size_t>(j)] = i;
    open_.emplace_back(i, j);
  }
  bool IsLeftA(std::int32_t i) const { return found_.a_to_b[static_cast<std::size_t>(i)] < 0; }
  bool IsLeftB(std::int32_t j) const { return found_.b_to_a[static_cast<std::size_t>(j)] < 0; }

  /// Aligns the children of aligned nodes, until none is left.
  void AlignOpen() {
    while (!open_.empty()) {
      const auto [i, j] = open_.back();
      open_.pop_back();
      AlignChildren(i, j);
    }
  }

  template <typename Wanted>
  static Nodes ChildrenLike(const TreeSide& side, std::int32_t parent, Wanted wanted) {
    Nodes nodes;
    for (const std::int32_t child : side.ChildrenOf(parent))
      if (wanted(side.node(child).kind)) nodes.push_back(child);
    return nodes;
  }

  void AlignChildren(std::int32_t i, std::int32_t j) {
    const auto align = [&](auto wanted, std::initializer_list<Key> keys) {
      Nodes of_a = ChildrenLike(a_, i, wanted), of_b = ChildrenLike(b_, j, wanted);
      for (const Key key : keys) AlignBy(key, of_a, of_b);
    };
    const auto is_module = [](NodeKind kind) { return kind == NodeKind::kModule; };
    AlignModulesByName(ChildrenLike(a_, i, is_module), ChildrenLike(b_, j, is_module));
    align(is_module, {Key::kContentsAndShapes, Key::kContents});
    // Where one side has no paths, few of its operators at the root belong to those at the root of
    // the other: all are aligned in order of execution.
    if (have_paths_alike_ || i != 0)
      align([](NodeKind kind) { return kind == NodeKind::kOperator; },
            {Key::kNameAndShape, Key::kCommonTypeAndShape, Key::kName, Key::kCommonType,
             Key::kAnchorAndShape, Key::kAnchor});
    // Where no layers are known, all of a call is between layers.
    if (a_.HasOperators() == b_.HasOperators())
      align([](NodeKind kind) { return kind == NodeKind::kBetween; }, {Key::kKind});
    // By position only where both do the same operation.
    if (a_.node(i).kind == NodeKind::kOperator && b_.node(j).kind == NodeKind::kOperator) {
      align(IsDeviceWork, {Key::kName, Key::kFunction, Key::kRole});
      AlignByPosition(ChildrenLike(a_, i, IsDeviceWork), ChildrenLike(b_, j, IsDeviceWork));
      align(IsDeviceWork, {Key::kKind});
    } else {
      align(IsDeviceWork, {Key::kName, Key::kFunction});
    }
  }

  /// Modules have names of their own below their parent; their order may differ.
  void AlignModulesByName(const Nodes& of_a, const Nodes& of_b) {
    std::unordered_map<Token, Nodes> named;
    for (std::size_t i = of_b.size(); i-- > 0;)
      if (IsLeftB(of_b[i])) named[b_.TokenOf(of_b[i], Key::kName)].push_back(of_b[i]);
    for (const std::int32_t i : of_a) {
      const auto it = named.find(a_.TokenOf(i, Key::kName));
      if (!IsLeftA(i) || it == named.end() || it->second.empty()) continue;
      Pair(i, it->second.back());
      it->second.pop_back();
    }
  }

  /// Aligns what is left between two neighbours that are aligned: by kind, in order.
  void AlignByPosition(const Nodes& of_a, const Nodes& of_b) {
    std::unordered_map<std::int32_t, std::size_t> place;
    for (std::size_t at = 0; at < of_b.size(); ++at) place[of_b[at]] = at;
    Nodes before;
    std::size_t next = 0;
    for (const std::int32_t i : of_a) {
      if (IsLeftA(i)) {
        before.push_back(i);
        continue;
      }
      const auto it = place.find(found_.a_to_b[static_cast<std::size_t>(i)]);
      if (it == place.end() || it->second < next) continue;
      PairByKind(before, std::span(of_b).subspan(next, it->second - next));
      before.clear();
      next = it->second + 1;
    }
    PairByKind(before, std::span(of_b).subspan(next));
  }

  void PairByKind(const Nodes& of_a, std::span<const std::int32_t> of_b) {
    std::map<NodeKind, Nodes> left;
    for (std::size_t at = of_b.size(); at-- > 0;)
      if (IsLeftB(of_b[at])) left[b_.node(of_b[at]).kind].push_back(of_b[at]);
    for (const std::int32_t i : of_a) {
      Nodes& of_kind = left[a_.node(i).kind];
      if (of_kind.empty()) continue;
      Pair(i, of_kind.back());
      of_kind.pop_back();
    }
  }

  /// Aligns those of both that are left and have the key; they leave the lists.
  void AlignBy(Key key, Nodes& of_a, Nodes& of_b) {
    std::erase_if(of_a, [&](std::int32_t i) { return !IsLeftA(i); });
    std::erase_if(of_b, [&](std::int32_t j) { return !IsLeftB(j); });
    if (of_a.empty() || of_b.empty()) return;
    Nodes with_a, with_b;
    std::vector<Token> tokens_a, tokens_b;
    const auto collect = [&](const TreeSide& side, const Nodes& nodes, Nodes& with,
                             std::vector<Token>& tokens) {
      for (const std::int32_t i : nodes) {
        const Token token = side.TokenOf(i, key);
        if (token == 0) continue;
        with.push_back(i);
        tokens.push_back(token);
      }
    };
    collect(a_, of_a, with_a, tokens_a);
    collect(b_, of_b, with_b, tokens_b);
    const core::Alignment aligned = AlignAnchored(tokens_a, tokens_b);
    for (std::size_t i = 0; i < with_a.size(); ++i)
      if (aligned.a_to_b[i] >= 0)
        Pair(with_a[i], with_b[static_cast<std::size_t>(aligned.a_to_b[i])]);
  }

  /// Nodes of a side that are left and of a kind that is wanted, in order of execution, in which
  /// they were added.
  template <typename Wanted>
  static Nodes LeftOf(const TreeSide& side, const std::vector<std::int32_t>& counterparts,
                      Wanted wanted) {
    Nodes nodes;
    for (std::size_t i = 1; i < side.size(); ++i) {
      const auto at = static_cast<std::int32_t>(i);
      if (counterparts[i] < 0 && wanted(at)) nodes.push_back(at);
    }
    return nodes;
  }

  static bool HaveShapes(const TreeSide& side, const Nodes& nodes) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](std::int32_t i) { return side.node(i).shape != 0; });
  }

  /// By shape, because what is left of two models may have nothing but the type in common. Where a
  /// side has no shapes, or no paths to tell its operators apart by, by type and order alone.
  void AlignAcrossModules() {
    const auto operators_of = [](const TreeSide& side, const std::vector<std::int32_t>& found) {
      return LeftOf(side, found,
                    [&](std::int32_t i) { return side.node(i).kind == NodeKind::kOperator; });
    };
    Nodes of_a = operators_of(a_, found_.a_to_b), of_b = operators_of(b_, found_.b_to_a);
    const bool have_shapes = HaveShapes(a_, of_a) && HaveShapes(b_, of_b);
    if (have_shapes)
      for (const Key key : {Key::kNameAndShape, Key::kCommonTypeAndShape, Key::kAnchorAndShape})
        AlignBy(key, of_a, of_b);
    if (!have_shapes || !have_paths_alike_)
      for (const Key key : {Key::kName, Key::kCommonType, Key::kAnchor, Key::kWork})
        AlignBy(key, of_a, of_b);
  }

  /// Work of no operator, and where a side has no operators that of all operators of the other.
  /// (Between sides with operators, work of other operators is other work.)
  void AlignWorkAcrossOperators() {
    const bool is_one_sided = a_.HasOperators() != b_.HasOperators();
    const auto work_of = [is_one_sided](const TreeSide& side,
                                        const std::vector<std::int32_t>& found) {
      return LeftOf(side, found, [&](std::int32_t i) {
        const std::int32_t parent = side.node(i).parent;
        return IsDeviceWork(side.node(i).kind) &&
               (parent == 0 || (is_one_sided && found[static_cast<std::size_t>(parent)] < 0));
      });
    };
    Nodes of_a = work_of(a_, found_.a_to_b), of_b = work_of(b_, found_.b_to_a);
    AlignBy(Key::kName, of_a, of_b);
    AlignBy(Key::kFunction, of_a, of_b);
    if (is_one_sided) AlignBy(Key::kRole, of_a, of_b);
  }

  TreeSide a_, b_;
  bool have_paths_alike_;  ///< Most operators of both sides are in modules, or of neither.
  TreeAlignment found_;
  std::vector<std::pair<std::int32_t, std::int32_t>> open_;
};

}  // namespace

TreeAlignment AlignTrees(const ComparisonTree& a, const ComparisonTree& b) {
  return TreeAligner(a, b).Align();
}

std::string CommonType(std::string_view type) {
  if (const std::size_t at = type.rfind("::"); at != std::string_view::npos)
    type.remove_prefix(at + 2);
  if (const std::size_t at = type.rfind('.'); at != std::string_view::npos)
    type.remove_prefix(at + 1);
  std::string common;
  for (const char c : type)
    if (c != '_') common += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view dimensions : {"1d", "2d", "3d"})
    if (common.size() > 2 && common.ends_with(dimensions)) common.resize(common.size() - 2);
  if (common.ends_with("normalization")) common.resize(common.size() - 9);
  for (const std::string_view kind : {"adaptive", "global"})
    if (common.starts_with(kind) && common.ends_with("pool")) common.erase(0, kind.size());
  if (common == "avgpool") common = "averagepool";
  return common;
}

}  // namespace xsp::compare
