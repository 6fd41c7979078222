#ifndef XSP_STORE_TRACE_ROWS_H_
#define XSP_STORE_TRACE_ROWS_H_

#include <string>
#include <vector>

#include "store/row_source.h"
#include "trace/trace.h"

namespace xsp::store {

struct NamedRows {
  std::string table;
  RowSource rows;
};

/// The raw tables of `trace`, in the schema's order and types. Borrows `trace`.
std::vector<NamedRows> TraceRows(const trace::Trace& trace);

}  // namespace xsp::store

#endif  // XSP_STORE_TRACE_ROWS_H_
