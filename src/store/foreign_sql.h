#ifndef XSP_STORE_FOREIGN_SQL_H_
#define XSP_STORE_FOREIGN_SQL_H_

// Private to store/.

#include <string>
#include <string_view>

#include "core/result.h"
#include "store/duckdb_connection.h"

namespace xsp::store {

/// Refuses SQL of strangers that names what shows where the store's files lie (the engine's
/// settings), or what runs SQL that the text does not hold, which could name it. Texts and comments
/// are searched, too. Errors: kBadInput.
Status CheckNames(std::string_view sql);

/// Refuses a SELECT that calls a function by which the engine's state changes: enable_logging() can
/// be told to write a file, for example, and no setting closes it. Errors: kBadInput, also those of
/// binding the statement.
Status CheckFunctions(const DuckDb& db, const std::string& sql);

}  // namespace xsp::store

#endif  // XSP_STORE_FOREIGN_SQL_H_
