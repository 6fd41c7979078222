#ifndef XSP_REPORT_COLUMNS_JSON_H_
#define XSP_REPORT_COLUMNS_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "store/table.h"

namespace xsp::report {

/// One column of `table` as the page reads it: an array, or {"dict", "codes"} for text that
/// repeats. NULL, NaN and infinities become null.
nlohmann::json ColumnJson(const store::Table& table, std::size_t column);

/// All columns by name: {"point_id": [...], "model": {"dict": ..., "codes": ...}, ...}.
nlohmann::json ColumnsJson(const store::Table& table);

}  // namespace xsp::report

#endif  // XSP_REPORT_COLUMNS_JSON_H_
