"""What tools/generate_rows.py writes for a small schema, and what it refuses, with the line. That the structs compile
and hold what tables hold is tested by src/store/typed_table_test.cc."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

SCHEMA = """-- Raw tables: one set per run.
CREATE TABLE span (id BIGINT NOT NULL);
COMMENT ON TABLE span IS 'Not an experiment table';
COMMENT ON COLUMN span.id IS '1-based';

-- Experiment tables: one set per experiment.
CREATE TABLE two_words (
  id BIGINT NOT NULL, value DOUBLE,
  short VARCHAR, done BOOLEAN NOT NULL);
COMMENT ON TABLE two_words IS 'What each has';
COMMENT ON COLUMN two_words.id IS '1-based';
COMMENT ON COLUMN two_words.value IS 'The machine''s, and "quoted"; a long comment that goes on \
until it has to be broken into two lines';
COMMENT ON COLUMN two_words.short IS 'A word of C++; NULL: none';
COMMENT ON COLUMN two_words.done IS 'Whether';
"""

HEADER = """// Generated from schema/ by tools/generate_rows.py. Do not edit.
#ifndef XSP_STORE_ROWS_TWO_WORDS_ROW_H_
#define XSP_STORE_ROWS_TWO_WORDS_ROW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xsp::store {

/// A row of the table two_words: What each has.
struct TwoWordsRow {
  static constexpr std::string_view kTable = "two_words";

  /// 1-based
  std::int64_t id;
  /// The machine's, and "quoted"; a long comment that goes on until it has to be broken into two
  /// lines
  std::optional<double> value = std::nullopt;
  /// A word of C++; NULL: none
  std::optional<std::string> short_ = std::nullopt;
  /// Whether
  bool done;

  /// Calls visit(name of the column, pointer to its field) for each column, in the schema's order.
  template <typename Visit>
  static void VisitColumns(Visit visit) {
    visit("id", &TwoWordsRow::id);
    visit("value", &TwoWordsRow::value);
    visit("short", &TwoWordsRow::short_);
    visit("done", &TwoWordsRow::done);
  }

  bool operator==(const TwoWordsRow&) const = default;
};

}  // namespace xsp::store

