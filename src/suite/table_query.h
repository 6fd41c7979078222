#ifndef XSP_SUITE_TABLE_QUERY_H_
#define XSP_SUITE_TABLE_QUERY_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/table.h"

namespace xsp::suite {

/// `name` as SQL compares names: A to Z as small letters.
std::string FoldedName(std::string name);

/// What `sql` (one SELECT) yields over `rows`, which it sees as the table `input` with their
/// columns and, behind these, `input_row` (0-based). It sees nothing else: no file, no store.
/// Errors: kBadInput with the engine's message and the columns there are, or where a column of
/// `rows` is called input_row.
Result<store::Table> QueryTable(const store::Table& rows, std::string_view sql);

/// The rows of `rows` for which the SQL condition is true (neither false nor NULL), in their order.
/// It sees their columns, whatever their names. Errors: kBadInput (as above, text that is more or
/// less than one expression, or no row is left).
Result<store::Table> RowsWhere(const store::Table& rows, const std::string& condition);

}  // namespace xsp::suite

#endif  // XSP_SUITE_TABLE_QUERY_H_
