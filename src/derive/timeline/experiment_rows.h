#ifndef XSP_DERIVE_TIMELINE_EXPERIMENT_ROWS_H_
#define XSP_DERIVE_TIMELINE_EXPERIMENT_ROWS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "store/table.h"

namespace xsp::timeline {

/// Rows of experiment tables as they are found, each led by `run_id`.
class ExperimentRows {
 public:
  /// The run that the next rows are of.
  void SetRun(std::int64_t run_id) { run_id_ = run_id; }

  /// Adds a row to the schema's table `table`: its cells in the schema's order, without run_id.
  void Add(std::string_view table, std::vector<store::Cell> cells);

  /// Those that have rows, by name.
  const std::map<std::string, store::Table, std::less<>>& tables() const { return tables_; }

 private:
  std::int64_t run_id_ = 0;
  std::map<std::string, store::Table, std::less<>> tables_;
};

/// NULL where `value` is trace::kNotApplicable (-1): what ranks, devices and streams are then.
store::Cell NumberOrNull(std::int64_t value);
/// NULL where `text` is empty.
store::Cell TextOrNull(std::string_view text);

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_EXPERIMENT_ROWS_H_
