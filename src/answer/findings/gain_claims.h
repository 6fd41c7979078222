#ifndef XSP_ANSWER_FINDINGS_GAIN_CLAIMS_H_
#define XSP_ANSWER_FINDINGS_GAIN_CLAIMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/findings/gain.h"
#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::findings {

/// A call of a point, cut into pieces (view path_piece).
struct Call {
  std::vector<Piece> pieces;
  double duration_ns = 0;  ///< Sum of the pieces; 0: not known.
  std::string whole;       ///< What they add up to: "call", "step" or "recording".
  /// False: the critical path has no call that waits for the device, so that such waits hide in the
  /// host's time: that work is not on the path does not show that it delays nothing.
  bool shows_waits = true;
};

/// What a rule's gain.sql yields.
struct GainAnswer {
  std::vector<Claim> claims;       ///< Of a rule that claims pieces of the call.
  std::optional<Gain> apart;       ///< Of another rule: what it saves of `whole_ns`.
  std::optional<double> whole_ns;  ///< Of `apart`; none: the call.
};

/// Errors: those of Database::Query.
Result<Call> ReadCall(const store::Database& database, std::int64_t point_id);

/// Runs the rule's gain.sql; none: it has none, or the gain is not known here (no row, or only rows
/// whose `ns` is NULL). Errors: kBadInput naming the file when it fails, lacks a column, or yields
/// a gain that is negative or out of order.
Result<std::optional<GainAnswer>> ReadGain(const Rule& rule, const store::Database& database,
                                           std::int64_t point_id);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_GAIN_CLAIMS_H_
