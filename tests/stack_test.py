"""The captured stack as a user meets it: what `xsp system` shows, and what differs between two captures.
Needs no real framework."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
WORKERS = os.environ.get("XSP_WORKER_PATH") or str(ROOT / "build" / "release" / "bin")
BAD_INPUT, USAGE = 3, 2
TOY = "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n"


class StackTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def xsp(self, *arguments, status=0, **variables):
        # Settings of whoever runs the test are none of the test's.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KMP_", "TORCH_"))}
        environment = {**inherited, "XSP_STORE": str(self.folder / "store"), "XSP_WORKER_PATH": WORKERS,
                       "XSP_CACHE": os.environ.get("XSP_TEST_CACHE", str(BUILD / "test-cache")), **variables}
        done = subprocess.run([str(XSP), *map(str, arguments)], capture_output=True, text=True, env=environment,
                              cwd=self.folder, timeout=900, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}\nstdout: {done.stdout[-2000:]}\nstderr: {done.stderr[-2000:]}")
        return done.stdout, done.stderr

    def capture(self, name, **variables):
        """A file with this machine's stack, as a user keeps one."""
        path = self.folder / name
        path.write_text(self.xsp("system", "--no-roofs", "--format", "json", **variables)[0])
        return path

    def run_toy(self, name, *more, **variables):
        model = self.folder / "toy.toy"
        model.write_text(TOY)
        self.xsp("run", model, "--backend", "example", "--iterations", "5", "--only", "--depth", "model", "--name", name,
                 *more, **variables)

    def difference(self, *captures, **variables):
        return json.loads(self.xsp("system", "--diff", *captures, "--format", "json", **variables)[0])

    def keys(self, document):
        return [row["key"] for row in document["differences"]]

    def test_every_part_of_the_stack_is_there_with_reasons(self):
        stack = json.loads(self.capture("stack.json").read_text())["stack"]
        for part in ("cpu", "memory", "interconnect", "gpu", "container", "environment", "system"):
            self.assertIn(part, stack)
        self.assertTrue(all(stack["hidden"].values()))
        self.assertIn("active_links", stack["interconnect"]["nvlink"])

    def test_a_setting_that_was_changed_is_all_that_differs(self):
        before = self.capture("before.json", OMP_NUM_THREADS="1", KMP_BLOCKTIME="0", TORCH_API_KEY="hush")
        after = self.capture("after.json", OMP_NUM_THREADS="2", TORCH_API_KEY="other")
        document = self.difference(before, after)
        rows = {row["key"]: (row["a"], row["b"]) for row in document["differences"]}
        counts = rows.pop("environment.settings")
        self.assertEqual(int(counts[0]) - int(counts[1]), 1)
        self.assertEqual(rows, {"environment.KMP_BLOCKTIME": ("0", None), "environment.OMP_NUM_THREADS": ("1", "2")})
        self.assertGreater(document["same"], 20)
        self.assertNotIn("hush", before.read_text())
        text, _ = self.xsp("system", "--diff", before, after)
        self.assertRegex(text, r"(?m)^environment.OMP_NUM_THREADS +1 +2$")
        self.assertIn("3 facts differ", text)
        row = next(csv.DictReader(io.StringIO(self.xsp("system", "--diff", before, after, "--format", "csv")[0])))
        self.assertEqual((row["key"], row["a"]), ("environment.KMP_BLOCKTIME", "0"))

    def test_what_changes_by_itself_comes_only_when_asked_for(self):
        before = self.capture("before.json")
        document = json.loads(before.read_text())
        document["stack"]["system"]["uptime_s"] = "1"
        document["stack"]["cpu"]["microcode"] = "0xabc"
        before.write_text(json.dumps(document))
        self.assertEqual(self.keys(self.difference(before)), ["cpu.microcode"])
        everything = self.keys(self.difference(before, "--all"))
        self.assertIn("system.uptime_s", everything)
        self.assertIn("cpu.microcode", everything)

    def test_experiments_and_runs_are_captures_too(self):
        self.run_toy("first", OMP_NUM_THREADS="1")
        self.run_toy("second", OMP_NUM_THREADS="2")
        document = self.difference("first", "second")
        self.assertEqual(self.keys(document), ["environment.OMP_NUM_THREADS"])
        self.assertEqual((document["a"]["kind"], document["b"]["name"]), ("experiment", "second"))
        run = next(path for path in (self.folder / "store" / "second").iterdir() if path.is_dir())
        self.assertEqual(self.keys(self.difference("first", f"second/{run.name}")), ["environment.OMP_NUM_THREADS"])
        now = self.difference("latest", OMP_NUM_THREADS="2")
        self.assertEqual(self.keys(now), [])
        self.assertEqual(now["only_in_a"], ["backend.example"], "what the machine shows without a worker holds no framework")
        self.assertIn("Not compared: backend.example", self.xsp("system", "--diff", "latest")[0])

    def test_another_version_of_a_framework_is_seen(self):
        self.run_toy("first")
        run = next(path for path in (self.folder / "store" / "first").iterdir() if path.is_dir()) / "run.json"
        document = json.loads(run.read_text())
        document["facts"]["framework.version"] = "0.9"
        older = self.folder / "older.json"
        older.write_text(json.dumps(document))
        self.assertEqual(self.keys(self.difference(older, "first")), ["backend.example.framework.version"])

    def test_errors_say_what_is_wrong(self):
        sample = ROOT / "src/ingest/importers/span_list/sample/two_layers.csv"
        self.xsp("import", sample, "--name", "imported")
        self.assertIn("no stack is stored", self.xsp("system", "--diff", "imported", status=BAD_INPUT)[1])
        self.assertIn("no such run", self.xsp("system", "--diff", "importet", status=BAD_INPUT)[1])
        self.assertIn("no such file", self.xsp("system", "--diff", "gone.json", status=BAD_INPUT)[1])
        noise = self.folder / "noise.json"
        noise.write_text("[]")
        self.assertIn("hint:", self.xsp("system", "--diff", noise, status=BAD_INPUT)[1])
        self.xsp("system", "--all", status=USAGE)
        self.xsp("system", "--diff", "a", "b", "c", status=USAGE)


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: {XSP} is not built")
        sys.exit(77)
    unittest.main()
