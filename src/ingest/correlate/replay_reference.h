#ifndef XSP_INGEST_CORRELATE_REPLAY_REFERENCE_H_
#define XSP_INGEST_CORRELATE_REPLAY_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/alignment.h"
#include "ingest/correlate/kernel_sequences.h"

namespace xsp::correlate {

/// For maps by whole sequences.
struct SequenceHash {
  std::size_t operator()(const std::vector<core::Token>& names) const;
};

/// What is known of one replayed kernel.
struct Claim {
  std::int32_t at = -1;   ///< The kernel of the reference that it is; -1: nothing is claimed.
  double confidence = 0;  ///< (0, 1]
  bool modules = false;   ///< Every kernel that it may be has these modules.
  bool shapes = false;    ///< Likewise its input shapes.
};

/// What a reference makes of the kernels of a replay. A default one claims nothing.
struct Explanation {
  const KernelSequence* reference = nullptr;
  std::vector<Claim> claims;  ///< Of each kernel; empty without a reference.
  std::int64_t aligned = 0;   ///< Kernels with an equal in the reference.
  bool is_cut = false;        ///< The alignment was cut short: it may not be the longest.

  bool complete() const {
    return reference != nullptr && aligned == static_cast<std::int64_t>(claims.size());
  }
};

/// The references of a trace. Equal sequences are one reference, which says what all of them say:
/// where they name different operators for a kernel it names none. What a more trusted one says
/// stands, whatever others of the same names say.
///
/// A replay that is a part of a reference, kernel by kernel, is taken to be that part (frameworks
/// cut a model into several graphs). Where it may be several, in this or in other references of the
/// same trust, it is claimed what all of them say.
///
/// Of any other replay the reference is taken whose longest common subsequence with it is the
/// longest, of equal ones the most trusted; it must hold half of the kernels. A kernel is claimed
/// where
///   - every kernel of the reference that it may be belongs to the same operator by type and name
///     (the aligned kernels may sit elsewhere in either sequence without changing their order:
///     all places that each could take are looked at), and it could not be one that the
///     reference lacks, and
///   - of the kernels around it (kWindow on either side) half or more are aligned with those around
///     its partner (kWindow on either side).
/// Confidence: 1 where the sequences are equal as a whole, else 0.95 times that share, which is 1
/// for a part.
class ReferenceSet {
 public:
  static constexpr int kWindow = 8;

  /// `most_work`: comparisons after which only references of equal names are found.
  explicit ReferenceSet(std::int64_t most_work) : work_left_(most_work) {}

  /// In order of trust.
  void Add(KernelSequence sequence);

  bool empty() const { return groups_.empty(); }

  /// `replay`: names of kernels, as the sequences have them. O(n) where a reference has the same
  /// names or holds it as a part, else O((n + m) D) for each reference that may be better than the
  /// best so far.
  Explanation Explain(const std::vector<core::Token>& replay);

 private:
  using Bag = std::vector<std::pair<core::Token, std::int64_t>>;
  enum Aspect : std::uint8_t { kOperator, kModules, kShapes, kAspects };

  /// One reference.
  struct Group {
    KernelSequence sequence;
    Bag bag;
    std::vector<std::uint8_t> differs;  ///< By kernel, a bit by aspect: equal sequences disagree.
    /// By kernel: how often the aspect changed from one kernel of the same name to the next, up to
    /// this one. Made when first needed.
    std::vector<std::int32_t> changes[kAspects];
  };

  static Bag BagOf(std::span<const core::Token> names);
  static bool Same(const KernelSequence& a, std::size_t i, const KernelSequence& b, std::size_t j,
                   Aspect aspect);
  static void CountChanges(Group& group);
  static bool Agrees(const Group& group, Aspect aspect, std::int32_t first, std::int32_t last);
  static void ClaimEqual(const Group& group, Explanation& explanation);
  bool ClaimPart(const std::vector<core::Token>& replay, const std::vector<std::size_t>& holders,
                 Explanation& explanation);
  static void ClaimAligned(std::span<const core::Token> replay, Group& group,
                           const core::Alignment& alignment, Explanation& explanation);

  std::int64_t work_left_;
  std::vector<std::unique_ptr<Group>> groups_;  ///< In order of trust.
  std::unordered_map<std::vector<core::Token>, Group*, SequenceHash> by_names_;
};

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_REPLAY_REFERENCE_H_
