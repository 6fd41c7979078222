#!/usr/bin/env python3
"""`xsp sweep` from end to end with the toy framework of workers/example: plans, resuming after a kill and an interrupt, failures,
two at once, machines, and the file's schema."""
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
WORKERS = [pathlib.Path(folder) for folder in (os.environ.get("XSP_WORKER_PATH"), BUILD / "bin", BUILD / "test-workers") if folder]
EXAMPLE = next((folder / "xsp-worker-example" for folder in WORKERS if (folder / "xsp-worker-example").exists()), None)
USAGE, BAD_INPUT, NOT_POSSIBLE, ENVIRONMENT, INTERRUPTED = 2, 3, 4, 5, 130

# Little of each point, so that a sweep takes seconds.
QUICK = "settings: {iterations: 5, depth: model, no_roofs: true, monitor_rate: 0}\n"
FOUR = "models: [m.toy]\nbackends: [example]\nbatches: [1, 2, 3, 4]\n" + QUICK


@unittest.skipUnless(EXAMPLE, "the example worker is not built here")
class SweepTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.store = self.folder / "store"
        self.write("m.toy", (ROOT / "workers" / "example" / "sample.toy").read_text())
        workers = self.folder / "workers"
        workers.mkdir()
        # Each start that measures is noted.
        self.worker(f'[ "$1" = describe ] || echo start >> {self.folder}/starts\nexec {EXAMPLE} "$@"\n')
        self.environment = {**os.environ, "XSP_STORE": str(self.store), "XSP_CACHE": str(self.folder / "cache"), "XSP_WORKER_PATH": str(workers)}

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def worker(self, script, name="example"):
        file = self.folder / "workers" / f"xsp-worker-{name}"
        file.write_text("#!/bin/sh\n" + script)
        file.chmod(0o755)

    def xsp(self, *arguments, status=0):
        done = subprocess.run([str(XSP), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900,
                              env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout, done.stderr

    def sweep(self, *arguments, status=0):
        return json.loads(self.xsp("sweep", *arguments, "--format", "json", status=status)[0])

    def start(self, *arguments):
        return subprocess.Popen([str(XSP), "sweep", *arguments, "--format", "json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)

    def experiments(self):
        if not self.store.exists():
            return []
        return sorted(path.name for path in self.store.iterdir() if not path.name.startswith(".") and (path / "experiment.json").exists())

    def statuses(self, document):
        return [point["status"] for point in document["points"]]

    def starts(self):
        file = self.folder / "starts"
        return len(file.read_text().split()) if file.exists() else 0

    def hold_start(self, number):
        """Blocks the worker from this start on until `release`, or until the test has ended."""
        self.worker(f'cd {self.folder}\nif [ "$1" != describe ]; then\n  echo start >> starts\n'
                    f'  while [ "$(wc -l < starts)" -ge {number} ] && [ ! -e released ]; do sleep 0.02; done\nfi\n'
                    f'exec {EXAMPLE} "$@"\n')

    def release(self):
        self.write("released", "")

    def wait_until(self, holds, process=None):
        until = time.monotonic() + 900
        while not holds():
            self.assertLess(time.monotonic(), until, "it never came")
            if process is not None:
                self.assertIsNone(process.poll(), "the sweep ended too early")
            time.sleep(0.02)

    def test_plan_run_and_reuse(self):
        self.write("s.yaml", FOUR)
        plan = self.sweep("s.yaml", "--plan")
        self.assertEqual(self.statuses(plan), ["missing"] * 4)
        self.assertEqual((plan["seconds"], plan["seconds_unknown"]), (0, 4))  # A number of iterations has no limit of time.
        self.assertEqual((self.experiments(), self.starts()), ([], 0))
        done = self.sweep("s.yaml")
        self.assertEqual((done["sweep"], done["status"], self.statuses(done)), ("s", "done", ["measured"] * 4))
        self.assertEqual(self.experiments(), [f"s-m-example-b{batch}" for batch in (1, 2, 3, 4)])
        for point in done["points"]:
            # What the sweep answers is what the experiment says.
            rows = json.loads(self.xsp("query", point["experiment"], "SELECT * FROM point", "--format", "json")[0])
            self.assertEqual((rows[0]["batch"], rows[0]["latency_ns"]), (point["batch"], point["latency_ns"]))
            self.assertLessEqual(point["latency_low_ns"], point["latency_high_ns"])
            self.assertAlmostEqual(point["throughput"], point["batch"] * 1e9 / point["latency_ns"])
            self.assertGreater(point["seconds"], 0)
        before = self.starts()
        again = self.sweep("s.yaml")
        self.assertEqual((self.statuses(again), self.starts()), (["stored"] * 4, before))
        self.assertEqual([point["latency_ns"] for point in again["points"]], [point["latency_ns"] for point in done["points"]])
        self.write("s.yaml", FOUR.replace("3, 4", "8"))
        plan = self.sweep("s.yaml", "--plan")
        self.assertEqual([(point["status"], point["basis"]) for point in plan["points"]],
                         [("stored", "measured"), ("stored", "measured"), ("missing", "similar")])
        self.assertGreater(plan["seconds"], 0)

    def test_list_of_a_sweep_and_one_experiment_in_two_sweeps(self):
        self.write("a.yaml", FOUR.replace("2, 3, 4", "2"))
        self.write("b.yaml", "name: other\n" + FOUR.replace("1, 2, 3, 4", "2"))
        self.sweep("a.yaml")
        self.assertEqual(self.statuses(self.sweep("b.yaml")), ["stored"])
        names = lambda sweep: [row["name"] for row in json.loads(self.xsp("list", "--sweep", sweep, "--format", "json")[0])]
        self.assertEqual(names("a"), ["a-m-example-b1", "a-m-example-b2"])
        self.assertEqual(names("other"), ["a-m-example-b2"])
        self.assertEqual(names("none"), [])

    def test_what_xsp_run_measured_counts_and_again_measures(self):
        self.xsp("run", "m.toy", "--backend", "example", "--batch", "1,2", "--iterations", "5", "--depth", "model", "--no-roofs",
                 "--monitor-rate", "0", "--name", "by-hand")
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "2, 3"))
        self.assertEqual([(point["status"], point["experiment"]) for point in self.sweep("s.yaml", "--plan")["points"]],
                         [("stored", "by-hand"), ("missing", None)])
        self.assertEqual(self.statuses(self.sweep("s.yaml", "--again")), ["measured"] * 2)
        self.assertIn("by-hand", self.experiments())
        # Other bytes under the same name are another model.
        self.write("m.toy", "input 8 8\ndense 4\n")
        self.assertEqual(self.statuses(self.sweep("s.yaml", "--plan")), ["missing"] * 2)

    def test_killed_sweep_measures_only_what_is_missing(self):
        self.write("s.yaml", FOUR)
        self.hold_start(3)
        with self.start("s.yaml") as process:
            self.wait_until(lambda: self.starts() == 3, process)
            process.kill()
        self.assertEqual(len(self.experiments()), 2)
        self.release()
        done = self.sweep("s.yaml")
        self.assertEqual(self.statuses(done), ["stored", "stored", "measured", "measured"])
        self.assertEqual(self.experiments(), [f"s-m-example-b{batch}" for batch in (1, 2, 3, 4)])

    def test_interrupted_sweep_keeps_what_was_measured(self):
        self.write("s.yaml", FOUR)
        self.hold_start(2)
        with self.start("s.yaml") as process:
            self.wait_until(lambda: self.starts() == 2, process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        document = json.loads(out)
        self.assertEqual((document["status"], self.statuses(document)[0]), ("interrupted", "measured"))
        self.assertEqual(self.statuses(document)[2:], ["missing", "missing"])
        self.release()
        done = self.sweep("s.yaml")
        self.assertTrue(set(self.statuses(done)) <= {"stored", "measured"}, done)
        self.assertEqual(self.experiments(), [f"s-m-example-b{batch}" for batch in (1, 2, 3, 4)])

    def test_failed_point_costs_itself_only(self):
        self.write("bad.toy", "input 4 4\nno_such_layer 3\n")
        self.write("s.yaml", FOUR.replace("[m.toy]", "[bad.toy, m.toy]").replace("2, 3, 4", "2"))
        out, err = self.xsp("sweep", "s.yaml", "--format", "json", status=BAD_INPUT)
        document = json.loads(out)
        self.assertEqual((document["status"], self.statuses(document)), ("partial", ["failed", "failed", "measured", "measured"]))
        self.assertIn("line 2 of ", document["points"][0]["why"])
        self.assertIn("error: bad-example-b1: ", err)
        self.assertEqual(self.experiments(), ["s-m-example-b1", "s-m-example-b2"])
        self.write("bad.toy", (ROOT / "workers" / "example" / "sample.toy").read_text().replace("dense 10", "dense 12"))
        self.assertEqual(self.statuses(self.sweep("s.yaml")), ["measured", "measured", "stored", "stored"])

    def test_backend_that_cannot_do_it_fails_its_points(self):
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1") + "precisions: [default, float16]\n")
        plan = self.sweep("s.yaml", "--plan")
        self.assertEqual(self.statuses(plan), ["missing", "failed"])
        self.assertIn("precision float16", plan["points"][1]["why"])
        document = self.sweep("s.yaml", status=NOT_POSSIBLE)
        self.assertEqual(self.statuses(document), ["measured", "failed"])

    def test_point_that_cannot_be_claimed_fails_and_the_table_is_printed(self):
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1"))
        self.sweep("s.yaml")
        claims = self.store / ".sweep-claims"
        claims.rmdir()
        claims.write_text("no folder")
        self.write("s.yaml", FOUR.replace("3, 4", "3"))
        out, err = self.xsp("sweep", "s.yaml", "--format", "json", status=ENVIRONMENT)
        self.assertEqual(self.statuses(json.loads(out)), ["stored", "failed", "failed"])
        self.assertIn("cannot lock ", err)
        self.assertIn("--store", err)
        claims.unlink()
        lock = self.folder / "cache" / "measuring.lock"
        lock.unlink()
        lock.mkdir()
        err = self.xsp("sweep", "s.yaml", status=ENVIRONMENT)[1]
        self.assertIn("XSP_CACHE", err)
        self.assertNotIn("--store", err)

    def test_folder_whose_name_is_not_utf8(self):
        folder = pathlib.Path(os.fsdecode(os.fsencode(self.folder) + b"/caf\xe9"))
        folder.mkdir()
        (folder / "s.yaml").write_text(FOUR.replace("1, 2, 3, 4", "1"))
        (folder / "m.toy").write_text((self.folder / "m.toy").read_text())
        self.assertIn("not UTF-8", self.xsp("sweep", folder / "s.yaml", "--plan", status=USAGE)[1])
        (folder / "s.yaml").write_text(FOUR + "exclude: [{model: ./n.toy}]\n")
        self.assertIn("excludes no point", self.xsp("sweep", folder / "s.yaml", "--plan", status=BAD_INPUT)[1])

    def test_what_is_of_one_experiment_is_no_setting(self):
        for name in ("report", "keep_outputs", "plan", "otlp", "stream"):
            with self.subTest(name):
                self.write("s.yaml", FOUR.replace("depth: model", f"depth: model, {name}: x"))
                self.assertIn(f"unknown key: settings.{name}", self.xsp("sweep", "s.yaml", "--plan", status=BAD_INPUT)[1])

    def test_two_at_once_measure_each_point_once(self):
        self.write("s.yaml", FOUR)
        with self.start("s.yaml") as one, self.start("s.yaml") as two:
            answers = [json.loads(process.communicate(timeout=900)[0]) for process in (one, two)]
        self.assertEqual((one.returncode, two.returncode), (0, 0))
        self.assertEqual(self.experiments(), [f"s-m-example-b{batch}" for batch in (1, 2, 3, 4)])
        pairs = list(zip(*map(self.statuses, answers)))
        self.assertTrue(all(sorted(pair) == ["measured", "stored"] for pair in pairs), pairs)
        self.assertEqual(self.starts(), 4)
        self.assertEqual([point["latency_ns"] for point in answers[0]["points"]], [point["latency_ns"] for point in answers[1]["points"]])

    def test_nothing_runs_where_the_sweep_is_wrong(self):
        for text, status, message in (
                ("modles: [m.toy]\n", BAD_INPUT, "did you mean models?"),
                (FOUR + "scenario: offline\ndataset: x\n", BAD_INPUT, "not both"),
                (FOUR.replace("[example]", "[exampel]"), NOT_POSSIBLE, "exampel"),
                (FOUR.replace("[example]", "[all]"), BAD_INPUT, "one by one"),
                (FOUR.replace("m.toy", "m.toy, tinny"), BAD_INPUT, "tiny"),
                (FOUR.replace("m.toy", "m.toy, ./n.toy"), BAD_INPUT, "no such model file"),
                (FOUR.replace("iterations: 5", "iterations: -5"), USAGE, "point m-example-b1: "),
                (FOUR.replace("iterations: 5", "iterations: 5, precision_target: 5%"), USAGE, "precision"),
                (FOUR + "exclude: [{batch: 7}]\n", BAD_INPUT, "excludes no point")):
            with self.subTest(message):
                self.write("s.yaml", text)
                for arguments in (["--plan"], []):
                    self.assertIn(message, self.xsp("sweep", "s.yaml", *arguments, status=status)[1])
                self.assertEqual((self.experiments(), self.starts()), ([], 0))
        self.assertIn("none.yaml", self.xsp("sweep", "none.yaml", status=BAD_INPUT)[1])

    def test_points_of_other_machines_are_left(self):
        machine = os.uname().machine
        other = "aarch64" if machine != "aarch64" else "x86_64"
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1") +
                   f"machines:\n  - {{name: here, architecture: {machine}}}\n  - {{name: there, architecture: {other}}}\n")
        document = self.sweep("s.yaml")
        self.assertEqual([(point["machine"], point["status"]) for point in document["points"]], [("here", "measured"), ("there", "elsewhere")])
        self.assertIn(f"not {other}", document["points"][1]["why"])
        self.write("s.yaml", FOUR + f"machines:\n  - {{name: there, architecture: {other}}}\n")
        self.assertIn("this machine is none of the sweep", self.xsp("sweep", "s.yaml", status=NOT_POSSIBLE)[1])

    def test_settings_and_tables_for_people(self):
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1").replace("iterations: 5", "iterations: [5, 6]"))
        out, _ = self.xsp("sweep", "s.yaml", "--plan")
        self.assertIn("2 points: 2 missing", out)
        self.assertIn("the time of 2 more points is not known", out)
        out, _ = self.xsp("sweep", "s.yaml")
        self.assertIn("m-example-b1-iterations=6", out)
        self.assertIn("2 points: 2 measured", out)
        csv, _ = self.xsp("sweep", "s.yaml", "--format", "csv")
        self.assertEqual(csv.splitlines()[0], "name,status,latency_ns,latency_low_ns,latency_high_ns,throughput,experiment")
        self.assertEqual(len(csv.strip().splitlines()), 3)


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: {XSP} is not built")
        sys.exit(77)
    unittest.main(verbosity=2)
