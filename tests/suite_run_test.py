#!/usr/bin/env python3
"""Commands of `xsp suite` that start others: jobs beside each other under the monitor, training programs run here, a page of many answers."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
EXAMPLE = pathlib.Path(os.environ.get("XSP_WORKER_PATH") or BUILD / "test-workers") / "xsp-worker-example"
USAGE, BAD_INPUT, INTERRUPTED = 2, 3, 130

# A program that computes for so many seconds of its own CPU time.
BUSY = "import sys, time\nwhile time.process_time() < float(sys.argv[1]): pass\n"


class SuiteCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "busy.py").write_text(BUSY)
        # Of all tests: the roofs of this machine take more time than what is measured here.
        cache = os.environ.get("XSP_TEST_CACHE", str(BUILD / "test-cache"))
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store"), "XSP_CACHE": cache}

    def xsp(self, *arguments, status=0):
        done = subprocess.run([str(XSP), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900,
                              env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout, done.stderr

    def suite(self, *arguments):
        split = arguments.index("--") if "--" in arguments else len(arguments)
        return json.loads(self.xsp("suite", *arguments[:split], "--format", "json", *arguments[split:])[0])

    def wait_for(self, file):
        until = time.monotonic() + 900
        while not file.exists():
            self.assertLess(time.monotonic(), until, f"{file} never came")
            time.sleep(0.05)

    def table(self, answer, name):
        return next(table["rows"] for table in answer["tables"] if table["id"] == name)


class SuiteRunTest(SuiteCase):
    def test_jobs_run_at_once_under_the_monitor(self):
        answer = self.suite("jobs", "--rounds", "1", "--copies", "2", "--with", "sleep 2", "--", "sleep", "2")
        kinds = {row["kind"]: row for row in self.table(answer, "kinds")}
        self.assertEqual(set(kinds), {"single sleep", "single job2", "2 x sleep", "2 x job2", "mixed sleep + job2"})
        # Two that only wait end together: one after another would be 1.
        self.assertGreater(kinds["2 x sleep"]["relative_throughput"], 1.2)
        self.assertLess(kinds["2 x sleep"]["relative_throughput"], 3.5)
        self.assertIsNotNone(kinds["single sleep"]["cpu_pct"])
        self.assertGreater(kinds["single sleep"]["system_memory_mb"], 0)
        # Each run of a kind is an experiment with the monitor's series.
        names = {row["experiment"] for row in self.table(answer, "processes")}
        for name in names:
            rows = json.loads(self.xsp("query", name, "SELECT seconds FROM system_usage", "--format", "json")[0])
            self.assertGreater(rows[0]["seconds"], 0.7)

    def test_job_that_computes_is_seen_by_its_cpu_time(self):
        answer = self.suite("jobs", "--rounds", "1", "--", sys.executable, "busy.py", "0.5")
        single = self.table(answer, "kinds")[0]
        self.assertGreater(single["cpu_s"], 0.45)
        self.assertGreater(single["own_cores"], 0)

    def test_job_that_ends_at_once_is_said_to_be_too_short(self):
        answer = self.suite("jobs", "--rounds", "1", "--", "sleep", "0.01")
        self.assertTrue(any("Too short to compare: sleep (0." in line for line in answer["sentences"]), answer["sentences"])

    def test_job_that_fails_says_its_last_words(self):
        _, err = self.xsp("suite", "jobs", "--", "sh", "-c", "echo out of luck >&2; exit 7", status=BAD_INPUT)
        self.assertIn("exit status 7", err)
        self.assertIn("out of luck", err)
        self.assertIn("starts no program", self.xsp("suite", "vectors", "--", "true", status=USAGE)[1])

    def test_training_program_is_timed_as_it_speaks(self):
        lines = "import time\nfor e in (1, 2, 3):\n  time.sleep(0.3)\n  print(f'epoch={e} accuracy={e * 0.3:.1f}', flush=True)\n"
        (self.folder / "train.py").write_text(lines)
        answer = self.suite("quality", "--target", "accuracy=0.6", "--price-per-hour", "3600", "--", sys.executable, "train.py")
        row = self.table(answer, "targets")[0]
        self.assertEqual((row["reached"], row["epochs"], row["source"]), (True, 2, "train.py"))
        self.assertTrue(0.6 <= row["time_s"] < 60, row)
        self.assertAlmostEqual(row["cost"], row["time_s"])
        self.assertEqual(len(self.table(answer, "curve")), 3)

    def test_interrupted_training_gives_what_was_told_until_then(self):
        # Ends well only when the signal itself reaches it; what it says after that counts, too.
        lines = ("import signal, sys, time\n"
                 "def stop(number, frame):\n  print('epoch=2 accuracy=0.6', flush=True)\n  open('signalled', 'w').write(str(number))\n  sys.exit(3)\n"
                 "signal.signal(signal.SIGINT, stop); signal.signal(signal.SIGTERM, stop)\n"
                 "print('epoch=1 accuracy=0.3', flush=True)\nopen('ready', 'w').close()\ntime.sleep(100)\n")
        (self.folder / "train.py").write_text(lines)
        for sent in (signal.SIGINT, signal.SIGTERM):
            (self.folder / "ready").unlink(missing_ok=True)
            command = [str(XSP), "suite", "quality", "--target", "accuracy=0.9", "--format", "json", "--", sys.executable, "train.py"]
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env=self.environment, cwd=self.folder) as process:
                self.wait_for(self.folder / "ready")
                process.send_signal(sent)
                out, err = process.communicate(timeout=900)
            self.assertEqual(process.returncode, INTERRUPTED, err)
            answer = json.loads(out)
            self.assertEqual([row["quality"] for row in self.table(answer, "curve")], [0.3, 0.6])
            self.assertTrue(any("interrupted" in line for line in answer["sentences"]), answer["sentences"])
            self.assertEqual((self.folder / "signalled").read_text(), str(int(sent)))

    def test_training_that_is_interrupted_before_it_told_anything_is_an_error(self):
        (self.folder / "train.py").write_text("import time\nopen('ready', 'w').close()\ntime.sleep(100)\n")
        command = [str(XSP), "suite", "quality", "--target", "accuracy=0.9", "--", sys.executable, "train.py"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=self.environment, cwd=self.folder) as process:
            self.wait_for(self.folder / "ready")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=900)
        self.assertEqual((process.returncode, out), (INTERRUPTED, ""), err)
        self.assertIn("interrupted before the program reported any accuracy", err)

    def test_report_joins_what_the_commands_answer_into_a_page(self):
        self.xsp("monitor", "--name", "one", "--", "sleep", "0.3")
        answer = self.suite("report", "one")
        self.assertIn("topology", [part["answer"] for part in answer["parts"]])
        self.assertTrue(answer["sentences"])
        if not (ROOT / "web" / "dist" / "suite.html").exists():
            self.skipTest("the page is not built here (web/dist/suite.html)")
        self.xsp("suite", "report", "one", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertIn("The suite in short", page)
        self.assertIn("Interconnects of the machines", page)

    def test_program_that_marked_no_epoch_lacks_them(self):
        self.xsp("monitor", "--name", "one", "--", "sleep", "0.3")
        vector = self.table(self.suite("vectors", "one"), "vectors")[0]
        self.assertIn("epochs", vector)
        self.assertIsNone(vector["epochs"])

    def test_mark_is_silent_where_nothing_is_recorded(self):
        self.assertEqual(self.xsp("mark", "epoch=3", "accuracy=0.71"), ("", ""))
        self.xsp("mark", status=USAGE)

    def test_mark_lies_in_the_recording_of_the_program(self):
        if not (BUILD / "lib" / "libxsp-preload.so").exists():
            self.skipTest("the libraries of xsp record are not built here")
        if "libasan" in subprocess.run(["ldd", str(XSP)], capture_output=True, text=True, check=True).stdout:
            self.skipTest("a program under the address sanitizer takes no library before it, and here xsp itself is recorded")
        program = f"sleep 0.3; {XSP} mark epoch=1 accuracy=0.5; sleep 0.3; {XSP} mark epoch=2 accuracy=0.8"
        self.xsp("record", "--name", "marked", "--no-roofs", "--", "sh", "-c", program)
        answer = self.suite("quality", "marked", "--target", "accuracy=0.75")
        row = self.table(answer, "targets")[0]
        self.assertEqual((row["reached"], row["epochs"], row["measurements"]), (True, 2, 2))
        self.assertGreater(row["time_s"], 0.3)
        vector = self.table(self.suite("vectors", "marked"), "vectors")[0]
        self.assertEqual(vector["epochs"], 2)


@unittest.skipUnless(EXAMPLE.exists(), "the example worker is not built here")
class SensitivityTurnsTest(SuiteCase):
    """With the toy framework of workers/example: two workers that do the same, one of which may fail."""

    def setUp(self):
        super().setUp()
        workers = self.folder / "workers"
        workers.mkdir()
        (self.folder / "m.toy").write_text((ROOT / "workers" / "example" / "sample.toy").read_text())
        # Each start is noted: which backend, in which order.
        for name in ("example", "twin"):
            worker = workers / f"xsp-worker-{name}"
            worker.write_text(f'#!/bin/sh\n[ "$1" = describe ] || echo {name} >> {self.folder}/starts\n'
                              f'exec {EXAMPLE} "$@"\n')
            worker.chmod(0o755)
        self.environment["XSP_WORKER_PATH"] = str(workers)
        self.arguments = ["sensitivity", "m.toy", "--backend", "example,twin", "--over", "graph", "--iterations", "10"]

    def experiments(self):
        return {path.name for path in (self.folder / "store").iterdir() if not path.name.startswith(".")}

    def test_variants_take_turns_in_every_round(self):
        answer = self.suite(*self.arguments, "--rounds", "3", "--seed", "5")
        rows = {row["variant"]: row for row in self.table(answer, "variants")}
        self.assertEqual(list(rows), ["example", "example graph=eager", "twin", "twin graph=eager"])
        first = "sensitivity-m-b1-example"
        self.assertTrue({first, first + "-r2", first + "-r3"} <= self.experiments(), self.experiments())
        for row in rows.values():
            self.assertEqual(row["rounds"], 3)
            self.assertLessEqual(row["speedup_low"], row["speedup"])
            self.assertLessEqual(row["speedup"], row["speedup_high"])
            self.assertAlmostEqual(row["cosine_similarity"], 1)
            self.assertEqual(row["layers"], rows["example"]["layers"])
        self.assertGreater(rows["example"]["layers"], 0)
        # Later rounds start one worker each: were variants measured one after another, a backend's would be together.
        starts = (self.folder / "starts").read_text().split()[-8:]
        self.assertEqual(sorted(starts[:4]), ["example", "example", "twin", "twin"])
        self.assertEqual(sorted(starts[4:]), ["example", "example", "twin", "twin"])
        self.assertNotEqual(starts, ["example", "example", "twin", "twin"] * 2)
        self.assertTrue(any("3 rounds of 10 model calls" in line for line in answer["method"]), answer["method"])
        again = self.suite(*self.arguments, "--rounds", "3")
        self.assertTrue(any("4 of 4 variants were in the store" in line for line in again["method"]), again["method"])

    def test_more_rounds_measure_only_what_is_missing(self):
        self.suite(*self.arguments, "--rounds", "1")
        before = (self.folder / "starts").read_text().split()
        answer = self.suite(*self.arguments, "--rounds", "2")
        after = (self.folder / "starts").read_text().split()
        self.assertEqual(len(after) - len(before), 4)
        self.assertEqual({row["rounds"] for row in self.table(answer, "variants")}, {2})

    def test_round_that_fails_is_left_out_and_named(self):
        self.suite(*self.arguments, "--rounds", "1")
        (self.folder / "workers" / "xsp-worker-twin").write_text(
            f'#!/bin/sh\n[ "$1" = describe ] && exec {EXAMPLE} "$@"\necho out of luck >&2; exit 3\n')
        answer = self.suite(*self.arguments, "--rounds", "2")
        rows = {row["variant"]: row for row in self.table(answer, "variants")}
        self.assertEqual((rows["example graph=eager"]["rounds"], rows["twin"]["rounds"]), (2, 1))
        self.assertTrue(any("excluded: " in line and "twin (round 2: nothing was measured" in line for line in answer["method"]), answer["method"])


class SensitivityTest(SuiteCase):
    """With a framework."""

    @unittest.skipUnless((BUILD / "bin" / "xsp-worker-onnxruntime").exists(), "the worker of ONNX Runtime is not built here")
    def test_levels_of_onnx_runtime_agree_and_are_resumed(self):
        arguments = ["sensitivity", "tiny", "--backend", "onnxruntime", "--over", "graph,precision", "--iterations", "10", "--rounds", "2"]
        answer = self.suite(*arguments)
        rows = {row["variant"]: row for row in self.table(answer, "variants")}
        self.assertEqual(set(rows), {"onnxruntime"} | {f"onnxruntime graph={level}" for level in ("disabled", "basic", "extended", "all")})
        for row in rows.values():
            self.assertGreater(row["cosine_similarity"], 0.999, row)
            self.assertLessEqual(row["speedup_low"], row["speedup"])
        self.assertEqual(rows["onnxruntime"]["speedup"], 1)
        self.assertGreater(rows["onnxruntime graph=disabled"]["layers"], rows["onnxruntime graph=all"]["layers"])
        why = {row["variant"]: row["why"] for row in self.table(answer, "impossible")}
        self.assertIn("default", why["onnxruntime precision=float16"])
        again = self.suite(*arguments)
        self.assertTrue(any("5 of 5 variants were in the store" in line for line in again["method"]), again["method"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
