#ifndef XSP_STORE_TRACE_ROWS_H_
#define XSP_STORE_TRACE_ROWS_H_

#include <string>
#include <vector>

#include "core/result.h"
#include "store/row_source.h"
#include "store/schema.h"
#include "store/table.h"
#include "trace/trace.h"

namespace xsp::store {

struct NamedRows {
  std::string table;
  RowSource rows;
};

/// The raw tables of `trace`, in the schema's order and types. Borrows `trace`.
std::vector<NamedRows> TraceRows(const trace::Trace& trace);

/// `table` as rows of the schema's table `schema`: columns in its order, NULL where `table` lacks
/// one. Borrows `table`. Errors: kInternal for a column that the schema lacks or a cell of another
/// type.
Result<RowSource> TableRows(const TableSchema& schema, const Table& table);

}  // namespace xsp::store

#endif  // XSP_STORE_TRACE_ROWS_H_
