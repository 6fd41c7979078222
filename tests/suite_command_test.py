"""xsp suite: how answers are printed, whatever command they are of."""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"


def suite(*arguments, **options):
    return subprocess.run([XSP, "suite", *arguments], capture_output=True, text=True, check=False, timeout=900, **options)


class SuiteCommandTest(unittest.TestCase):
    def test_people_get_words_a_table_and_where_it_is_from(self):
        done = suite("vectors", "mlperf-v0.5", "--rows", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("29 workloads", done.stdout)
        self.assertIn("... and 26 more rows", done.stdout)
        self.assertIn("table 6", done.stdout)

    def test_json_is_one_document_with_units(self):
        done = suite("vectors", "mlperf-v0.5", "--format", "json")
        document = json.loads(done.stdout)
        self.assertEqual(document["answer"], "vectors")
        table = document["tables"][0]
        units = {column["name"]: column["unit"] for column in table["columns"]}
        self.assertEqual(units["pcie_mbps"], "Mbit/s")
        self.assertEqual(len(table["rows"]), 29)

    def test_csv_is_one_table(self):
        done = suite("vectors", "mlperf-v0.5", "--format", "csv", "--table", "vectors")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(rows[0]["workload"], "Res50_TF-1")
        self.assertEqual(float(rows[0]["cpu_pct"]), 10.76)

    def test_table_that_is_not_there_names_those_that_are(self):
        done = suite("vectors", "mlperf-v0.5", "--table", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("it has: vectors", done.stderr)

    def test_source_that_is_not_there_is_bad_input(self):
        done = suite("vectors", "no-such-file.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("mlperf-v0.5", done.stderr)

    def test_file_that_is_no_table_is_bad_input(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "noise.csv")
            with open(file, "wb") as out:
                out.write(bytes(range(256)) * 64)
            done = suite("vectors", file)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)

    def test_charts_of_a_page_are_written_for_the_library_that_draws_them(self):
        packed = json.loads((ROOT / "web" / "package.json").read_text())["devDependencies"]["vega-lite"]
        charts = []
        with tempfile.TemporaryDirectory() as folder:
            for command in (("similarity",), ("scaling",), ("schedule", "--devices", "2"), ("quality",), ("kernels",)):
                file = os.path.join(folder, command[0] + ".html")
                done = suite(command[0], "mlperf-v0.5", *command[1:], "-o", file)
                if "npm" in done.stderr:
                    self.skipTest(done.stderr)
                self.assertEqual(done.returncode, 0, done.stderr)
                page = pathlib.Path(file).read_text()
                document = json.loads(re.search(r'id="report-data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
                charts += document["answers"][0]["charts"]
        self.assertGreaterEqual(len(charts), 8)
        for chart in charts:
            self.assertEqual(chart["spec"]["$schema"], f"https://vega.github.io/schema/vega-lite/v{packed.split('.')[0]}.json", chart["id"])

    def test_every_command_has_an_example(self):
        help_text = suite("--help").stdout
        commands = [line.split()[0] for line in help_text.partition("Subcommands:")[2].splitlines() if line[:2] == "  " and line[2:3].isalpha()]
        self.assertIn("vectors", commands)
        for command in commands:
            self.assertIn("Example: xsp suite " + command, suite(command, "--help").stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
