#ifndef XSP_ANSWER_ANALYZE_SCOPE_H_
#define XSP_ANSWER_ANALYZE_SCOPE_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::analyze {

/// Which experiments a database has open, and how a SELECT is held to some of them.
struct Experiments {
  /// True: every table is led by a column `experiment` (several are open).
  bool led = false;
  /// Their names where `led`, by name; else one empty name.
  std::vector<std::string> names;
};

/// Errors: as Database::Query.
Result<Experiments> OpenExperiments(const store::Database& database);

/// `sql` (one SELECT, which may begin with WITH) on the experiment tables of `name` alone, without
/// the column that leads them. Where they are not led this is `sql` itself: what a report shows is
/// what `xsp query` takes.
std::string OnOneExperiment(std::string_view sql, const Experiments& experiments,
                            std::string_view name);

/// `sql` on the experiment tables of all, led by the column `experiment` ('' where one is open).
std::string OnAllExperiments(std::string_view sql, const Experiments& experiments);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_SCOPE_H_
