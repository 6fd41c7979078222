#!/usr/bin/env python3
"""The questions of lake/ in each engine: the same answers as plain Python gives, on a store that `xsp import` and `xsp run` made, and
on experiments of older and newer versions with random rows. Engines that are not installed are skipped by name.

Needs a Python with pyarrow and duckdb (tests/requirements.txt): the one named by XSP_ORACLE_PYTHON, else .deps/oracles/bin/python.
"""
import csv
import io
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import oracle_python
import python_modules

oracle_python.require("duckdb", "pyarrow.parquet")

import lake_fleet  # noqa: E402
from lake_fleet import catalogue  # noqa: E402

import ask  # noqa: E402
import engines  # noqa: E402
import question  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
IMPORTERS = ROOT / "src" / "ingest" / "importers"
SAMPLES = ["kineto/sample/two_kernels.json", "chrome/sample/two_threads.json", "span_list/sample/two_layers.csv",
           "xsp_recording/sample/two_calls.xspr", "otlp/sample/agent.otlp.json"]
EXAMPLE = BUILD / "bin" / "xsp-worker-example"
USAGE, BAD_INPUT, NOT_POSSIBLE = 2, 3, 4
FOLDER = tempfile.TemporaryDirectory(prefix="xsp-lake-test-")
unittest.addModuleCleanup(FOLDER.cleanup)
STORE = pathlib.Path(FOLDER.name) / "store"


