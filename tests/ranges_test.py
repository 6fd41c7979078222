#!/usr/bin/env python3
"""Ranges that programs mark themselves (docs/ranges.md), from an unchanged program to the store: a C program with NVTX, and what PyTorch,
OpenVINO and TensorFlow tell through ITT. What is not installed is skipped by name."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
NVTX, ITT = BUILD / "lib" / "libxsp-nvtx.so", BUILD / "lib" / "libxsp-itt.so"
NVTX_PROGRAM = BUILD / "bin" / "nvtx_program"
DEPS = ROOT / ".deps"

TORCH = """
import torch
conv = torch.nn.Conv2d(16, 64, 3).eval()
x = torch.randn(8, 16, 64, 64)
conv(x)
with torch.no_grad(), torch.autograd.profiler.emit_itt():
    torch.profiler.itt.range_push("my step")
    conv(x).relu()
    torch.profiler.itt.range_pop()
    conv(x)
"""
OPENVINO = """
import numpy, openvino
from openvino import opset13 as op
x = op.parameter([1, 16, 32, 32], numpy.float32)
weights = op.constant(numpy.ones((32, 16, 3, 3), numpy.float32))
model = openvino.Model([op.relu(op.convolution(x, weights, [1, 1], [0, 0], [0, 0], [1, 1]))], [x])
request = openvino.Core().compile_model(model, "CPU").create_infer_request()
for _ in range(3):
    request.infer([numpy.zeros((1, 16, 32, 32), numpy.float32)])
"""
TENSORFLOW = """
import tensorflow as tf
f = tf.function(lambda x, w: tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME")))
f(tf.ones([8, 32, 32, 16]), tf.ones([3, 3, 16, 64]))
"""


class RangesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store")}

    def xsp(self, *arguments):
        done = subprocess.run([str(XSP), *map(str, arguments), "--format", "json"], env=self.environment, capture_output=True, text=True,
                              timeout=900)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return json.loads(done.stdout)

    def record(self, *command, **variables):
        """Runs a program with the injected libraries and imports what it left; what the import says."""
        records = self.folder / "records"
        records.mkdir()
        environment = {**self.environment, "XSP_RECORD_FOLDER": str(records), "NVTX_INJECTION64_PATH": str(NVTX),
                       "INTEL_LIBITTNOTIFY64": str(ITT), **variables}
        done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        imported = self.xsp("import", *sorted(records.glob("*.xspr*")))
        self.run_path = imported["run"]
        return imported

    def query(self, sql):
        return self.xsp("query", self.run_path, sql)

    def names(self, where):
        return [row["name"] for row in self.query(f"SELECT DISTINCT name FROM span WHERE {where} ORDER BY name")]

    def python(self, folder, module):
        python = DEPS / folder / "bin" / "python"
        if python_modules.missing(python, module):
            self.skipTest(f"{module} is not installed below .deps")
        return python

    def nvtx_program(self):
        if not NVTX_PROGRAM.exists() or not NVTX.exists():
            self.skipTest("no NVTX headers were there when this was built")
        return NVTX_PROGRAM

    def test_ranges_of_an_unchanged_c_program_are_in_the_store(self):
        imported = self.record(self.nvtx_program(), "details")
        self.assertEqual(imported["spans"]["application"], 2)
        self.assertEqual(imported["diagnostics"], [])
        rows = self.query("SELECT s.name, m.value FROM span s JOIN metric m ON m.span_id = s.id WHERE m.name = 'payload'")
        self.assertEqual(rows, [{"name": "load", "value": -5}])

    def test_ranges_that_overlap_have_a_track_and_no_false_alarm(self):
        imported = self.record(self.nvtx_program(), "loose")
        self.assertEqual(imported["diagnostics"], [])
        tracks = self.query("SELECT DISTINCT t.name, t.kind FROM span s JOIN track t ON t.id = s.track_id")
        self.assertEqual(tracks, [{"name": "ranges", "kind": "host"}])

    def test_what_does_not_fit_together_is_a_diagnostic_with_a_hint(self):
        imported = self.record(self.nvtx_program(), "faults")
        found = {diagnostic["name"]: diagnostic for diagnostic in imported["diagnostics"]}
        self.assertIn("range_pop_without_push", found)
        self.assertIn("Push and pop", found["range_pop_without_push"]["hint"])

    def test_pytorchs_operators_and_ranges_come_through_itt(self):
        self.record(self.python("python", "torch"), "-c", TORCH)
        rows = self.query("SELECT child.name FROM span child JOIN span parent ON parent.id = child.parent_id WHERE parent.name = 'my step'")
        self.assertIn("aten::conv2d", [row["name"] for row in rows])
        self.assertIn("convolution", self.names("level = 'library' AND type = 'onednn'"))

    def test_primitives_are_not_told_twice_where_the_capture_tells_them(self):
        self.record(self.python("python", "torch"), "-c", TORCH, XSP_RECORD_CPU_CAPTURE="1")
        told = self.query("SELECT count(*) AS n FROM attribute WHERE value = 'dnnl::primitive::execute'")
        self.assertEqual(told, [{"n": 0}])

    def test_recording_can_be_confined_to_a_range_of_pytorch(self):
        self.record(self.python("python", "torch"), "-c", TORCH, XSP_RECORD_RANGE="my step@PyTorch")
        rows = self.query("SELECT name FROM span WHERE parent_id IS NULL OR parent_id = 0")
        self.assertEqual({row["name"] for row in rows} - {"convolution", "reorder"}, {"my step"}, "nothing before, nothing after")

    def test_openvino_tells_its_nodes_through_itt(self):
        package = DEPS / "openvino"
        if not (package / "openvino").is_dir():
            self.skipTest("openvino is not installed below .deps")
        self.record(self.python("python", "numpy"), "-c", OPENVINO, PYTHONPATH=str(package))
        self.assertTrue(any("Convolution" in name for name in self.names("level = 'library' AND type = 'openvino'")))

    def test_tensorflow_tells_its_primitives_through_itt(self):
        self.record(self.python("tensorflow", "tensorflow"), "-c", TENSORFLOW, TF_ENABLE_ONEDNN_OPTS="1")
        self.assertIn("convolution", self.names("level = 'library' AND type = 'onednn'"))


if __name__ == "__main__":
    unittest.main()
