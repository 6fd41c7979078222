#ifndef XSP_ANSWER_REPORT_COLUMNS_JSON_H_
#define XSP_ANSWER_REPORT_COLUMNS_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "store/table.h"

namespace xsp::report {

/// How a longer column of one value is written: `{"value": ..., "count": rows}`, or like any other.
enum class Repeats { kOnce, kEach };

/// One column of `table` as the page reads it (web/src/report_data.ts): an array, or for text
/// {"dict", "codes"}, with "numbers" where texts end in " #17". NULL, NaN and infinities become
/// null.
nlohmann::json ColumnJson(const store::Table& table, std::size_t column,
                          Repeats repeats = Repeats::kOnce);

/// All columns by name: {"point_id": [...], "model": {"dict": ..., "codes": ...}, ...}.
nlohmann::json ColumnsJson(const store::Table& table, Repeats repeats = Repeats::kOnce);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_COLUMNS_JSON_H_
