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

Result<MeasuredTables> ReadMeasuredCalls(const store::Database& experiment) {
  MeasuredTables tables;
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.point));
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.run));
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.sample));
  return tables;
}

Result<MeasuredTables> ReadMeasuredTables(const store::Database& experiment) {
  XSP_TRY(MeasuredTables tables, ReadMeasuredCalls(experiment));
  XSP_RETURN_IF_ERROR(ReadRows(experiment, tables.layer));
  return tables;
}

Result<std::vector<store::LayerRow>> ReadLayersOf(const store::Database& experiment,
                                                  std::int64_t point_id) {
  XSP_TRY(const store::Table table,
          experiment.Query(fmt::format("SELECT * FROM layer WHERE point_id = {}", point_id)));
  return store::ToRows<store::LayerRow>(table);
}

}  // namespace xsp::compare
