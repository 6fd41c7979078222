#include "answer/findings/gain.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>

namespace xsp::findings {
namespace {

/// What one claimant took of a piece.
struct Taking {
  std::size_t claimant = 0;
  double ns = 0;    ///< Of its expected gain.
  double more = 0;  ///< Up to its high gain.
};

struct Pool {
  double expected_left = 0;  ///< Of the piece, after expected gains.
  double left = 0;           ///< After expected gains and what is above them.
  std::vector<Taking> takings;
};

/// A claim on the pool of its number, no more than the piece.
struct Wish {
  std::size_t pool = 0;
  Gain gain;
  double granted_ns = 0;
};

/// Less than this part of a claim is rounding.
constexpr double kRounding = 1e-9;

class Granting {
 public:
  Granting(const std::vector<Piece>& pieces, const std::vector<Claimant>& claimants)
      : claimants_(claimants), wishes_(claimants.size()), shares_(claimants.size()) {
    std::map<std::string_view, std::size_t> numbers;
    for (const Piece& piece : pieces) {
      if (!(piece.duration_ns > 0)) continue;
      const auto [known, is_new] = numbers.try_emplace(piece.name, pools_.size());
      if (is_new) pools_.emplace_back();
      pools_[known->second].left = pools_[known->second].expected_left += piece.duration_ns;
    }
    for (std::size_t i = 0; i < claimants.size(); ++i) ReadWishes(i, numbers);
  }

  std::vector<Share> Grant() && {
    GrantExpected();
    for (Pool& pool : pools_) pool.left = pool.expected_left;
    for (const std::size_t claimant : order_) GrantUpToHigh(claimant);
    for (std::size_t i = 0; i < shares_.size(); ++i) FindOverlaps(i);
    return std::move(shares_);
  }

 private:
  void ReadWishes(std::size_t claimant, const std::map<std::string_view, std::size_t>& numbers) {
    std::map<std::size_t, Gain> sums;
    for (const Claim& claim : claimants_[claimant].claims) {
      const auto number = numbers.find(claim.piece);
      if (number == numbers.end()) continue;
      Gain& sum = sums[number->second];
      sum.low_ns += claim.gain.low_ns;
      sum.ns += claim.gain.ns;
      sum.high_ns += claim.gain.high_ns;
    }
    Gain& alone = shares_[claimant].alone;
    for (auto& [number, gain] : sums) {
      const double piece_ns = pools_[number].left;
      gain.high_ns = std::min(gain.high_ns, piece_ns);
      gain.ns = std::min(gain.ns, gain.high_ns);
      gain.low_ns = std::min(gain.low_ns, gain.ns);
      alone.low_ns += gain.low_ns;
      alone.ns += gain.ns;
      alone.high_ns += gain.high_ns;
      wishes_[claimant].push_back({number, gain});
    }
  }

  double ExpectedLeft(std::size_t claimant) const {
    double ns = 0;
    for (const Wish& wish : wishes_[claimant])
      ns += std::min(wish.gain.ns, pools_[wish.pool].expected_left);
    return ns;
  }

  /// Grants expected gains, the largest that is left first, and notes the order.
  void GrantExpected() {
    std::vector<std::size_t> waiting(claimants_.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
    while (!waiting.empty()) {
      const auto next = std::ranges::min_element(waiting, {}, [&](std::size_t i) {
        // Claims without an expected gain follow, by what they may save at most.
        return std::tuple(-ExpectedLeft(i), -shares_[i].alone.high_ns, claimants_[i].rank,
                          std::string_view(claimants_[i].id));
      });
      const std::size_t claimant = *next;
      waiting.erase(next);
      order_.push_back(claimant);
      Gain& gain = shares_[claimant].gain;
      for (Wish& wish : wishes_[claimant]) {
        Pool& pool = pools_[wish.pool];
        wish.granted_ns = std::min(wish.gain.ns, pool.expected_left);
        pool.expected_left -= wish.granted_ns;
        pool.takings.push_back({claimant, wish.granted_ns, 0});
        gain.ns += wish.granted_ns;
        gain.low_ns += std::min(wish.gain.low_ns, wish.granted_ns);
      }
    }
  }

  void GrantUpToHigh(std::size_t claimant) {
    double more_ns = 0;
    for (const Wish& wish : wishes_[claimant]) {
      Pool& pool = pools_[wish.pool];
      const double more = std::min(wish.gain.high_ns - wish.gain.ns, pool.left);
      pool.left -= more;
      for (Taking& taking : pool.takings)
        if (taking.claimant == claimant) taking.more = more;
      more_ns += more;
    }
    shares_[claimant].gain.high_ns = shares_[claimant].gain.ns + more_ns;
  }

  /// Divides what a claimant did not get of a piece among those that took of it.
  void FindOverlaps(std::size_t claimant) {
    Share& share = shares_[claimant];
    const bool has_expected = share.alone.ns > 0;
    const double alone_ns = has_expected ? share.alone.ns : share.alone.high_ns;
    std::map<std::size_t, double> lost;
    for (const Wish& wish : wishes_[claimant]) {
      double own_ns = 0;
      double others_ns = 0;
      for (const Taking& taking : pools_[wish.pool].takings)
        (taking.claimant == claimant ? own_ns : others_ns) +=
            taking.ns + (has_expected ? 0 : taking.more);
      const double missing_ns = (has_expected ? wish.gain.ns : wish.gain.high_ns) - own_ns;
      if (missing_ns <= kRounding * alone_ns || others_ns <= 0) continue;
      for (const Taking& taking : pools_[wish.pool].takings) {
        const double taken_ns = taking.ns + (has_expected ? 0 : taking.more);
        if (taking.claimant != claimant && taken_ns > 0)
          lost[taking.claimant] += missing_ns * taken_ns / others_ns;
      }
    }
    for (const auto& [other, ns] : lost) share.overlaps.push_back({claimants_[other].id, ns});
    std::ranges::sort(share.overlaps, {}, [](const Overlap& overlap) {
      return std::tuple(-overlap.ns, std::string_view(overlap.id));
    });
  }

  const std::vector<Claimant>& claimants_;
  std::vector<Pool> pools_;
  std::vector<std::vector<Wish>> wishes_;  ///< By claimant, in order of pool.
  std::vector<Share> shares_;
  std::vector<std::size_t> order_;  ///< In which expected gains were granted.
};

}  // namespace

std::vector<Share> ShareOut(const std::vector<Piece>& pieces,
                            const std::vector<Claimant>& claimants) {
  return Granting(pieces, claimants).Grant();
}

}  // namespace xsp::findings
