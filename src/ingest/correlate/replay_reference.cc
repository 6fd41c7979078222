#include "ingest/correlate/replay_reference.h"

#include <algorithm>
#include <string_view>

namespace xsp::correlate {
namespace {

using core::Token;

/// A kernel and its equal in the other sequence.
struct Pair {
  std::int32_t replayed, reference;
};

std::vector<Pair> PairsOf(const core::Alignment& alignment) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < alignment.a_to_b.size(); ++i)
    if (alignment.a_to_b[i] >= 0)
      pairs.push_back({static_cast<std::int32_t>(i), alignment.a_to_b[i]});
  return pairs;
}

/// The first and the last place that each token of `common` can take in `sequence`, all of them in
/// order. `common` must be a subsequence of it.
struct Places {
  std::vector<std::int32_t> first, last;
};

Places PlacesOf(std::span<const Token> common, std::span<const Token> sequence) {
  Places places{std::vector<std::int32_t>(common.size()), std::vector<std::int32_t>(common.size())};
  for (std::size_t k = 0, at = 0; k < common.size(); ++k, ++at) {
    while (sequence[at] != common[k]) ++at;
    places.first[k] = static_cast<std::int32_t>(at);
  }
  std::size_t at = sequence.size();
  for (std::size_t k = common.size(); k-- > 0;) {
    while (sequence[--at] != common[k]) {
    }
    places.last[k] = static_cast<std::int32_t>(at);
  }
  return places;
}

/// Where `part` begins in `whole`, each time (Knuth, Morris and Pratt 1977). O(n + m).
std::vector<std::size_t> OccurrencesOf(std::span<const Token> part, std::span<const Token> whole) {
  std::vector<std::size_t> border(part.size() + 1, 0), found;  // Of each prefix.
  for (std::size_t i = 1, length = 0; i < part.size(); border[++i] = length) {
    while (length > 0 && part[i] != part[length]) length = border[length];
    if (part[i] == part[length]) ++length;
  }
  for (std::size_t i = 0, length = 0; i < whole.size(); ++i) {
    while (length > 0 && (length == part.size() || whole[i] != part[length]))
      length = border[length];
    if (whole[i] == part[length]) ++length;
    if (length == part.size()) found.push_back(i + 1 - length);
  }
  return found;
}

/// Of the kernels around pair `k` in the replay, the share that is aligned with those around its
/// partner.
double AlignedAround(const std::vector<Pair>& pairs, std::size_t k, std::int32_t kernels) {
  constexpr std::int32_t kWindow = ReferenceSet::kWindow;
  const Pair& pair = pairs[k];
  const auto is_near = [&](const Pair& other) {
    return std::abs(other.replayed - pair.replayed) <= kWindow &&
           std::abs(other.reference - pair.reference) <= kWindow;
  };
  std::int32_t aligned = 0;
  for (std::size_t i = k; i-- > 0 && is_near(pairs[i]);) ++aligned;
  for (std::size_t i = k + 1; i < pairs.size() && is_near(pairs[i]); ++i) ++aligned;
  const std::int32_t around =
      std::min(kWindow, pair.replayed) + std::min(kWindow, kernels - 1 - pair.replayed);
  return around == 0 ? 0 : static_cast<double>(aligned) / around;
}

}  // namespace

