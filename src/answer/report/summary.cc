#include "answer/report/summary.h"

#include "answer/findings/focus.h"

namespace xsp::report {

Result<Summary> Summarise(const store::Database& database,
                          const std::vector<findings::Rule>& rules) {
  Summary summary;
  XSP_TRY(summary.point_id, findings::BestPoint(database));
  XSP_TRY(summary.badges, Badges(database));
  XSP_TRY(summary.findings, findings::FindAll(rules, database, summary.point_id));
  return summary;
}

}  // namespace xsp::report
