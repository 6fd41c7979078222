#include "derive/compare/measured_tables.h"

#include <fmt/format.h>

#include "store/typed_table.h"

namespace xsp::compare {
namespace {

template <typename Row>
Status ReadRows(const store::Database& experiment, std::vector<Row>& rows) {
  XSP_TRY(const store::Table table, experiment.Query(fmt::format("SELECT * FROM {}", Row::kTable)));
  XSP_TRY(rows, store::ToRows<Row>(table));
  return Ok{};
}

}  // namespace

Result<MeasuredTables> ReadMeasuredTables(const store::Database& experiment) {
  MeasuredTables tables;
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.point));
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.run));
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.sample));
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.layer));
  return tables;
}

}  // namespace xsp::compare
