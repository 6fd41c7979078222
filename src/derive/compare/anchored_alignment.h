#ifndef XSP_DERIVE_COMPARE_ANCHORED_ALIGNMENT_H_
#define XSP_DERIVE_COMPARE_ANCHORED_ALIGNMENT_H_

#include <span>

#include "core/alignment.h"

namespace xsp::compare {

/// Aligns two sequences in order, in bounded time: first the tokens that occur once on both sides,
/// in the longest increasing order of their positions (patience diff); then, between these anchors,
/// the same again; what has no anchor by core::Align with a number of differences that bounds its
/// cost. The longest common subsequence where all tokens are distinct or where the parts between
/// anchors differ little; else in order, perhaps not the longest. O(n log n) for n tokens.
core::Alignment AlignAnchored(std::span<const core::Token> a, std::span<const core::Token> b);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_ANCHORED_ALIGNMENT_H_