std::size_t SequenceHash::operator()(const std::vector<Token>& names) const {
  Token hash = names.size();
  for (const Token name : names) {
    hash = (hash ^ name) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

ReferenceSet::Bag ReferenceSet::BagOf(std::span<const Token> names) {
  std::vector<Token> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  Bag bag;
  for (const Token name : sorted) {
    if (bag.empty() || bag.back().first != name) bag.emplace_back(name, 0);
    ++bag.back().second;
  }
  return bag;
}

/// Whether two kernels agree in what is known of their operators.
bool ReferenceSet::Same(const KernelSequence& a, std::size_t i, const KernelSequence& b,
                        std::size_t j, Aspect aspect) {
  const auto same = [&](std::int32_t of_a, std::int32_t of_b) {
    if (of_a < 0 || of_b < 0) return of_a < 0 && of_b < 0;
    const OperatorCall& x = a.calls[static_cast<std::size_t>(of_a)];
    const OperatorCall& y = b.calls[static_cast<std::size_t>(of_b)];
    switch (aspect) {
      case kOperator:
        return x.type == y.type && x.name == y.name;
      case kModules:
        return x.modules == y.modules;
      default:
        return x.input_shapes == y.input_shapes;
    }
  };
  return same(a.inner[i], b.inner[j]) && same(a.outer[i], b.outer[j]);
}

void ReferenceSet::Add(KernelSequence sequence) {
  const auto [it, is_new] = by_names_.try_emplace(sequence.names, nullptr);
  if (!is_new) {
    Group& group = *it->second;
    const KernelSequence& known = group.sequence;
    if (known.source != sequence.source || known.run.empty() != sequence.run.empty()) return;
    for (std::size_t i = 0; i < known.names.size(); ++i)
      for (const Aspect aspect : {kOperator, kModules, kShapes})
        if (!Same(known, i, sequence, i, aspect))
          group.differs[i] = static_cast<std::uint8_t>(group.differs[i] | 1 << aspect);
    return;
  }
  auto group = std::make_unique<Group>();
  group->bag = BagOf(sequence.names);
  group->differs.assign(sequence.names.size(), 0);
  group->sequence = std::move(sequence);
  it->second = group.get();
  groups_.push_back(std::move(group));
}

void ReferenceSet::CountChanges(Group& group) {
  const KernelSequence& sequence = group.sequence;
  const std::size_t size = sequence.names.size();
  if (group.changes[0].size() == size) return;
  for (auto& changes : group.changes) changes.assign(size, 0);
  std::unordered_map<Token, std::size_t> before;
  for (std::size_t i = 0; i < size; ++i) {
    const auto [it, is_first] = before.try_emplace(sequence.names[i], i);
    if (is_first) continue;
    const std::size_t last = std::exchange(it->second, i);
    for (const Aspect aspect : {kOperator, kModules, kShapes}) {
      const bool changed = ((group.differs[last] | group.differs[i]) >> aspect & 1) != 0 ||
                           !Same(sequence, last, sequence, i, aspect);
      group.changes[aspect][i] = group.changes[aspect][last] + (changed ? 1 : 0);
    }
  }
}

/// Whether all kernels of one name from `first` to `last` agree.
bool ReferenceSet::Agrees(const Group& group, Aspect aspect, std::int32_t first,
                          std::int32_t last) {
  const auto from = static_cast<std::size_t>(first), to = static_cast<std::size_t>(last);
  if ((group.differs[from] >> aspect & 1) != 0) return false;
  return from == to || group.changes[aspect][from] == group.changes[aspect][to];
}

void ReferenceSet::ClaimEqual(const Group& group, Explanation& explanation) {
  const auto size = static_cast<std::int32_t>(group.sequence.names.size());
  explanation.reference = &group.sequence;
  explanation.aligned = size;
  explanation.claims.assign(group.sequence.names.size(), {});
  for (std::int32_t i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (group.sequence.inner[at] < 0 || !Agrees(group, kOperator, i, i)) continue;
    explanation.claims[at] = {i, 1.0, Agrees(group, kModules, i, i), Agrees(group, kShapes, i, i)};
  }
}

/// `holders`: indices of the groups that hold all names of the replay. False: it is no part of any.
bool ReferenceSet::ClaimPart(const std::vector<Token>& replay,
                             const std::vector<std::size_t>& holders, Explanation& explanation) {
  const Group* first = nullptr;
  std::size_t start = 0;
  std::vector<std::uint8_t> differs(replay.size(), 0);
  for (const std::size_t index : holders) {
    const Group& group = *groups_[index];
    const KernelSequence& sequence = group.sequence;
    const bool less_trusted =
        first != nullptr && (sequence.source != first->sequence.source ||
                             sequence.run.empty() != first->sequence.run.empty());
    if (less_trusted || work_left_ < 0) break;
    const std::vector<std::size_t> places = OccurrencesOf(replay, sequence.names);
    work_left_ -= static_cast<std::int64_t>(sequence.names.size() + places.size() * replay.size());
    if (places.empty()) continue;
    if (first == nullptr) first = &group, start = places.front();
    for (const std::size_t place : places) {
      for (std::size_t i = 0; i < replay.size(); ++i) {
        differs[i] |= group.differs[place + i];
        for (const Aspect aspect : {kOperator, kModules, kShapes})
          if (!Same(first->sequence, start + i, sequence, place + i, aspect))
            differs[i] = static_cast<std::uint8_t>(differs[i] | 1 << aspect);
      }
    }
  }
  if (first == nullptr) return false;
  explanation.reference = &first->sequence;
  explanation.aligned = static_cast<std::int64_t>(replay.size());
  explanation.claims.assign(replay.size(), {});
  for (std::size_t i = 0; i < replay.size(); ++i) {
    if (first->sequence.inner[start + i] < 0 || (differs[i] >> kOperator & 1) != 0) continue;
    explanation.claims[i] = {static_cast<std::int32_t>(start + i), 0.95,
                             (differs[i] >> kModules & 1) == 0, (differs[i] >> kShapes & 1) == 0};
  }
  return true;
}

void ReferenceSet::ClaimAligned(std::span<const Token> replay, Group& group,
                                const core::Alignment& alignment, Explanation& explanation) {
  const KernelSequence& sequence = group.sequence;
  explanation.reference = &sequence;
  explanation.aligned = alignment.matched;
  explanation.claims.assign(replay.size(), {});
  const std::vector<Pair> pairs = PairsOf(alignment);
  std::vector<Token> common;
  for (const Pair& pair : pairs) common.push_back(replay[static_cast<std::size_t>(pair.replayed)]);
  const Places in_replay = PlacesOf(common, replay);
  const Places in_reference = PlacesOf(common, sequence.names);
  CountChanges(group);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::int32_t at = pairs[k].reference;
    const std::int32_t first = in_reference.first[k], last = in_reference.last[k];
    if (sequence.inner[static_cast<std::size_t>(at)] < 0) continue;
    // It might be the one that the reference lacks.
    if (in_replay.first[k] != in_replay.last[k]) continue;
    if (!Agrees(group, kOperator, first, last)) continue;
    const double share = AlignedAround(pairs, k, static_cast<std::int32_t>(replay.size()));
    if (share < 0.5) continue;
    explanation.claims[static_cast<std::size_t>(pairs[k].replayed)] = {
        at, 0.95 * share, Agrees(group, kModules, first, last),
        Agrees(group, kShapes, first, last)};
  }
}

Explanation ReferenceSet::Explain(const std::vector<Token>& replay) {
  Explanation explanation;
  if (const auto equal = by_names_.find(replay); equal != by_names_.end()) {
    ClaimEqual(*equal->second, explanation);
    return explanation;
  }
  const auto size = static_cast<std::int64_t>(replay.size());
  // The names that two sequences share, whatever their order, bound what can be aligned.
  const Bag bag = BagOf(replay);
  struct Candidate {
    std::int64_t shared;
    std::size_t index;  // In order of trust.
  };
  std::vector<Candidate> candidates;
  std::vector<std::size_t> holders;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const auto& group = groups_[index];
    work_left_ -= static_cast<std::int64_t>(bag.size() + group->bag.size());
    if (work_left_ < 0) break;
    std::int64_t shared = 0;
    for (auto a = bag.begin(), b = group->bag.cbegin(), end = group->bag.cend();
         a != bag.end() && b != end;) {
      if (a->first == b->first) {
        shared += std::min((a++)->second, (b++)->second);
      } else {
        a->first < b->first ? static_cast<void>(++a) : static_cast<void>(++b);
      }
    }
    if (2 * shared >= size) candidates.push_back({shared, index});
    if (shared == size) holders.push_back(index);
  }
  if (ClaimPart(replay, holders, explanation)) return explanation;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& x, const Candidate& y) { return x.shared > y.shared; });
  std::size_t best = groups_.size();
  core::Alignment best_alignment;
  for (const auto& [shared, index] : candidates) {
    const bool may_win = best == groups_.size() || shared > best_alignment.matched ||
                         (shared == best_alignment.matched && index < best);
    if (work_left_ < 0 || !may_win) break;
    const auto& names = groups_[index]->sequence.names;
    const auto length = static_cast<std::int64_t>(replay.size() + names.size());
    constexpr std::int64_t kMostSteps = 200'000'000, kFewest = 16, kMost = 1000;
    const auto differences = std::clamp(kMostSteps / (length + 1), kFewest, kMost);
    core::Alignment alignment = core::Align(replay, names, static_cast<int>(differences));
    const std::int64_t apart = alignment.only_a() + alignment.only_b();
    const std::int64_t searched = std::min(apart, differences);
    work_left_ -= length + searched * searched;
    const bool is_better = best == groups_.size() || alignment.matched > best_alignment.matched ||
                           (alignment.matched == best_alignment.matched && index < best);
    if (!is_better) continue;
    best = index;
    best_alignment = std::move(alignment);
    explanation.is_cut = apart > differences;
  }
  if (best != groups_.size() && 2 * best_alignment.matched >= size) {
    ClaimAligned(replay, *groups_[best], best_alignment, explanation);
  } else {
    explanation.is_cut = false;
  }
  explanation.is_cut = explanation.is_cut || work_left_ < 0;
  return explanation;
}

}  // namespace xsp::correlate
