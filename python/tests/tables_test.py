"""Tables as Arrow, pandas and Polars: the same values and types as DuckDB reads from the run directory."""
import datetime
import decimal
import os
import pathlib
import tempfile
import unittest

import pandas
import polars
import pyarrow
import xsp

TRACE = pathlib.Path(os.environ["XSP_TEST_TREE"]) / "src/ingest/importers/kineto/sample/two_kernels.json"
EVERY_TYPE = """SELECT * FROM (VALUES
  (1::TINYINT, 9007199254740993::BIGINT, 18446744073709551615::UBIGINT, 170141183460469231731687303715884105727::HUGEINT,
   0.5::DOUBLE, 1.25::DECIMAL(9,2), true, 'a<b', DATE '2026-11-27', TIMESTAMP '2026-11-27 10:00:00.5', [1, 2]),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL))
  AS t(tiny, big, ubig, huge, real, dec, yes, text, day, time, list)"""


class TablesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.experiment = xsp.import_trace(TRACE, name="imported", store=folder.name)
        cls.table = cls.experiment.query(EVERY_TYPE)

    def test_arrow_has_the_types_of_the_query(self):
        made = self.table.to_arrow()
        kinds = [str(field.type) for field in made.schema]
        self.assertEqual(kinds, ["int8", "int64", "uint64", "decimal256(39, 0)", "double", "decimal128(9, 2)", "bool", "string",
                                 "date32[day]", "timestamp[us]", "string"])
        first, second = made.to_pylist()
        self.assertEqual(first["big"], 9007199254740993)
        self.assertEqual(first["ubig"], 18446744073709551615)
        self.assertEqual(first["huge"], 170141183460469231731687303715884105727)
        self.assertEqual(first["dec"], decimal.Decimal("1.25"))
        self.assertEqual(first["time"], datetime.datetime(2026, 11, 27, 10, 0, 0, 500000))
        self.assertEqual(set(second.values()), {None})

    def test_pandas_and_polars_have_the_same_values(self):
        of_pandas, of_polars = self.table.to_pandas(), self.table.to_polars()
        self.assertEqual(str(of_pandas["big"].dtype), "Int64")
        self.assertEqual(of_pandas["big"][0], 9007199254740993)
        self.assertTrue(pandas.isna(of_pandas["big"][1]))
        self.assertEqual(of_pandas["time"][0], pandas.Timestamp("2026-11-27 10:00:00.5"))
        self.assertEqual(of_polars.schema["big"], polars.Int64)
        self.assertEqual(of_polars.row(0)[:3], (1, 9007199254740993, 18446744073709551615))
        self.assertEqual(of_polars.row(1), (None,) * 11)

    def test_nested_types_comments_and_names_that_come_twice(self):
        table = self.experiment.query("SELECT [TIMESTAMP '2026-11-27'] AS times, [1.25::DECIMAL(9,2)] AS decimals, "
                                      "TIMESTAMP_NS '2026-11-27 10:00:00.123456789' AS time, 1 AS a, 2 AS a -- both")
        names = ["times", "decimals", "time", "a", "a_2"]
        self.assertEqual(table.to_arrow().column_names, names)
        self.assertEqual(list(table.to_pandas().columns), names)
        self.assertEqual(table.to_polars().columns, names)
        self.assertEqual(table.to_arrow().to_pylist()[0]["time"], datetime.datetime(2026, 11, 27, 10, 0, 0, 123456))

    def test_a_table_is_what_the_parquet_file_has(self):
        # Read by another reader than ours.
        import pyarrow.parquet

        stored = pyarrow.parquet.read_table(self.experiment.path / "kernel.parquet")
        ours = self.experiment.kernels.to_arrow()
        self.assertEqual(ours.column_names, stored.column_names)
        for name in stored.column_names:
            self.assertEqual(ours[name].to_pylist(), stored[name].to_pylist(), name)
            self.assertEqual(ours.schema.field(name).type, stored.schema.field(name).type, name)

    def test_an_answer_keeps_units(self):
        answer = self.experiment.analyze("A8")
        made = answer.to_arrow()
        self.assertEqual(made.schema.field("duration_ns").metadata[b"unit"], b"ns")
        self.assertEqual(answer.to_pandas().attrs["units"]["duration_ns"], "ns")
        self.assertEqual(answer.to_polars()["name"].to_list(), answer.column("name"))

    def test_no_rows_keep_their_types(self):
        made = self.experiment.query("SELECT 1::BIGINT AS a, 'x' AS b WHERE false")
        self.assertEqual([str(field.type) for field in made.to_arrow().schema], ["int64", "string"])
        self.assertEqual(str(made.to_pandas()["a"].dtype), "int64")
        self.assertEqual(made.to_polars().schema, {"a": polars.Int64, "b": polars.String})

    def test_a_part_of_a_table_is_one(self):
        kernels = self.experiment.kernels
        self.assertEqual(kernels[:1].to_arrow().num_rows, 1)
        self.assertEqual(kernels[0]["name"], kernels.column("name")[0])
        self.assertEqual(kernels["name"], kernels.column("name"))
        self.assertIsInstance(self.experiment.analyze("A8")[:1], xsp.Table)


if __name__ == "__main__":
    unittest.main()
