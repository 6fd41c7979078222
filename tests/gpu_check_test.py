#!/usr/bin/env python3
"""How tools/gpu_check judges recordings, with those of a made libcupti (no GPU is needed, none is measured): in a folder with blanks
in its name, with kernels, without any, and where CUPTI had trouble; how it runs its steps in parts, with a made nvidia-smi and xsp; and
that its model opens a layer around all that it computes, in a Python with torch: the one named by XSP_PYTHON, else
.deps/python/bin/python (left out without one)."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
PROGRAM, LIBRARY = BUILD / "bin" / "xsp_cuda_program", BUILD / "lib" / "libxsp-cuda.so"
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import gpu_check_results  # noqa: E402  Found by the line above.

CUPTI, DRIVER = BUILD / "lib" / "libxsp_fake_cupti.so", BUILD / "fake_driver" / "libcuda.so.1"


@unittest.skipUnless(PROGRAM.exists(), "libxsp-cuda.so or its tests are not built here")
class GpuCheckTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="two words ")
        self.addCleanup(temporary.cleanup)
        self.out = pathlib.Path(temporary.name) / "what came back"

    def record(self, name, how, mode=""):
        folder = self.out / "recordings" / name
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([PROGRAM, LIBRARY, CUPTI, how, DRIVER], check=True, timeout=900,
                       env={**os.environ, "XSP_CUPTI_LIBRARY": str(CUPTI), "XSP_RECORD_FOLDER": str(folder), "FAKE_CUPTI": mode})

    def read(self):
        done = subprocess.run([ROOT / "tools" / "gpu_check", "--read", self.out], capture_output=True, timeout=900,
                              env={**os.environ, "XSP_BUILD": str(BUILD)})
        steps = {step["step"]: step for step in json.loads((self.out / "results.json").read_text())}
        return done.returncode, steps, done.stderr.decode()

    def test_kernels_without_trouble_pass(self):
        self.record("graph", "graph")
        status, steps, said = self.read()
        self.assertEqual(status, 0, said)
        self.assertEqual(list(steps), ["import-graph"])
        self.assertEqual(steps["import-graph"]["result"]["kernels"], 20 * 200)
        self.assertEqual(steps["import-graph"]["result"]["tied_share"], 1)
        self.assertEqual(steps["import-graph"]["result"]["diagnostics"], {})

    def test_a_recording_without_kernels_fails(self):
        self.record("graph", "exit", "gpu_lost")
        status, steps, said = self.read()
        self.assertEqual(status, 5)
        self.assertEqual(steps["import-graph"]["status"], 1)
        self.assertIn("no kernels were recorded", said)

    def test_a_diagnostic_of_cupti_fails_although_there_are_kernels(self):
        self.record("eager", "exit")
        for mode in ("", "drops"):  # Two processes.
            self.record("graph", "exit", mode)
        status, steps, said = self.read()
        self.assertEqual(status, 5)
        self.assertEqual(steps["import-eager"]["status"], 0)
        self.assertGreater(steps["import-graph"]["result"]["kernels"], 0)
        self.assertIn("CUPTI had trouble: cuda_dropped_records", said)

    def test_a_diagnostic_of_what_is_normal_is_told_and_passes(self):
        for mode in ("", "gpu_lost"):
            self.record("eager", "exit", mode)
        status, steps, said = self.read()
        self.assertEqual(status, 0, said)
        self.assertIn("cuda_untimed", steps["import-eager"]["result"]["diagnostics"])
        self.assertIn("said, and no failure: cuda_untimed", said)

    def test_nothing_to_read_fails(self):
        self.out.mkdir(parents=True)
        self.assertEqual(self.read()[0], 5)


class PartsTest(unittest.TestCase):
    """Commands that write into one folder, each some of the steps."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="two words ")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.out = self.folder / "out"

    def make(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def run_check(self, *arguments):
        done = subprocess.run([ROOT / "tools" / "gpu_check", *arguments], capture_output=True, timeout=900,
                              env={**os.environ, "XSP_BUILD": str(self.folder / "build"),
                                   "PATH": f"{self.folder / 'path'}:{os.environ['PATH']}"})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def results(self):
        return {step["step"]: step for step in json.loads((self.out / "results.json").read_text())}

    def make_gpu(self):
        self.make(self.folder / "path" / "nvidia-smi", "case $1 in -L) echo 'GPU 0: made' ;; *) echo 'made, 1.2' ;; esac\n")

    def test_a_command_keeps_the_results_of_those_before_it(self):
        self.make_gpu()
        status, _, said = self.run_check("--steps", "facts", self.out)
        self.assertEqual(status, 0, said)
        self.assertEqual(self.results()["facts"]["result"], {"gpu": "made, 1.2"})
        (self.out / "recordings" / "graph").mkdir(parents=True)
        status, _, said = self.run_check("--read", self.out)
        self.assertEqual(status, 5, "xsp is not built there")
        self.assertEqual(list(self.results()), ["facts", "import-graph"])
        self.assertIn("1 of the 2 steps run so far passed", said)
        self.assertEqual(self.run_check("--steps", "fac*", self.out)[0], 0, "a step that failed before is not of this command")

    def test_a_step_past_its_limit_fails_by_name_and_the_next_is_named(self):
        self.make(self.folder / "build" / "bin" / "xsp", "exec sleep 60\n")
        for name in ("eager", "graph"):
            (self.out / "recordings" / name).mkdir(parents=True)
        status, _, said = self.run_check("--read", "--within", "5", self.out)
        self.assertEqual(status, 5)
        self.assertRegex(said, r"failed \(124 after \d of \d s\): import-eager")
        self.assertIn("left to another command: import-graph", said)
        self.assertIn("past its limit of", self.results()["import-eager"]["why"])
        self.assertIn("past its limit of", (self.out / "results.md").read_text())

    def test_a_step_that_fails_does_not_stop_the_next(self):
        self.make_gpu()
        self.make(self.folder / "path" / "g++", "echo 'no compiler' >&2; exit 3\n")
        status, _, said = self.run_check("--steps", "libraries,import-program", self.out)
        self.assertEqual(status, 5)
        self.assertIn("no compiler", said)
        self.assertEqual([step["status"] for step in self.results().values()], [3, 1])

    def test_what_a_step_needs_and_lacks_comes_first(self):
        self.make_gpu()
        self.make(self.folder / "path" / "g++", "exit 3\n")
        self.run_check("--steps", "record-program", self.out)
        self.assertEqual(list(self.results()), ["libraries", "program", "record-program"])

    def test_steps_are_listed_and_unknown_ones_refused(self):
        status, listed, _ = self.run_check("--list")
        self.assertEqual(status, 0)
        self.assertRegex(listed, r"(?m)^overhead-decode-64 \d+ s$")
        status, _, said = self.run_check("--steps", "record-eager,overhead-nothing", self.out)
        self.assertEqual(status, 2)
        self.assertIn("no such step: overhead-nothing", said)
        self.assertEqual(self.run_check("--within", "soon", self.out)[0], 2)
        self.assertEqual(self.run_check("--steps")[0], 2)


class JudgementTest(unittest.TestCase):
    WAY = {"way": "graph_node", "tied": True, "whole": False, "kernels": 10, "ns": 1000}

    def problems(self, *ways, diagnostics=(), step="graph"):
        return gpu_check_results.judge_import(list(ways), dict.fromkeys(diagnostics, 1), step)[1]

    def test_only_diagnostics_of_something_missing_fail(self):
        self.assertEqual(self.problems(self.WAY, diagnostics=["cuda_untimed", "cuda_placeless", "correlate_never_ended"]), [])
        for name in gpu_check_results.FAILURES:
            self.assertEqual(self.problems(self.WAY, diagnostics=[name, "cuda_untimed"]), ["CUPTI had trouble: " + name])

    def test_failures_are_diagnostics_that_there_are(self):
        sources = [*(ROOT / "src" / "capture" / "record" / "cuda").rglob("*.cc"),
                   ROOT / "src" / "ingest" / "importers" / "xsp_recording" / "diagnostics.h"]
        there = set(re.findall(r'"((?:cuda|xsp)_\w+)"', "".join(path.read_text() for path in sources)))
        self.assertEqual(gpu_check_results.FAILURES - there, set())
        self.assertEqual({name for name in there if name.startswith("cuda_no_")} - gpu_check_results.FAILURES, set())

    def test_kernel_time_outside_layers_fails_where_layers_were_recorded(self):
        outside = {**self.WAY, "tied": False, "ns": 11}
        self.assertIn("below 99 %", self.problems(self.WAY, outside)[0])
        self.assertEqual(self.problems(self.WAY, outside, step="program"), [])
        self.assertEqual(self.problems(self.WAY, {**outside, "ns": 10}), [])

    def test_replays_that_are_tied_as_a_whole_only_fail(self):
        whole = {**self.WAY, "way": "launch", "whole": True}
        self.assertIn("replay as a whole", self.problems(whole)[0])
        self.assertEqual(self.problems(self.WAY, {**whole, "ns": 30}), [])

    def test_no_kernels_fail(self):
        self.assertEqual(self.problems(diagnostics=["cuda_untimed"]), ["no kernels were recorded"])

    def test_a_worker_passes_with_its_kernels_in_layers(self):
        row = {"kernels": 2, "tied": 2, "ns": 100, "tied_ns": 100}
        judge = gpu_check_results.judge_worker
        self.assertEqual(judge(row, {"cuda_untimed": 1})[1], [])
        self.assertEqual(len(judge(row, {"cuda_end_too_slow": 1})[1]), 1)
        for worse in ({"tied_ns": 98}, {"tied_ns": None}, {"ns": None, "tied_ns": None, "kernels": 0}):
            self.assertEqual(len(judge({**row, **worse}, {})[1]), 1)


# Small, on the CPU: every operator must run while a layer is open, and what is opened last is closed first.
MODEL_PROBE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import torch
from torch.utils._python_dispatch import TorchDispatchMode
import gpu_check_model as check

class Library:
    def __init__(self):
        self.texts, self.open, self.last, self.seen = [], [], 0, []
    def xsp_intern(self, text, length):
        assert len(text) == length
        self.texts.append(text.decode())
        return len(self.texts) - 1
    def xsp_begin(self, level, kind, name):
        self.last += 1
        self.open.append((self.last, level, self.texts[kind], self.texts[name]))
        return self.last
    def xsp_end(self, span):
        assert self.open.pop()[0] == span

class Watch(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, arguments=(), more=None):
        library.seen.append([function.__name__.split(".")[0], library.open[-1][2] if library.open else None])
        return function(*arguments, **(more or {}))

check.WIDTH, check.HEADS, check.BLOCKS, check.CONTEXT = 16, 2, 2, 8
result = {}
for name, model, data in (("decode", check.Decoder(3), None), ("eager", check.make_model(), torch.randn(1, 3, 32, 32))):
    library = Library()
    spans = check.Spans(None)
    spans.watch(model)
    model.eval()
    assert not model._forward_hooks, "without a recording nothing is hooked"
    spans.library = library
    spans.watch(model)
    with torch.inference_mode(), Watch():
        model(model.last if data is None else data)
    result[name] = library.seen
    assert not library.open
with spans.span(check.LAYER, "replay", "decode"):
    assert library.open[-1][1:] == (check.LAYER, "replay", "decode")
assert not library.open
print(json.dumps(result))
"""


def python_with_torch():
    return python_modules.first_with((os.environ.get("XSP_PYTHON"), ROOT / ".deps" / "python" / "bin" / "python"), "torch")


class ModelTest(unittest.TestCase):
    def test_all_that_is_computed_lies_in_a_layer(self):
        python = python_with_torch()
        if not python:
            self.skipTest("no Python with torch")
        done = subprocess.run([python, "-B", "-c", MODEL_PROBE, ROOT / "tools"], capture_output=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        result = json.loads(done.stdout)
        for name in ("decode", "eager"):
            self.assertGreater(len(result[name]), 10)
            self.assertEqual([operator for operator, layer in result[name] if layer is None], [])
        self.assertIn(["index_copy_", "Block"], result["decode"])
        self.assertIn(["remainder_", "Decoder"], result["decode"])
        self.assertIn(["linear", "Linear"], result["decode"])


if __name__ == "__main__":
    unittest.main()
