#ifndef XSP_ANSWER_COMPARE_PAGE_PAGE_ROWS_H_
#define XSP_ANSWER_COMPARE_PAGE_PAGE_ROWS_H_

#include <cstddef>
#include <nlohmann/json.hpp>

#include "derive/compare/compared_sides.h"

namespace xsp::compare_page {

/// How much of the rows of one pair the page may carry.
struct RowLimits {
  std::size_t rows = 20000;
  std::size_t name_bytes = 600'000;  ///< Of all different names together.
};

/// The compared nodes by columns (`rows` of web/src/compare_data.ts), each with the row of its
/// parent. Of more than `limits.rows` those with the largest differences and what is above them are
/// kept; `left_out` of a row is the number of rows left out whose lowest kept ancestor it is, and
/// "rows_left_out" of the result that of all. `document_rows`: the same nodes in the document of
/// `xsp compare`, which has the verdict of each and, where it is known, ratio and interval.
nlohmann::json PageRows(const compare::Sides& sides, const compare::ComparedTrees& trees,
                        const nlohmann::json& document_rows, const RowLimits& limits);

}  // namespace xsp::compare_page

#endif  // XSP_ANSWER_COMPARE_PAGE_PAGE_ROWS_H_
