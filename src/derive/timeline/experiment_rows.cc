#include "derive/timeline/experiment_rows.h"

#include <utility>

#include "core/result.h"
#include "store/schema.h"
#include "trace/trace.h"

namespace xsp::timeline {

void ExperimentRows::Add(std::string_view table, std::vector<store::Cell> cells) {
  auto it = tables_.find(table);
  if (it == tables_.end()) {
    const store::TableSchema* schema = store::FindTable(table);
    XSP_CHECK(schema != nullptr);
    it = tables_.emplace(table, store::Table{}).first;
    for (const store::ColumnSchema& column : schema->columns)
      it->second.columns.push_back(column.name);
  }
  XSP_CHECK(cells.size() + 1 == it->second.columns.size());
  std::vector<store::Cell>& row = it->second.rows.emplace_back();
  row.reserve(cells.size() + 1);
  row.emplace_back(run_id_);
  for (store::Cell& cell : cells) row.push_back(std::move(cell));
}

store::Cell NumberOrNull(std::int64_t value) {
  return value == trace::kNotApplicable ? store::Cell() : store::Cell(value);
}

store::Cell TextOrNull(std::string_view text) {
  return text.empty() ? store::Cell() : store::Cell(std::string(text));
}

}  // namespace xsp::timeline
