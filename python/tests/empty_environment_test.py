"""The wheel in a virtual environment with nothing else: the command and the API that needs no other package."""
import contextlib
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import xsp

TOY = pathlib.Path(os.environ["XSP_TEST_TREE"]) / "workers/example/sample.toy"
TRACE = pathlib.Path(os.environ["XSP_TEST_TREE"]) / "src/ingest/importers/kineto/sample/two_kernels.json"
QUICK = {"time_limit": 0.2, "warmup_limit": 0.2, "no_roofs": True, "monitor_rate": 0}
COMMAND = pathlib.Path(sys.executable).parent / "xsp"


def processes_that_name(path):
    """The command lines of running processes that have `path` in an argument."""
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            line = file.read_bytes()
            if os.fsencode(path) in line:
                found.append(line)
    return found


class EmptyEnvironmentTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.store = cls.folder / "store"
        cls.toy = xsp.run(TOY, name="toy", batch=[1, 2], store=cls.store, **QUICK)
        cls.imported = xsp.import_trace(TRACE, name="imported", store=cls.store)

    def command(self, *words, status=0):
        done = subprocess.run([COMMAND, "--store", self.store, *words], capture_output=True, text=True, cwd=self.folder, timeout=900)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_package_is_that_of_the_wheel(self):
        self.assertTrue(xsp.__file__.startswith(sys.prefix), xsp.__file__)
        for name in ("numpy", "pyarrow", "pandas", "torch"):
            self.assertIsNone(importlib.util.find_spec(name), name)

    def test_the_command_works(self):
        self.assertEqual(self.command("--version").strip(), xsp.__version__)
        self.assertIn("toy", self.command("list"))
        doctor = self.command("doctor")
        for part in ("worker example", "recording CUDA", "recording Python programs", "report page"):
            self.assertRegex(doctor, rf"{part} +found")
        self.command("no-such-command", status=2)

    def test_a_program_is_recorded_by_the_libraries_of_the_wheel(self):
        self.command("record", "--no-roofs", "--name", "program", "--", sys.executable, "-c", "print(6 * 7)")
        self.assertEqual(xsp.load("program", store=self.store).runs.column("rung"), ["recorded"])

    def test_a_report_is_written(self):
        page = self.toy.report(self.folder / "page.html")
        self.assertIn("<html", page.read_text())
        self.assertIn("badges", self.toy.summary())

    def test_an_experiment_has_its_tables(self):
        self.assertEqual(self.toy.points.column("batch"), [1, 2])
        self.assertEqual([row["type"] for row in self.toy.layers if row["point_id"] == 1],
                         ["dense", "relu", "dense", "relu", "dense", "softmax"])
        self.assertEqual(self.imported.kernels.column("name"), ["example_gemm_32x32", "example_relu"])
        again = xsp.load("toy", store=self.store)
        self.assertEqual((again.name, again.status, again.path), ("toy", "done", self.toy.path))
        self.assertEqual(set(xsp.list(store=self.store).column("name")) >= {"toy", "imported"}, True)
        with self.assertRaises(KeyError):
            self.toy.points.column("bach")

    def test_answers_and_findings_are_those_of_the_program(self):
        told = json.loads(self.command("analyze", "A8", "imported", "--format", "json"))
        answer = self.imported.analyze("A8")
        self.assertEqual(answer.rows, told["rows"])
        self.assertEqual([(one.name, one.unit, one.provenance) for one in answer.columns],
                         [(one["name"], one["unit"], one["provenance"]) for one in told["columns"]])
        self.assertGreater(len(self.imported.analyze_all()), 10)
        told = json.loads(self.command("findings", "imported", "--format", "json"))
        self.assertEqual([one.id for one in self.imported.findings], [one["id"] for one in told["findings"]])
        self.assertEqual([[column.name for column in one.evidence.columns] for one in self.imported.findings],
                         [[column["name"] for column in one["evidence"]["columns"]] for one in told["findings"]])
        self.assertEqual(len(self.imported.findings.abstained), len(told["abstained"]))

    def test_a_query_without_rows_has_columns(self):
        table = self.toy.query("SELECT name, count(*) AS n FROM layer WHERE false GROUP BY name;")
        self.assertEqual([column.name for column in table.columns], ["name", "n"])
        self.assertEqual(len(table), 0)

    def test_comparison(self):
        compared = xsp.compare("toy#batch=1", "toy#batch=2", store=self.store)
        told = json.loads(self.command("compare", "toy#batch=1", "toy#batch=2", "--format", "json"))
        self.assertEqual((compared.verdict, compared.ratio, compared.rows.rows), (told["verdict"], told["ratio"], told["rows"]))
        self.assertEqual([compared.a, compared.b], [side["name"] for side in told["sides"]])
        self.assertEqual([column.name for column in compared.rows.columns][:3], ["path", "kind", "leaf"])
        self.assertIsNone(compared.passed)
        self.assertEqual(self.imported.compare(self.imported).ratio, 1)
        gated = xsp.compare("toy#batch=1", "toy#batch=1", gate="latency=5%", gate_noise="0%", store=self.store)
        self.assertIs(gated.passed, True)
        both = xsp.compare("toy#batch=1", "toy#batch=1", "toy#batch=2", store=self.store)
        self.assertEqual([pair.document["ratio"] for pair in both.pairs], [1, compared.ratio])
        with self.assertRaises(xsp.BadInputError) as caught:
            self.toy.compare(self.imported)  # Another device.
        self.assertIn("Choose a point", caught.exception.hint)

    def test_tags(self):
        self.toy.tag(kind="example")
        self.assertEqual(xsp.list(tag="kind=example", store=self.store).column("name"), ["toy"])

    def test_errors_have_kind_message_and_hint(self):
        cases = [(lambda: xsp.load("none", store=self.store), xsp.BadInputError, 3),
                 (lambda: self.toy.query("SELEC 1"), xsp.BadInputError, 3),
                 (lambda: xsp.run("missing.onnx", store=self.store), xsp.BadInputError, 3),
                 (lambda: xsp.operations.run("resnet50", batch=-1, store=self.store), xsp.UsageError, 2),
                 (lambda: xsp.run(object()), xsp.UsageError, 2),
                 (lambda: self.toy.analyze("all"), xsp.UsageError, 2),
                 (lambda: self.toy.layers.to_arrow(), xsp.NotPossibleError, 4),
                 (lambda: self.toy.layers.to_pandas(), xsp.NotPossibleError, 4),
                 (lambda: self.toy.layers.to_polars(), xsp.NotPossibleError, 4),
                 (lambda: xsp.profile("step").__enter__(), xsp.NotPossibleError, 4),
                 (lambda: xsp.callbacks.lightning(), xsp.NotPossibleError, 4),
                 (lambda: xsp.schedule(active=0), xsp.UsageError, 2), (lambda: xsp.schedule(active="3"), xsp.UsageError, 2),
                 (lambda: xsp.schedule(active=1.5), xsp.UsageError, 2), (lambda: xsp.load(None), xsp.UsageError, 2),
                 (lambda: xsp.compare("a", 3), xsp.UsageError, 2)]
        for at, (call, kind, status) in enumerate(cases):
            with self.subTest(at), self.assertRaises(kind) as caught:
                call()
            self.assertTrue(caught.exception.message)
            self.assertEqual(caught.exception.status, status)
        with self.assertRaises(xsp.NotPossibleError) as caught:
            self.toy.layers.to_arrow()
        self.assertIn("pyarrow", caught.exception.hint)

    def test_a_file_system_that_fails_is_the_environments_error(self):
        with self.assertRaises(xsp.XspError) as caught:
            xsp.import_trace(TRACE, store=TRACE)  # A file, no folder.
        self.assertIn("two_kernels.json", caught.exception.message)

    def test_progress_is_reported_and_may_fail(self):
        steps = []
        xsp.run(TOY, name="watched", store=self.store, progress=steps.append, **QUICK)
        self.assertTrue(any("batch 1" in one.step for one in steps), steps)
        self.assertTrue(all(0 <= one.fraction <= 1 for one in steps))

        def refuse(step):
            raise ZeroDivisionError(step.step)

        with self.assertRaises(ZeroDivisionError):
            xsp.run(TOY, name="refused", store=self.store, progress=refuse, **QUICK)

    def test_an_interrupt_ends_the_measurement(self):
        # The program tells its first step, the interrupt comes, and nothing is left running.
        script = ("import os, signal, sys, xsp\n"
                  "def stop(step):\n    stop.__code__ = (lambda step: None).__code__\n    os.kill(os.getpid(), signal.SIGINT)\n"
                  "try:\n    xsp.run(sys.argv[1], store=sys.argv[2], progress=stop, time_limit=300, precision_target='0.001%', no_roofs=True)\n"
                  "except KeyboardInterrupt:\n    print('interrupted')\n")
        done = subprocess.run([sys.executable, "-c", script, TOY, self.folder / "other"], capture_output=True, text=True, timeout=900)
        self.assertEqual((done.returncode, done.stdout), (0, "interrupted\n"), done.stderr)

    def test_the_measurement_ends_with_this_process(self):
        script = ("import os, signal, sys, xsp\n"
                  "xsp.run(sys.argv[1], store=sys.argv[2], progress=lambda step: os.kill(os.getpid(), signal.SIGKILL), time_limit=300,\n"
                  "        precision_target='0.001%', no_roofs=True)\n")
        store = self.folder / "left"
        killed = subprocess.run([sys.executable, "-c", script, TOY, store], timeout=900)
        self.assertEqual(killed.returncode, -signal.SIGKILL)
        deadline = time.monotonic() + 100
        while running := processes_that_name(store):
            self.assertLess(time.monotonic(), deadline, running)
            time.sleep(0.1)

    def test_notebooks_show_html(self):
        pieces = [self.toy._repr_html_(), self.toy.layers._repr_html_(), self.imported.findings._repr_html_(),
                  self.imported.analyze("A8")._repr_html_(), self.imported.compare(self.imported)._repr_html_()]
        for piece in pieces:
            self.assertTrue(piece.startswith("<"))
            self.assertNotIn("<script", piece)
        hostile = xsp.Table([{"<b>": "<script>alert(1)</script>"}])
        self.assertNotIn("<script", hostile._repr_html_())
        self.assertNotIn("<b>:", hostile._repr_html_())

    def test_tables_print_with_units_and_numbers_at_the_right(self):
        table = xsp.Table([{"name": "gemm", "time": 198099500.0, "busy": True}, {"name": "b", "time": 0.25, "busy": None}],
                          [xsp.Column("name"), xsp.Column("time", "ns"), xsp.Column("busy", "1")])
        self.assertEqual(repr(table), "name         time  busy\n"
                                      "               ns\n"
                                      "gemm  198,099,500  True\n"
                                      "b            0.25")
        self.assertEqual(repr(xsp.Table([{"count": 1}] * 21)).splitlines()[0::20], ["count", "    1"])
        self.assertTrue(repr(xsp.Table([{"count": 1}] * 21)).endswith("\n... 1 more rows"))

    def test_another_program_can_be_named(self):
        done = subprocess.run([sys.executable, "-c", "import xsp; xsp.list()"], capture_output=True, text=True,
                              env={**os.environ, "XSP_PROGRAM": "/no/such/xsp"}, timeout=900)
        self.assertIn("XSP_PROGRAM is not a program", done.stderr)

    def test_the_program_of_the_wheel_needs_no_library_of_the_system(self):
        # Those of C and C++ alone: every other is in the wheel. The libraries of a measured program bring none.
        program = pathlib.Path(xsp.__file__).parent / "program"
        for file in [program / "bin/xsp", *sorted((program / "lib").glob("libxsp*.so"))]:
            if "torch" in file.name or shutil.which("ldd") is None:
                continue
            for line in subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout.splitlines():
                if "=>" in line and sys.prefix not in line:
                    self.assertRegex(line, r"lib(c|m|dl|pthread|gcc_s|stdc\+\+|z)\.so", file.name)


if __name__ == "__main__":
    unittest.main()
