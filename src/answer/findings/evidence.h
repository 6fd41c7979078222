#ifndef XSP_ANSWER_FINDINGS_EVIDENCE_H_
#define XSP_ANSWER_FINDINGS_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/database.h"
#include "store/table.h"

namespace xsp::findings {

/// What a rule's SELECT yields of one experiment.
struct Evidence {
  std::string sql;                     ///< As it ran, with numbers in place.
  store::Table table;                  ///< The rule's columns. No row: the finding does not hold.
  std::optional<std::string> abstain;  ///< Why the rule says nothing here, of the first row.
};

/// The rule's SQL with numbers in place of `$point` and of its thresholds. Error: kBadInput for
/// another `$name`, naming file and line.
Result<std::string> SqlFor(const Rule& rule, std::int64_t point_id);

/// Likewise gain.sql of a rule that has one.
Result<std::string> GainSqlFor(const Rule& rule, std::int64_t point_id);

/// Runs the rule's SQL. Besides the rule's columns it may yield `abstain`. Errors: kBadInput when
/// it fails or yields other columns, naming the file.
Result<Evidence> FindEvidence(const Rule& rule, const store::Database& database,
                              std::int64_t point_id);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_EVIDENCE_H_
