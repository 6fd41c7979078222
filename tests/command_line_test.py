"""The program as a user meets it, with the toy framework of workers/example: every command, every
exit status, and what faults leave behind. Needs no real framework."""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
WORKERS = os.environ.get("XSP_WORKER_PATH") or str(BUILD / "test-workers")
BAD_INPUT, NOT_POSSIBLE, ENVIRONMENT, USAGE, REGRESSION, INTERRUPTED = 3, 4, 5, 2, 6, 130
TOY = "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n"


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.store = self.folder / "store"

    def model(self, text, name="toy.toy"):
        path = self.folder / name
        path.write_text(text)
        return path

    def start(self, *arguments, store=None, workers=WORKERS, **options):
        environment = {**os.environ, "XSP_STORE": str(store or self.store), "XSP_WORKER_PATH": str(workers),
                       "XSP_CACHE": os.environ.get("XSP_TEST_CACHE", str(BUILD / "test-cache"))}
        return subprocess.Popen([str(XSP), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env=environment, cwd=self.folder, **options)

    def xsp(self, *arguments, status=0, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, status, f"{arguments}\nstdout: {out[-2000:]}\nstderr: {err[-2000:]}")
        return out, err

    def run_toy(self, text=TOY, *more, status=0):
        iterations = [] if "--iterations" in more else ["--iterations", "30"]
        out, err = self.xsp("run", self.model(text), "--backend", "example", *iterations,
                            "--format", "json", *more, status=status)
        return (json.loads(out) if out else None), err

    def read_toy(self):
        """The document of a run of TOY whose experiment is the only one in the store: a copy of one that is measured
        once for all tests that only read."""
        cls = type(self)
        if not hasattr(cls, "measured"):
            folder = tempfile.TemporaryDirectory()
            cls.addClassCleanup(folder.cleanup)
            document, _ = self.run_toy()
            shutil.copytree(self.store, pathlib.Path(folder.name) / "store")
            cls.measured = pathlib.Path(folder.name) / "store", json.dumps(document).replace(str(self.store), "STORE")
            return document
        store, document = cls.measured
        shutil.copytree(store, self.store)
        return json.loads(document.replace("STORE", str(self.store)))

    def query(self, sql, *run):
        return json.loads(self.xsp("query", *run, sql, "--format", "json")[0])

    # The way that works ------------------------------------------------------------------------

    def test_a_model_file_is_described_as_a_manifest_that_runs(self):
        toy = self.model(TOY)
        out, _ = self.xsp("model", "describe", toy, "--backend", "example", "--input", "1x64:fill=ones")
        self.assertIn("shape: [batch, 64]", out)
        self.assertIn("fill: ones", out)
        manifest = self.model(out, "toy.yaml")
        self.xsp("model", "check", manifest)
        self.xsp("run", manifest, "--backend", "example", "--iterations", "2", "--batch", "3", "--depth", "model")
        _, err = self.xsp("run", toy, "--backend", "example", "--input", "nothing=1x64", status=BAD_INPUT)
        self.assertIn("the model has no input nothing", err)
        _, err = self.xsp("run", toy, "--backend", "example", "--input", "1xy", status=USAGE)
        self.assertIn("--input 1xy", err)

    def test_words_that_are_nearly_right_are_understood(self):
        _, err = self.xsp("rnu", "toy", status=USAGE)
        self.assertIn("Did you mean `xsp run`?", err)
        self.read_toy()
        self.assertEqual(self.xsp("analyze", "a6")[0], self.xsp("analyze", "A6")[0])
        _, err = self.xsp("analyze", "overhea", status=USAGE)
        self.assertIn("Did you mean overhead?", err)

    def test_experiments_are_renamed_tagged_selected_and_removed(self):
        for name in ("before", "before"):
            _, err = self.run_toy(TOY, "--name", name, "--depth", "model")
        self.assertIn("the name before is taken, or cannot be one: stored as before-2", err)
        self.xsp("rename", "before-2", "after")
        self.xsp("rename", "before", "after", status=BAD_INPUT)
        self.xsp("tag", "after", "git=a1b2", "purpose=try")
        self.xsp("tag", "after", "purpose=")
        names = lambda *more: [one["name"] for one in json.loads(self.xsp("list", "--format", "json", *more)[0])]
        self.assertEqual(sorted(names()), ["after", "before"])
        self.assertEqual(names("--tag", "git"), ["after"])
        self.assertEqual(names("--tag", "purpose"), [])
        self.xsp("remove", "before", "none", status=BAD_INPUT)
        self.assertEqual(sorted(names()), ["after", "before"])
        self.xsp("remove", "before")
        self.assertEqual(names(), ["after"])

    def test_a_pipe_gets_whole_tables_and_exact_numbers(self):
        document, _ = self.run_toy(TOY, "--depth", "layer")
        self.assertEqual([one["status"] for one in document["points"]], ["done"])
        self.assertIn("latency_low_ns", document["points"][0])
        self.assertGreater(len(document["findings"]), 0)
        exact = self.query("SELECT latency_ns FROM point")[0]["latency_ns"]
        printed = self.xsp("query", "SELECT latency_ns FROM point")[0].split()[-1]
        self.assertEqual(float(printed), exact)
        self.assertNotIn("too narrow", self.xsp("analyze", "overhead")[0])

    def test_run_keeps_what_it_measured(self):
        document, _ = self.run_toy(TOY, "--batch", "1,4")
        self.assertEqual(document["status"], "done")
        rungs = self.query("SELECT p.batch, r.rung, r.samples FROM run r JOIN point p USING (point_id) WHERE rung <> 'details'")
        self.assertIn({"batch": 4, "rung": "layer", "samples": 30}, rungs)
        for run in document["runs"]:
            self.assertTrue((pathlib.Path(run) / "span.parquet").exists())

    def test_every_layer_of_the_model_is_there_in_order(self):
        self.read_toy()
        types = [row["type"] for row in self.query("SELECT type FROM layer WHERE point_id = 1 ORDER BY layer_index")]
        self.assertEqual(types, ["dense", "relu", "dense", "softmax"])

    def test_layers_and_what_lies_between_them_make_up_the_call(self):
        document = self.read_toy()
        run = next(path for path in document["runs"] if path.endswith("layer"))
        rows = self.query("""
            WITH call AS (SELECT id, start_ns, duration_ns FROM span WHERE level = 'model'),
            inside AS (SELECT parent_id, sum(duration_ns) AS layers_ns FROM span WHERE level = 'layer' GROUP BY 1)
            SELECT count(*) AS calls, bool_and(layers_ns <= duration_ns) AS inside FROM call JOIN inside ON parent_id = id""", run)
        self.assertGreaterEqual(rows[0]["calls"], 30)
        self.assertTrue(rows[0]["inside"])

    def test_two_backends_are_measured_in_turns_and_stand_side_by_side(self):
        workers = self.folder / "workers"
        workers.mkdir()
        for name in ("example", "twin"):
            worker = workers / f"xsp-worker-{name}"
            worker.write_text(f'#!/bin/sh\nexec {WORKERS}/xsp-worker-example "$@"\n')
            worker.chmod(0o755)
        out, err = self.xsp("run", self.model(TOY), "--backend", "example,twin", "--batch", "1,2", "--iterations", "10", "--depth", "layer",
                            "--format", "json", workers=workers)
        self.assertEqual(json.loads(out)["status"], "done", err)
        layers = self.query("SELECT p.batch, count(*) AS layers FROM layer JOIN point p USING (point_id) "
                            "GROUP BY p.point_id, p.batch ORDER BY p.batch")
        self.assertEqual([row["batch"] for row in layers], [1, 1, 2, 2])
        self.assertEqual(len({row["layers"] for row in layers}), 1)
        run = json.loads((pathlib.Path(json.loads(out)["experiment"]) / "twin-b2-layer" / "run.json").read_text())
        self.assertIn("example-b2-layer", run["measured_with"])
        self.assertIn("status", self.xsp("show")[0])

    def test_two_models_alternate_and_are_compared(self):
        before, after = self.model(TOY, "before.toy"), self.model(TOY + "sleep 3000\n", "after.toy")
        out, _ = self.xsp("run", after, "--against", before, "--backend", "example", "--name", "new", "--processes", "3", "--iterations", "10",
                          "--depth", "layer", "--report", "--no-roofs")
        self.assertRegex(out, r"verdict: slower; ratio of latencies [\d.]+, 95 % interval [\d.]+ to [\d.]+\n")
        self.assertRegex(out, r"results[\w ]* \[1,10\]: largest difference 0, cosine 1.0000")
        self.assertRegex(out, rf"against +{self.store}/new-against\n")
        page = re.search(r"comparison +(/.*)\n", out)[1]
        self.assertIn("<html", pathlib.Path(page).read_text())
        compared = json.loads(self.xsp("compare", "new-against", "new", "--format", "json")[0])
        self.assertIsNone(compared["sessions"])
        self.assertEqual(compared["verdict"], "slower")
        self.assertIn("regression", self.xsp("compare", "new-against", "new", "--gate", "latency=3%", status=REGRESSION)[0])
        self.assertEqual(self.query("SELECT count(*) AS n FROM layer", "new")[0]["n"],
                         1 + self.query("SELECT count(*) AS n FROM layer", "new-against")[0]["n"])
        _, err = self.xsp("run", after, "--against", before, "--scenario", "offline", status=USAGE)
        self.assertIn("--scenario", err)

    def test_the_commands_that_read_agree(self):
        document = self.read_toy()
        name = pathlib.Path(document["experiment"]).name
        self.assertEqual([entry["name"] for entry in json.loads(self.xsp("list", "--format", "json")[0])], [name])
        shown = json.loads(self.xsp("show", name, "--format", "json")[0])
        self.assertEqual(shown["points"][0]["batch"], 1)
        analyses = json.loads(self.xsp("analyze", "all", "--format", "json")[0])
        ids = [a["analysis"] for a in analyses]
        self.assertEqual(ids[:15], [f"A{i}" for i in range(1, 16)])
        self.assertEqual(len(json.loads(self.xsp("analyze", "A2", name, "--format", "json")[0])["rows"]), 4)
        self.assertIn("latency", self.xsp("report", "--text")[0])

    def test_findings_come_with_their_evidence(self):
        document = self.read_toy()
        name = pathlib.Path(document["experiment"]).name
        answer = json.loads(self.xsp("findings", name, "--format", "json")[0])
        self.assertEqual(pathlib.Path(answer["run"]).name, name)
        # Any: on a busy machine some are withheld.
        found = answer["findings"][0]
        self.assertEqual(set(found), {"id", "title", "severity", "sentence", "gain_ns", "gain_share", "gain", "confidence",
                                      "evidence", "threshold", "refuted_by", "see"})
        evidence = found["evidence"]
        self.assertEqual({column["name"] for column in evidence["columns"]}, set(evidence["rows"][0]))
        self.assertEqual(json.loads(self.xsp("query", name, evidence["sql"], "--format", "json")[0]), evidence["rows"])
        _, err = self.xsp("analyze", "A2", name, "--batch", "7", status=USAGE)
        self.assertIn("no such batch size: 7", err)
        self.assertIn("idle_device", [abstention["id"] for abstention in answer["abstained"]])
        text = self.xsp("findings", name)[0]
        self.assertRegex(text, r"1\. ")
        self.assertRegex(text, r"Abstained\n(?s:.*)idle_device[^:]*:\s+There\s+is\s+no\s+work\s+of\s+a\s+device")
        self.assertIn("layers", self.xsp("report", "--text")[0])

    def test_a_finding_of_ones_own_joins_the_others(self):
        self.read_toy()
        rule = self.folder / "rules" / "own_rule"
        rule.mkdir(parents=True)
        (rule / "finding.yaml").write_text(
            "title: Own\nneeds: [model]\nseverity: info\nrank: 1\nscope: point\n"
            "columns:\n  - {name: points, unit: count, help: Points}\nsentence: \"There are {{points}} points.\"\n"
            "see: batches\nrefuted_by: Counting\nconfidence: {value: 1, reason: Counted}\n")
        (rule / "README.md").write_text("Counts points.")
        (rule / "evidence.sql").write_text("SELECT count(*) AS points FROM point")
        self.assertIn("There are 1 points.", self.xsp("findings", "--findings", self.folder / "rules")[0])
        self.assertIn("There are 1 points.", self.xsp("--findings", self.folder / "rules", "report", "--text")[0])
        # A rule whose SQL fails abstains; one that cannot be read is an error.
        (rule / "evidence.sql").write_text("SELECT nothing AS points FROM point")
        self.assertIn("own_rule/evidence.sql", self.xsp("findings", "--findings", self.folder / "rules")[0])
        (rule / "finding.yaml").write_text("title: Own\n")
        self.assertIn("finding.yaml:1", self.xsp("findings", "--findings", self.folder / "rules", status=BAD_INPUT)[1])

    def test_a_missing_level_says_how_to_get_it(self):
        self.run_toy(TOY, "--depth", "model")
        result = json.loads(self.xsp("analyze", "A2", "--format", "json")[0])
        self.assertEqual(result["rows"], [])
        self.assertIn("--depth", result["missing"][0]["how"])

    def test_report_is_one_file_without_addresses_to_load(self):
        self.read_toy()
        page = self.folder / "page.html"
        self.xsp("report", "-o", page)
        text = page.read_text()
        self.assertLess(len(text), 3_000_000)
        self.assertNotRegex(text, r'<(script|link|img)[^>]+(src|href)="?https?:')

    def test_export_writes_the_experiment_tables(self):
        self.read_toy()
        self.xsp("export", "--format", "json", "-o", self.folder / "tables")
        self.assertEqual(len(json.loads((self.folder / "tables" / "layer.json").read_text())), 4)

    def test_every_command_has_help_with_an_example(self):
        commands = [line.split()[0] for line in self.xsp("--help")[0].splitlines()
                    if line.startswith("  ") and line.split() and not line.strip().startswith("-")]
        commands = [c for c in commands if c in {"run", "import", "list", "show", "analyze", "report", "query", "export", "system", "doctor"}]
        self.assertEqual(len(commands), 10)
        for command in commands:
            self.assertIn(f"Example: xsp {command}", self.xsp(command, "--help")[0])

    def test_doctor_names_what_is_found(self):
        parts = json.loads(self.xsp("doctor", "--format", "json")[0])
        example = next(p for p in parts if p["part"] == "worker example")
        self.assertTrue(example["found"])
        self.assertEqual(example["describe"]["devices"], ["cpu"])
        self.assertEqual(example["describe"]["models"][0]["extensions"], [".toy"])

    def worker_that_says(self, name, description, status=0):
        workers = self.folder / "workers"
        workers.mkdir(exist_ok=True)
        program = workers / f"xsp-worker-{name}"
        program.write_text(f"#!/bin/sh\necho 'no library of {name}' >&2\necho '{json.dumps(description)}'\nexit {status}\n")
        program.chmod(0o755)
        return workers

    def test_doctor_tells_what_a_worker_can_do(self):
        workers = self.worker_that_says("board", {
            "worker": "board", "protocol": 1, "framework": {"name": "Board", "version": "3.1"},
            "devices": ["cpu", "vitisai", "npu.1"], "graphs": ["static"], "precisions": ["default", "int8"], "rungs": ["model"],
            "models": [{"format": "onnx", "extensions": [".onnx"], "levels": ["model"], "note": "opset 17"}],
            "options": [{"name": "clock", "values": ["low", "high"], "default": "low", "meaning": "of the board"}]})
        self.assertRegex(self.xsp("doctor", workers=workers)[0], r"(?m)^  board +cpu, vitisai, npu\.1$")
        self.assertEqual(self.xsp("doctor", "board", workers=workers)[0], f"""\
worker board: Board 3.1, {workers}/xsp-worker-board
  devices     cpu, vitisai, npu.1
  model       onnx (.onnx), levels model: opset 17
  graphs      static
  precisions  default, int8
  rungs       model
  option      clock (low, high; unless given: low): of the board
""")
        self.assertIn("\nworker example: Toy 1.0", "\n" + self.xsp("doctor", "all", workers=f"{workers}:{WORKERS}")[0])
        row = next(csv.DictReader(io.StringIO(self.xsp("doctor", "board", "--format", "csv", workers=workers)[0])))
        self.assertEqual((row["part"], row["devices"], row["options"]),
                         ("worker board", "cpu, vitisai, npu.1", "clock (low, high; unless given: low): of the board"))
        self.assertIn("no worker for backend nonesuch", self.xsp("doctor", "nonesuch", status=NOT_POSSIBLE)[1])

    def test_doctor_takes_workers_that_say_little_or_nonsense(self):
        self.worker_that_says("bare", {"worker": "bare", "protocol": 1})
        self.worker_that_says("odd", {"worker": "odd", "protocol": 1, "framework": [], "devices": "cpu", "models": [3], "options": {"a": 1}})
        self.worker_that_says("old", {"worker": "old", "protocol": 0})
        workers = self.worker_that_says("dead", {}, status=1)
        for form in ("table", "csv", "json"):
            out, _ = self.xsp("doctor", "--format", form, workers=workers)
        parts = {part["part"]: part for part in json.loads(out)}
        self.assertEqual([parts[f"worker {name}"]["found"] for name in ("bare", "odd", "old", "dead")], [True, True, False, False])
        self.assertEqual(parts["worker odd"]["describe"]["devices"], "cpu")
        self.assertIn("not of protocol 1", parts["worker old"]["where_or_how"])
        self.assertIn("no library of dead", parts["worker dead"]["where_or_how"])
        self.assertEqual(self.xsp("doctor", "odd", workers=workers)[0], f"worker odd: odd, {workers}/xsp-worker-odd\n")

    def test_import_of_a_recording_gives_the_same_layers(self):
        sample = ROOT / "src/ingest/importers/span_list/sample/two_layers.csv"
        document = json.loads(self.xsp("import", sample, "--format", "json")[0])
        self.assertEqual(document["spans"]["layer"], 2)
        self.assertEqual(document["diagnostics"], [])
        self.assertEqual([r["type"] for r in self.query("SELECT type FROM layer ORDER BY layer_index")], ["conv2d", "relu"])

    def test_series_alone_have_notes_and_no_losses(self):
        sample = ROOT / "src/ingest/importers/nvidia_smi_dmon/sample/two_gpus.log"
        self.xsp("import", sample)
        text = self.xsp("show")[0]
        self.assertRegex(text, r"losses\s+0\s+records\s+\(green\)")
        self.assertIn("nvidia_smi_dmon_local_time", text)
        self.assertNotIn("Spans", text)
        self.assertNotIn("\n\n\n", text)
        cut = self.folder / "cut.log"
        cut.write_bytes(sample.read_bytes()[:-20])
        self.xsp("import", cut)
        self.assertRegex(self.xsp("show")[0], r"losses\s+1\s+record\s+\(amber\)")

    # Wrong usage and bad input -------------------------------------------------------------------

    def test_wrong_usage(self):
        self.xsp("run", status=USAGE)
        self.xsp("nonsense", status=USAGE)
        self.xsp("run", self.model(TOY), "--batch", "0", status=USAGE)
        self.read_toy()
        self.xsp("analyze", "A99", status=USAGE)

    def test_bad_models(self):
        for name, text, word in (("empty.toy", "", "empty"), ("noise.toy", "\x01\x02 nonsense", "")):
            _, err = self.xsp("run", self.model(text, name), "--backend", "example", status=BAD_INPUT)
            self.assertIn("error:", err)
            self.assertIn(word, err)
        self.assertIn("no such", self.xsp("run", self.folder / "none.toy", status=BAD_INPUT)[1])
        self.assertIn("directory", self.xsp("run", self.folder, "--backend", "example", status=BAD_INPUT)[1])
        self.assertEqual(list(self.store.glob("*")), [])

    def test_an_unknown_run_names_what_there_is(self):
        document = self.read_toy()
        name = pathlib.Path(document["experiment"]).name
        _, err = self.xsp("show", name[:-1] + "x", status=BAD_INPUT)
        self.assertIn(name, err)
        _, err = self.xsp("query", "SELECT 1 AS one", name, status=BAD_INPUT)
        self.assertIn("The run comes before the SQL", err)

    def test_sql_can_only_read(self):
        self.read_toy()
        for sql in ("COPY layer TO '/tmp/xsp-leak.csv'", "SELECT * FROM read_text('/etc/passwd')", "ATTACH '/tmp/x.db'",
                    "SELEC 1"):
            self.xsp("query", sql, status=BAD_INPUT)

    def test_an_unknown_file_names_the_formats(self):
        _, err = self.xsp("import", self.model("nonsense", "x.bin"), status=BAD_INPUT)
        self.assertIn("xsp_recording", err)

    def test_a_missing_framework_says_what_installs_it(self):
        _, err = self.xsp("run", self.model(TOY), "--backend", "nonesuch", status=NOT_POSSIBLE)
        self.assertIn("hint:", err)

    # Faults ----------------------------------------------------------------------------------------

    def test_a_crash_costs_its_run_and_says_so(self):
        # Calls of a shallow rung are counted in one process: the 5th one of each dies.
        _, err = self.xsp("run", self.model(TOY + "crash 5\n"), "--backend", "example", status=ENVIRONMENT)
        self.assertRegex(err, "signal|died|crash")

    def test_a_hang_ends_at_the_deadline(self):
        started = time.time()
        _, err = self.xsp("run", self.model(TOY + "hang 3\n"), "--backend", "example", "--deadline", "3", status=ENVIRONMENT)
        self.assertLess(time.time() - started, 120)
        self.assertRegex(err, "deadline|silen|answer")

    def test_other_points_are_still_measured(self):
        # Batch 1 fits into the worker's memory limit; the rows alone of the other batch do not.
        document, err = self.run_toy("input 4096\ndense 64\nrelu\n", "--batch", "1,60000", "--memory-limit", "0.3",
                                     status=ENVIRONMENT)
        if document is None:
            self.skipTest("no memory limit can be set here: " + err.strip())
        self.assertEqual(document["status"], "partial")
        points = {row["batch"]: row["status"] for row in self.query("SELECT batch, status FROM point")}
        self.assertEqual(points, {1: "done", 60000: "failed"})
        self.assertIn("memory", err)

    def test_a_store_that_cannot_be_written_is_said_before_measuring(self):
        started = time.time()
        _, err = self.xsp("run", self.model(TOY), "--backend", "example", store="/proc/store", status=ENVIRONMENT)
        self.assertIn("/proc/store", err)
        self.assertLess(time.time() - started, 20)

    def test_a_full_disk_leaves_earlier_experiments_intact(self):
        mount = self.folder / "small"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", mount], capture_output=True).returncode != 0:
            self.skipTest("mounting a small tmpfs is not permitted here")
        self.addCleanup(lambda: subprocess.run(["umount", mount], check=False))
        sample = ROOT / "src/ingest/importers/span_list/sample/two_layers.csv"
        self.xsp("import", sample, "--name", "first", store=mount / "store")
        (mount / "filler").write_bytes(b"x" * (560 * 1024 - sum(f.stat().st_size for f in (mount / "store").rglob("*") if f.is_file()) - 64 * 1024))
        process = self.start("run", self.model(TOY), "--backend", "example", "--iterations", "300", store=mount / "store")
        _, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, ENVIRONMENT, err)
        names = [e["name"] for e in json.loads(self.xsp("list", "--format", "json", store=mount / "store")[0])]
        self.assertIn("first", names)

    def test_two_runs_at_once_in_one_store(self):
        model = self.model(TOY)
        both = [self.start("run", model, "--backend", "example", "--name", "same", "--iterations", "20", "--format", "json") for _ in range(2)]
        paths = set()
        for process in both:
            out, err = process.communicate(timeout=900)
            self.assertEqual(process.returncode, 0, err)
            paths.add(json.loads(out)["experiment"])
        self.assertEqual(len(paths), 2)

    def test_an_interrupt_keeps_what_was_measured(self):
        process = self.start_measuring("--format", "json")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        self.assertEqual(json.loads(out)["status"], "interrupted")
        self.assertGreater(self.query("SELECT count(*) AS n FROM sample")[0]["n"], 0)

    def test_a_second_interrupt_gives_up_at_once_and_leaves_nothing(self):
        process = self.start_measuring()
        # Both count; two of one number that wait at once would be one.
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=900)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual([p.name for p in self.store.glob(".*")], [])

    def start_measuring(self, *more):
        """A run of 2,000 calls of 20 ms a rung, of which every worker has ended at least one block."""
        events = self.folder / "events"
        worker = self.folder / "workers" / "xsp-worker-example"
        worker.parent.mkdir()
        # What a worker answers (docs/worker-protocol.md) is written down, too.
        worker.write_text(f'#!/bin/bash\n[ "$1" != predict ] && exec {WORKERS}/xsp-worker-example "$@"\n'
                          f'set -o pipefail\n{WORKERS}/xsp-worker-example "$@" | tee -a {events}\n')
        worker.chmod(0o755)
        process = self.start("run", self.model("input 64\ndense 64\nsleep 20000\n"), "--backend", "example", "--iterations", "2000",
                             *more, workers=worker.parent)

        def count(event):
            return events.read_text().count(f'"event":"{event}"') if events.exists() else 0

        while not 0 < count("ready") <= count("done"):
            self.assertIsNone(process.poll(), "ended before it was interrupted")
            time.sleep(0.02)
        return process


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: {XSP} is not built")
        sys.exit(77)
    unittest.main()