def xsp(*arguments):
    environment = {**os.environ, "XSP_STORE": str(STORE), "XSP_CACHE": f"{FOLDER.name}/cache", "XSP_WORKER_PATH": str(BUILD / "bin")}
    done = subprocess.run([str(XSP), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900,
                          env=environment, cwd=FOLDER.name)
    if done.returncode:
        raise AssertionError(f"xsp {arguments}: {done.stderr[-3000:]}")


def setUpModule():
    for sample in SAMPLES:
        xsp("import", IMPORTERS / sample)
    xsp("import", IMPORTERS / SAMPLES[0], "--name", "again")
    if EXAMPLE.exists():
        shutil.copy(ROOT / "workers" / "example" / "sample.toy", pathlib.Path(FOLDER.name) / "m.toy")
        xsp("run", "m.toy", "--backend", "example", "--batch", "1,2", "--iterations", "5", "--no-roofs", "--monitor-rate", "0", "--name", "toy")
    lake_fleet.Fleet(STORE, count=36, seed=5)


class EngineTest:
    """The tests of one engine; a subclass has its name."""
    NAME = None

    @classmethod
    def setUpClass(cls):
        try:
            cls.engine = engines.start(cls.NAME, threads=2)
        except engines.EngineError as error:
            raise unittest.SkipTest(f"{cls.NAME} is not tested here: {error}") from None
        cls.addClassCleanup(cls.engine.close)

    def found(self, store=STORE, **times):
        return catalogue.Catalogue(str(store), note=self.fail, **times)

    def ask(self, name, found, **parameters):
        return ask.Answer(self.engine, question.Question(name), found, {key: str(value) for key, value in parameters.items()})

    def check(self, store):
        found = self.found(store)
        rows = lake_fleet.Rows(store, found.until)
        for name, (reference, parameters) in lake_fleet.REFERENCES.items():
            with self.subTest(name):
                answer, expected = self.ask(name, found, **parameters), reference(rows, **parameters)
                self.assertEqual(list(answer.columns), list(question.Question(name).columns))
                self.assertEqual(len(answer.rows), len(expected))
                for row, other in zip(answer.rows, expected, strict=True):
                    for column, value, reference_value in zip(answer.columns, row, other, strict=True):
                        if isinstance(reference_value, float) and value is not None:
                            # The order of a sum is the engine's.
                            self.assertAlmostEqual(value, reference_value, delta=1e-9 * max(1, abs(reference_value)), msg=(column, row, other))
                        else:
                            self.assertEqual(value, reference_value, (column, row, other))

    def test_answers_as_plain_python_over_older_and_newer_runs(self):
        for name, (reference, parameters) in lake_fleet.REFERENCES.items():
            rows = lake_fleet.Rows(STORE, lake_fleet.NEWEST_S)
            self.assertTrue(reference(rows, **parameters) or name == "kernels_by_device", f"{name} is asked of nothing")
        self.check(STORE)

    def test_answers_about_the_fleet_alone_with_the_week_before(self):
        with tempfile.TemporaryDirectory(prefix="xsp-lake-test-") as store:
            lake_fleet.Fleet(store, count=30, seed=7)
            rows = lake_fleet.Rows(store, lake_fleet.NEWEST_S)
            self.assertTrue(any(row[8] is not None for row in lake_fleet.kernels_by_device(rows, 4)))
            self.assertGreater(len({row[10] for row in lake_fleet.regressions_by_driver(rows, 0)}), 1)
            self.check(store)

    def test_a_column_or_a_table_that_no_run_has_is_null_or_empty(self):
        with tempfile.TemporaryDirectory(prefix="xsp-lake-test-") as store:
            lake_fleet.Fleet(store, count=1, seed=3)  # The first is of an older version: no roofs, no column `kind`.
            for file in pathlib.Path(store).glob("*/*/diagnostic.parquet"):
                file.unlink()
            self.check(store)
            asked = self.write_question("SELECT count(*) AS rows, count(lane) AS lanes FROM span")
            self.assertEqual([tuple(row) for row in self.ask(asked, self.found(store)).rows], [(597, 0)])

    def test_counts_only_experiments_between_two_times(self):
        asked = self.write_question("SELECT e.experiment AS experiment, count(*) AS spans FROM experiment AS e "
                                    "JOIN span AS s ON e.experiment = s.experiment GROUP BY e.experiment ORDER BY experiment")
        since, until = lake_fleet.NEWEST_S - 15 * 86400, lake_fleet.NEWEST_S - 3 * 86400
        answer = self.ask(asked, self.found(since=since, until=until))
        expected = [(path.parent.name, 597) for path in STORE.glob("fleet*/experiment.json")
                    if since <= catalogue.seconds_of(json.loads(path.read_text())["created"]) <= until]
        self.assertTrue(expected)
        self.assertEqual([tuple(row) for row in answer.rows], sorted(expected))

    def test_a_truncated_file_is_named(self):
        with tempfile.TemporaryDirectory(prefix="xsp-lake-test-") as store:
            lake_fleet.Fleet(store, count=2, seed=3)
            file = next(pathlib.Path(store).glob("*/*/span.parquet"))
            os.truncate(file, file.stat().st_size - 100)
            with self.assertRaisesRegex(catalogue.StoreError, f"not a whole Parquet file; .*{re.escape(str(file))}"):
                self.ask("kernels_by_device", self.found(store))
            self.ask("regressions_by_driver", self.found(store))  # It does not read that table.

    def write_question(self, sql):
        file = pathlib.Path(FOLDER.name) / f"{self.NAME}.sql"
        file.write_text(f"-- Of this test.\n{sql}\n")
        return str(file)


def engine_test(name):
    return type(f"{name.capitalize()}Test", (EngineTest, unittest.TestCase), {"NAME": name})


for engine_name in engines.ENGINES:
    globals()[f"{engine_name.capitalize()}Test"] = engine_test(engine_name)


class QuestionTest(unittest.TestCase):
    def test_every_question_is_compared_with_plain_python(self):
        self.assertEqual(set(question.names()), set(lake_fleet.REFERENCES), "a question needs an answer in tests/lake_fleet.py")

    def test_every_question_says_what_it_answers(self):
        for name in question.names():
            asked = question.Question(name)
            self.assertRegex(asked.summary, r"^[A-Z].{20,}\.$", name)
            self.assertTrue(asked.columns, name)
            self.assertTrue(asked.tables([*lake_fleet.SCHEMA, "experiment"]), name)
            self.assertNotRegex(asked.sql({}), r":\w", f"{name}: a parameter that its comment does not declare")


class CatalogueTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="xsp-lake-test-")
        self.addCleanup(temporary.cleanup)
        self.store = pathlib.Path(temporary.name)
        lake_fleet.Fleet(self.store, count=3, seed=1)
        self.notes = []

    def read(self):
        return catalogue.Catalogue(str(self.store), note=self.notes.append)

    def test_names_the_machine_of_what_xsp_itself_stores(self):
        if not EXAMPLE.exists():
            self.skipTest("the example worker is not built here")
        rows = {found.name: found.row for found in catalogue.Catalogue(str(STORE)).experiments}
        self.assertEqual(rows["toy"]["os_kernel"], platform.release())
        self.assertEqual(rows["toy"]["cpu_architecture"], platform.machine())
        self.assertEqual(rows["two_kernels"]["gpu_model"], "Example GPU")
        self.assertIsNone(rows["two_kernels"]["os_kernel"])

    def test_takes_facts_from_where_each_source_has_them(self):
        run = {"facts": {"deviceProperties.0.name": "AMD Instinct", "deviceProperties.0.computeMajor": "9", "deviceProperties.0.computeMinor": "4"},
               "stack": {"gpu": {"nvidia_driver": None, "amd_driver": "6.10.5"}}}
        self.assertEqual(catalogue.machine_of(run), {"cpu_model": None, "cpu_architecture": None, "os_kernel": None, "gpu_model": "AMD Instinct",
                                                     "gpu_architecture": "AMD gfx 9.4", "gpu_driver": "6.10.5"})
        run = {"stack": {"gpu": {"models": "NVIDIA H200, NVIDIA H200", "nvidia_driver": "590"}}}
        self.assertEqual(catalogue.machine_of(run)["gpu_model"], "NVIDIA H200")

    def test_leaves_out_what_is_unpublished_damaged_or_newer_and_tells_which(self):
        for name, text in {".hidden.tmp-host-1-1": '{"created": "2026-01-01T00:00:00Z"}', "damaged": "{", "newer":
                           '{"created": "2026-01-01T00:00:00Z", "format_version": 99}', "undated": "{}", "list": "[1]"}.items():
            (self.store / name).mkdir()
            (self.store / name / "experiment.json").write_text(text)
        (self.store / "notes of a user").mkdir()
        self.assertEqual(len(self.read().experiments), 3)
        self.assertEqual(sorted(note.split(":")[1].split()[1] for note in self.notes), ["damaged", "list", "newer", "undated"])

    def test_counts_weeks_back_from_the_newest(self):
        found = self.read()
        weeks = {row["created_s"]: row["week"] for row in self.rows(found)}
        self.assertEqual(weeks[lake_fleet.NEWEST_S], 0)
        for made, week in weeks.items():
            self.assertTrue(week * 7 * 86400 <= lake_fleet.NEWEST_S - made < (week + 1) * 7 * 86400)

    def rows(self, found):
        with tempfile.TemporaryDirectory() as folder:
            return lake_fleet.pyarrow.parquet.read_table(found.write_experiments(folder)).to_pylist()


