#ifndef XSP_STORE_SQL_TEXT_H_
#define XSP_STORE_SQL_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace xsp::store {

/// `text` as an SQL string literal, quotes included.
std::string Quoted(std::string_view text);

/// `name` as an SQL identifier, quotes included.
std::string QuotedName(std::string_view name);

/// Where the SQL starts behind its leading white space and comments.
std::size_t SkipComments(std::string_view sql);

/// False for SQL without a parameter (?, $1, $name): neither sign stands outside of texts in single
/// quotes, quoted names and comments. True may also be an operator or a text in other quotes.
bool MayHaveParameters(std::string_view sql);

/// False for SQL that names no statement which changes a table (INSERT, UPDATE, DELETE, MERGE).
/// True may also be such a word in a text or a comment.
bool MayChangeTables(std::string_view sql);

/// True when the word at `at` is `word` (given in lower case), in any case.
bool WordAt(std::string_view sql, std::size_t at, std::string_view word);

}  // namespace xsp::store

#endif  // XSP_STORE_SQL_TEXT_H_
