#ifndef XSP_ANSWER_FINDINGS_FIND_ALL_H_
#define XSP_ANSWER_FINDINGS_FIND_ALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "answer/findings/evidence.h"
#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::findings {

/// A rule that holds.
struct Finding {
  const Rule* rule = nullptr;  ///< Borrowed from the caller's list.
  std::string sentence;
  Evidence evidence;
};

/// A rule that cannot say whether it holds.
struct Abstention {
  const Rule* rule = nullptr;  ///< Borrowed likewise.
  std::string reason;
};

struct Findings {
  /// Those about trust in the numbers by rank, then by gain (unknown gains last), then by rank.
  std::vector<Finding> found;
  std::vector<Abstention> abstained;  ///< In order of rank.
};

/// Asks every rule about the point `point_id` of the one experiment that is open. A rule abstains
/// where its evidence says so, where a rule that withholds it holds, where it finds nothing because
/// the experiment lacks a level that it needs, and where its SQL or template fails: one broken rule
/// leaves the others. A rule that finds its evidence despite a missing level holds. Errors: those
/// of Database::Query about the experiment itself.
Result<Findings> FindAll(const std::vector<Rule>& rules, const store::Database& database,
                         std::int64_t point_id);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_FIND_ALL_H_
