#!/usr/bin/env python3
"""Writes the tables of schema/schema.sql and schema/tables/*.sql as C++: what they are, and a struct for the rows of
each experiment table.

Usage: tools/generate_rows.py SCHEMA FOLDER
Reads SCHEMA and the files tables/*.sql beside it.
Writes into FOLDER/store/rows: TABLE_row.h for each experiment table, rows.cc, which instantiates for each what
src/store/typed_source.h defines, and tables.cc, every table as a constant (src/store/declared_table.h). A file that is
the same already is left alone; that of a table which is gone is removed. Run at configure time (src/store/module.cmake).
Example: tools/generate_rows.py schema/schema.sql build/release/generated
"""
import pathlib
import sys
import textwrap

sys.dont_write_bytecode = True  # A configuration leaves nothing in the source tree.
from schema_tables import SchemaError, read_schema  # noqa: E402

TYPES = {"BIGINT": "std::int64_t", "DOUBLE": "double", "VARCHAR": "std::string", "BOOLEAN": "bool"}
# Words of C++ that a column may be named after: the field gets a trailing underscore.
KEYWORDS = set("""and auto bool break case catch char class concept const constexpr continue default delete do double
else enum explicit export extern false float for friend goto if inline int long mutable namespace new not nullptr
operator or private protected public register requires return short signed sizeof static struct switch template this
throw true try typedef typeid typename union unsigned using virtual void volatile while xor""".split())
GENERATED = "// Generated from schema/ by tools/generate_rows.py. Do not edit.\n"
WIDTH = 100


def struct_name(table):
    return "".join(word.capitalize() for word in table.name.split("_")) + "Row"


def field_name(column):
    return column.name + "_" if column.name in KEYWORDS else column.name


def comment_lines(text, indent=""):
    lead = indent + "/// "
    return textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=lead, break_long_words=False,
                         break_on_hyphens=False)


def field_lines(column):
    kind = TYPES[column.type]
    name = field_name(column)
    # Without a default: -Wmissing-field-initializers then names what a row lacks.
    declaration = f"std::optional<{kind}> {name} = std::nullopt;" if column.nullable else f"{kind} {name};"
    return comment_lines(column.comment, "  ") + ["  " + declaration]


def includes_of(table):
    headers = ["string_view"]
    if any(column.nullable for column in table.columns):
        headers.append("optional")
    if any(column.type == "BIGINT" for column in table.columns):
        headers.append("cstdint")
    if any(column.type == "VARCHAR" for column in table.columns):
        headers.append("string")
    return [f"#include <{header}>" for header in sorted(headers)]


def row_header(table):
    struct, guard = struct_name(table), f"XSP_STORE_ROWS_{table.name.upper()}_ROW_H_"
    lines = [f"#ifndef {guard}", f"#define {guard}", "", *includes_of(table), "", "namespace xsp::store {", ""]
    lines += comment_lines(f"A row of the table {table.name}: {table.comment}.")
    lines += [f"struct {struct} {{", f'  static constexpr std::string_view kTable = "{table.name}";', ""]
    for column in table.columns:
        lines += field_lines(column)
    lines += ["", "  /// Calls visit(name of the column, pointer to its field) for each column, in the schema's order.",
              "  template <typename Visit>", "  static void VisitColumns(Visit visit) {"]
    lines += [f'    visit("{column.name}", &{struct}::{field_name(column)});' for column in table.columns]
    lines += ["  }", "", f"  bool operator==(const {struct}&) const = default;", "};", "",
              "}  // namespace xsp::store", "", f"#endif  // {guard}"]
    return GENERATED + "\n".join(lines) + "\n"


def rows_source(tables):
    lines = [f'#include "store/rows/{table.name}_row.h"' for table in sorted(tables)]
    lines += ['#include "store/typed_source.h"', "", "namespace xsp::store {", ""]
    lines += [f"template Status ExperimentWriter::AddRows(const std::vector<{struct_name(table)}>&);"
              for table in tables]
    return GENERATED + "\n".join(lines + ["", "}  // namespace xsp::store"]) + "\n"


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def truth(value):
    return "true" if value else "false"


def tables_source(tables):
    lines = ['#include "store/declared_table.h"', "", "namespace xsp::store {", "namespace {", ""]
    for table in tables:
        lines.append(f"constexpr DeclaredColumn k{struct_name(table)}[] = {{")
        lines += [f'    {{"{column.name}", "{column.type}", {truth(column.nullable)}, {literal(column.comment)}}},'
                  for column in table.columns]
        lines += ["};", ""]
    lines.append("constexpr DeclaredTable kTables[] = {")
    lines += [f'    {{"{table.name}", {literal(table.comment)}, {truth(table.is_raw)}, k{struct_name(table)}}},'
              for table in tables]
    lines += ["};", "", "}  // namespace", "",
              "std::span<const DeclaredTable> DeclaredTables() { return kTables; }", "", "}  // namespace xsp::store"]
    return GENERATED + "\n".join(lines) + "\n"


def write_files(tables, folder):
    of_experiments = [table for table in tables if not table.is_raw]
    files = {f"{table.name}_row.h": row_header(table) for table in of_experiments}
    files["rows.cc"] = rows_source(of_experiments)
    files["tables.cc"] = tables_source(tables)
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        path = folder / name
        # What is as it was keeps its time: nothing is compiled again for it.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    try:
        tables = read_schema(pathlib.Path(sys.argv[1]))
    except SchemaError as error:
        print(error, file=sys.stderr)
        return 1
    write_files(tables, pathlib.Path(sys.argv[2]) / "store" / "rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