class CommandTest(unittest.TestCase):
    def ask(self, *arguments, status=0):
        done = subprocess.run([sys.executable, str(ROOT / "lake" / "ask.py"), *map(str, arguments)], capture_output=True, text=True, timeout=900,
                              cwd=FOLDER.name)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, done.stderr

    def test_prints_tables_json_and_csv(self):
        question_and_store = ("slowest_layers_by_framework", "--store", STORE, "--set", "top=2")
        rows = json.loads(self.ask(*question_and_store, "--format", "json")[0])
        with_csv = list(csv.DictReader(io.StringIO(self.ask(*question_and_store, "--format", "csv")[0])))
        self.assertEqual([row["layer"] for row in rows], [row["layer"] for row in with_csv])
        table, timing = self.ask(*question_and_store, "--timing")
        self.assertEqual(len(table.splitlines()), len(rows) + 1)
        self.assertRegex(timing, r"experiments: (\d+) of \1; files: .*layer \d+")

    def test_lists_questions_and_prints_their_sql(self):
        text = self.ask("--list")[0]
        for name in question.names():
            self.assertIn(f"{name}: ", text)
        self.assertIn("position <= 3", self.ask("kernels_by_device", "--set", "top=3", "--print-sql")[0])

    def test_says_what_is_wrong_and_what_to_do(self):
        for status, expected, *arguments in [
                (USAGE, "there is no question nothing; there are kernels_by_device", "nothing"),
                (USAGE, "has no parameter best; it has top", "kernels_by_device", "--set", "best=3"),
                (USAGE, "is a number, not '1;DROP'", "kernels_by_device", "--set", "top=1;DROP"),
                (USAGE, "--since is a date or time", "kernels_by_device", "--since", "yesterday"),
                (USAGE, "which question?",),
                (BAD_INPUT, "there is no such folder: nowhere", "kernels_by_device", "--store", "nowhere"),
                (BAD_INPUT, "the store has no experiments; `xsp import FILE --store", "kernels_by_device", "--store", ROOT / "lake"),
                (BAD_INPUT, "none of the ", "kernels_by_device", "--store", STORE, "--since", "2999-01-01")]:
            self.assertIn(expected, self.ask(*arguments, status=status)[1])

    def test_names_the_command_that_installs_an_engine(self):
        missing = [name for name, kind in engines.ENGINES.items() if python_modules.missing(sys.executable, kind.MODULE)]
        if not missing:
            self.skipTest("every engine is installed")
        for name in missing:
            self.assertIn("pip install", self.ask("losses_by_backend", "--store", STORE, "--engine", name, status=NOT_POSSIBLE)[1])

    def test_passes_on_what_the_engine_says_of_wrong_sql(self):
        file = pathlib.Path(FOLDER.name) / "wrong.sql"
        file.write_text("SELECT nonsense FROM point\n")
        self.assertIn("nonsense", self.ask(file, "--store", STORE, status=BAD_INPUT)[1])


