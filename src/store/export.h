#ifndef XSP_STORE_EXPORT_H_
#define XSP_STORE_EXPORT_H_

#include <string>

#include "store/table.h"

namespace xsp::store {

/// `table` as CSV (RFC 4180: CRLF, quotes doubled), led by the column names. NULL is an empty
/// field, an empty text is "". Numbers are exact: every double reads back as the same value.
std::string ToCsv(const Table& table);

/// `table` as a JSON array of one object per row, columns in order. NULL, NaN and the infinities
/// are null; integers and doubles read back exactly. Invalid UTF-8 is replaced by U+FFFD. Of two
/// columns of one name the later gets a suffix "_2".
std::string ToJson(const Table& table);

}  // namespace xsp::store

#endif  // XSP_STORE_EXPORT_H_
