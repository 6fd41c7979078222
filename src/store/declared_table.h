#ifndef XSP_STORE_DECLARED_TABLE_H_
#define XSP_STORE_DECLARED_TABLE_H_

#include <span>
#include <string_view>

namespace xsp::store {

/// A column as schema/ declares it; see ColumnSchema.
struct DeclaredColumn {
  std::string_view name, type;
  bool nullable;
  std::string_view comment;
};

/// A table as schema/ declares it; see TableSchema.
struct DeclaredTable {
  std::string_view name, comment;
  bool raw;
  std::span<const DeclaredColumn> columns;
};

/// Every table of schema/, in the order of the files: constants, which tools/generate_rows.py
/// writes. To have the engine read the SQL takes each command of the program 40 ms.
std::span<const DeclaredTable> DeclaredTables();

}  // namespace xsp::store

#endif  // XSP_STORE_DECLARED_TABLE_H_