class ObjectStorageTest(unittest.TestCase):
    """A store at an S3 server on this machine (moto, which tests/requirements.txt need not have)."""
    QUESTION = "kernels_by_device"  # All of its answer but `change` are whole numbers and text.

    @classmethod
    def setUpClass(cls):
        try:
            from moto.server import ThreadedMotoServer
        except ImportError as error:
            raise unittest.SkipTest(f"stores in S3 are not tested here: {error}: pip install 'moto[server]'") from None
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        cls.addClassCleanup(server.stop)
        cls.endpoint = "http://127.0.0.1:{}".format(server.get_host_and_port()[1])
        cls.environment = {**os.environ, "AWS_ENDPOINT_URL": cls.endpoint, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
                           "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", "AWS_ALLOW_HTTP": "true"}
        cls.upload()

    @classmethod
    def upload(cls):
        from pyarrow import fs
        bucket = fs.S3FileSystem(access_key="key", secret_key="secret", region="us-east-1", endpoint_override=cls.endpoint,
                                 allow_bucket_creation=True)
        bucket.create_dir("lake")
        with tempfile.TemporaryDirectory(prefix="xsp-lake-test-") as store:
            lake_fleet.Fleet(store, count=4, seed=11)
            fs.copy_files(store, "lake/of/ours", source_filesystem=fs.LocalFileSystem(), destination_filesystem=bucket)
            cls.expected = lake_fleet.kernels_by_device(lake_fleet.Rows(store, lake_fleet.NEWEST_S), 10)

    def check(self, engine):
        try:
            engines.start(engine).close()
        except engines.EngineError as error:
            self.skipTest(f"{engine} is not tested here: {error}")
        done = subprocess.run([sys.executable, str(ROOT / "lake" / "ask.py"), self.QUESTION, "--store", "s3://lake/of/ours", "--engine", engine,
                               "--format", "json"], capture_output=True, text=True, timeout=900, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertTrue(self.expected)
        self.assertEqual([list(row.values())[:8] for row in json.loads(done.stdout)], [list(row[:8]) for row in self.expected])

    def test_polars(self):
        self.check("polars")

    def test_clickhouse(self):
        self.check("clickhouse")

    def test_duckdb(self):
        import duckdb
        try:
            import duckdb_extension_httpfs
        except ImportError as error:
            self.skipTest(f"DuckDB is not tested with S3 here: {error}: pip install duckdb-extension-httpfs of the version of duckdb")
        if not list(pathlib.Path(duckdb_extension_httpfs.__file__).parent.glob(f"extensions/v{duckdb.__version__}")):
            self.skipTest(f"DuckDB is not tested with S3 here: duckdb-extension-httpfs is not of version {duckdb.__version__}")
        self.check("duckdb")


if __name__ == "__main__":
    unittest.main()