#endif  // XSP_STORE_ROWS_TWO_WORDS_ROW_H_
"""


class GenerateRowsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.rows = self.folder / "out" / "store" / "rows"

    def generate(self, schema):
        path = self.folder / "schema.sql"
        path.write_text(schema)
        return subprocess.run([sys.executable, ROOT / "tools" / "generate_rows.py", path, self.folder / "out"],
                              capture_output=True, text=True)

    def written(self, schema):
        done = self.generate(schema)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return sorted(path.name for path in self.rows.iterdir())

    def refused(self, line, words, schema):
        done = self.generate(schema)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, f"{self.folder / 'schema.sql'}: line {line}: {words}\n")
        self.assertFalse(self.rows.exists())

    def test_a_struct_for_each_experiment_table(self):
        self.assertEqual(self.written(SCHEMA), ["rows.cc", "tables.cc", "two_words_row.h"])
        self.assertEqual((self.rows / "two_words_row.h").read_text(), HEADER)
        source = (self.rows / "rows.cc").read_text()
        self.assertIn('#include "store/rows/two_words_row.h"\n', source)
        self.assertIn("template Status ExperimentWriter::AddRows(const std::vector<TwoWordsRow>&);\n", source)

    def test_what_every_table_is(self):
        self.written(SCHEMA)
        source = (self.rows / "tables.cc").read_text()
        self.assertIn('    {"id", "BIGINT", false, "1-based"},\n    {"value", "DOUBLE", true, "The machine\'s, and \\"quoted\\"; a long', source)
        self.assertIn('    {"span", "Not an experiment table", true, kSpanRow},\n    {"two_words", "What each has", false, kTwoWordsRow},\n',
                      source)

    def test_what_is_as_it_was_is_not_written_again(self):
        self.written(SCHEMA)
        before = {path.name: path.stat().st_mtime_ns for path in self.rows.iterdir()}
        self.written(SCHEMA.replace("1-based", "0-based", 1))  # Of a raw table.
        after = {path.name: path.stat().st_mtime_ns for path in self.rows.iterdir()}
        self.assertEqual([name for name in before if after[name] != before[name]], ["tables.cc"])

    def test_a_table_that_is_gone_leaves_nothing(self):
        self.written(SCHEMA)
        self.assertEqual(self.written(SCHEMA.replace("two_words", "other")), ["other_row.h", "rows.cc", "tables.cc"])

    def test_types_that_are_not_known(self):
        self.refused(9, "not a column of type BIGINT, DOUBLE, VARCHAR, BOOLEAN: done UTINYINT NOT NULL",
                     SCHEMA.replace("done BOOLEAN", "done UTINYINT"))
        self.refused(8, "not a column of type BIGINT, DOUBLE, VARCHAR, BOOLEAN: id BIGINT PRIMARY KEY",
                     SCHEMA.replace("id BIGINT NOT NULL, value", "id BIGINT PRIMARY KEY, value"))

    def test_statements_that_are_not_known(self):
        self.refused(7, "not a statement that is known here: CREATE INDEX two_words (",
                     SCHEMA.replace("CREATE TABLE two_words", "CREATE INDEX two_words"))
        self.refused(11, "not a statement that is known here: COMMENT ON COLUMN two_words.id IS '1-ba'sed';",
                     SCHEMA.replace("two_words.id IS '1-based'", "two_words.id IS '1-ba'sed'"))

    def test_comments_and_tables_that_do_not_fit(self):
        self.refused(7, "no comment on two_words.done", SCHEMA.replace("COMMENT ON COLUMN two_words.done IS 'Whether';\n", ""))
        self.refused(10, "a comment on what there is not: three_words",
                     SCHEMA.replace("COMMENT ON TABLE two", "COMMENT ON TABLE three")
                     + "COMMENT ON TABLE two_words IS 'What each has';\n")
        self.refused(14, "a comment on what there is not: two_words.gone",
                     SCHEMA.replace("two_words.done IS", "two_words.gone IS").replace(", done BOOLEAN NOT NULL", ""))

    def test_two_of_one_name(self):
        self.refused(9, "table two_words has two columns of one name: id", SCHEMA.replace("done BOOLEAN", "id BOOLEAN"))
        self.refused(15, "two tables of one name: span", SCHEMA + "CREATE TABLE span (id BIGINT);\n")
        self.refused(15, "two comments on two_words.done", SCHEMA + "COMMENT ON COLUMN two_words.done IS 'Again';\n")
        self.refused(15, "two comments on span", SCHEMA + "COMMENT ON TABLE span IS 'Again';\n")

    def add_tables(self, name, sql):
        (self.folder / "tables").mkdir(exist_ok=True)
        (self.folder / "tables" / name).write_text(sql)

    def test_files_of_tables_beside_the_schema_hold_experiment_tables(self):
        self.add_tables("b.sql", "CREATE TABLE b (id BIGINT);\nCOMMENT ON TABLE b IS 'B';\nCOMMENT ON COLUMN b.id IS '1-based';\n")
        self.assertEqual(self.written(SCHEMA), ["b_row.h", "rows.cc", "tables.cc", "two_words_row.h"])

    def test_an_error_in_a_file_of_tables_names_that_file(self):
        for sql, words in (("CREATE TABLE b (id BIGINT);\n", "line 1: no comment on b"),
                           (SCHEMA, "table span is also in another file")):
            self.add_tables("b.sql", sql)
            done = self.generate(SCHEMA)
            self.assertEqual((done.returncode, done.stderr), (1, f"{self.folder / 'tables' / 'b.sql'}: {words}\n"))

    def test_a_table_before_any_section(self):
        self.refused(2, "table span stands before '-- Raw tables' and '-- Experiment tables'",
                     SCHEMA.replace("-- Raw tables", "-- Tables"))


if __name__ == "__main__":
    unittest.main()
