#ifndef XSP_ANSWER_FINDINGS_GAIN_H_
#define XSP_ANSWER_FINDINGS_GAIN_H_

#include <string>
#include <vector>

namespace xsp::findings {

/// What following a finding would save, ns: 0 <= low <= expected <= high.
struct Gain {
  double low_ns = 0;
  double ns = 0;  ///< Expected.
  double high_ns = 0;

  friend bool operator==(const Gain&, const Gain&) = default;
};

/// A piece of the time of a call. All pieces together are the call.
struct Piece {
  std::string name;
  double duration_ns = 0;
};

/// What a finding would save of one piece.
struct Claim {
  std::string piece;
  Gain gain;
};

/// A finding that claims pieces. `id` and `rank` settle which of two equal ones comes first.
struct Claimant {
  std::string id;
  int rank = 0;
  std::vector<Claim> claims;
};

/// Time that a finding claims and another one had before it.
struct Overlap {
  std::string id;  ///< Of the other.
  double ns = 0;

  friend bool operator==(const Overlap&, const Overlap&) = default;
};

/// What is granted to a finding.
struct Share {
  Gain gain;                      ///< Without what others had before it.
  Gain alone;                     ///< If no other finding held.
  std::vector<Overlap> overlaps;  ///< Largest first. Of high_ns where alone.ns is 0, else of ns.
};

/// Grants every piece once: the shares' gains add up to no more than the pieces, low, expected and
/// high each. The claimant comes next whose expected gain is the largest in what is left of the
/// pieces (then the smaller rank, then the id); what is between expected and high is granted after
/// all expected gains, in the same order (claimants without one by their high gain). A claim takes
/// no more than its piece and nothing of a piece that is not in `pieces`; several claims of a
/// claimant on one piece add up. One share for each claimant, in their order; neither that order
/// nor the order of claims changes the result beyond rounding. Claims must not be negative.
/// O(claimants x claims).
std::vector<Share> ShareOut(const std::vector<Piece>& pieces,
                            const std::vector<Claimant>& claimants);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_GAIN_H_
