#ifndef XSP_SUITE_TABLE_QUERY_H_
#define XSP_SUITE_TABLE_QUERY_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/table.h"

namespace xsp::suite {

/// What `sql` (one SELECT) yields over `rows`, which it sees as the table `input` with their
/// columns and, behind these, `input_row` (0-based). It sees nothing else: no file, no store.
/// Errors: kBadInput with the engine's message and the columns there are.
Result<store::Table> QueryTable(const store::Table& rows, std::string_view sql);

/// The rows of `rows` for which the SQL condition is true (neither false nor NULL), in their order.
/// Errors: kBadInput (as above, or no row is left).
Result<store::Table> RowsWhere(const store::Table& rows, const std::string& condition);

}  // namespace xsp::suite

#endif  // XSP_SUITE_TABLE_QUERY_H_
