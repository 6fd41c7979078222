#ifndef XSP_DERIVE_TIMELINE_EXPERIMENT_ROWS_H_
#define XSP_DERIVE_TIMELINE_EXPERIMENT_ROWS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "store/experiment_writer.h"
#include "trace/trace.h"

namespace xsp::timeline {

/// Rows of experiment tables as they are found.
class ExperimentRows {
 public:
  /// The run that the next rows are of.
  void SetRun(std::int64_t run_id) { run_id_ = run_id; }
  std::int64_t run_id() const { return run_id_; }

  /// Row: of store/rows.
  template <typename Row>
  void Add(Row row) {
    std::unique_ptr<AnyTable>& table = tables_[Row::kTable];
    if (table == nullptr) table = std::make_unique<TableOf<Row>>();
    static_cast<TableOf<Row>&>(*table).rows.push_back(std::move(row));
  }

  /// The tables that have rows, by name.
  std::vector<std::string_view> tables() const {
    std::vector<std::string_view> names;
    for (const auto& [name, table] : tables_) names.push_back(name);
    return names;
  }

  /// Writes each table that has rows. Errors: as ExperimentWriter::AddRows.
  Status Write(store::ExperimentWriter& writer) const {
    for (const auto& [name, table] : tables_) XSP_RETURN_IF_ERROR(table->Write(writer));
    return Ok{};
  }

 private:
  /// A plugin brings its table with it: no list of all row types is needed here.
  class AnyTable {
   public:
    virtual ~AnyTable() = default;
    virtual Status Write(store::ExperimentWriter& writer) const = 0;
  };
  template <typename Row>
  class TableOf : public AnyTable {
   public:
    Status Write(store::ExperimentWriter& writer) const override { return writer.AddRows(rows); }

    std::vector<Row> rows;
  };

  std::int64_t run_id_ = 0;
  std::map<std::string_view, std::unique_ptr<AnyTable>> tables_;  ///< By name.
};

/// NULL where `value` is trace::kNotApplicable: what ranks, devices, streams and steps are then.
inline std::optional<std::int64_t> ApplicableOrNull(std::int64_t value) {
  return value == trace::kNotApplicable ? std::nullopt : std::optional(value);
}

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_EXPERIMENT_ROWS_H_
