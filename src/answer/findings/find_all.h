#ifndef XSP_ANSWER_FINDINGS_FIND_ALL_H_
#define XSP_ANSWER_FINDINGS_FIND_ALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/findings/evidence.h"
#include "answer/findings/gain.h"
#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::findings {

/// What following a finding would save.
struct FoundGain {
  Gain gain;            ///< Of a rule that claims pieces of the call: without what others claim.
  Gain alone;           ///< If no other finding held.
  double whole_ns = 0;  ///< Of what; greater than 0.
  std::string whole;    ///< Name of that: "call", "step", "recording" or "program".
  bool adds_up = true;  ///< With the gains of the other findings, to no more than whole_ns.
  std::vector<Overlap> overlaps;  ///< Time that other findings claim, too, and have.

  double share() const { return gain.ns / whole_ns; }
};

/// A rule that holds.
struct Finding {
  const Rule* rule = nullptr;  ///< Borrowed from the caller's list.
  std::string sentence;
  Evidence evidence;
  /// None: not known; also where only the missing waits of a critical path put its time off it.
  std::optional<FoundGain> gain;
};

/// A rule that cannot say whether it holds.
struct Abstention {
  const Rule* rule = nullptr;  ///< Borrowed likewise.
  std::string reason;
  bool is_broken = false;  ///< An error of the rule itself, which no other experiment cures.
};

struct Findings {
  /// Those about trust in the numbers by rank; then by expected gain as a share of its whole, the
  /// largest first (gains that are not known, or below a thousandth, last); then by rank.
  std::vector<Finding> found;
  std::vector<Abstention> abstained;  ///< In order of rank.
};

/// Asks every rule about the point `point_id` of the one experiment that is open. A rule abstains
/// where its evidence says so, where a rule that withholds it holds, where the experiment lacks a
/// level that it needs (its SQL is not run), and where its SQL or template fails: one broken rule
/// leaves the others. Gains of all that hold are shared out by ShareOut(). Errors: those of
/// Database::Query about the experiment itself.
Result<Findings> FindAll(const std::vector<Rule>& rules, const store::Database& database,
                         std::int64_t point_id);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_FIND_ALL_H_
