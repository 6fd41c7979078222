#ifndef XSP_ANSWER_SUITE_TABLE_QUERY_H_
#define XSP_ANSWER_SUITE_TABLE_QUERY_H_

#include <string>
#include <vector>

#include "core/result.h"
#include "store/query_budget.h"
#include "store/table.h"

namespace xsp::suite {

/// `name` as SQL compares names: A to Z as small letters.
std::string FoldedName(std::string name);

/// What the SQL expression is in each row of `rows`, in their order; NaN where it is NULL. It sees
/// the row's columns, whatever their names, and nothing else: no file, no store. Errors: kBadInput
/// with the engine's message and the columns there are (text that is more or less than one
/// expression, no number, no one value a row, more than is left of `budget`).
Result<std::vector<double>> NumbersOf(const store::Table& rows, const std::string& expression,
                                      store::QueryBudget* budget);

/// The rows of `rows` for which the SQL condition is true (neither false nor NULL), in their order.
/// It sees what expressions see. Errors: kBadInput (as above, or no row is left).
Result<store::Table> RowsWhere(const store::Table& rows, const std::string& condition,
                               store::QueryBudget* budget);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_TABLE_QUERY_H_
