#!/usr/bin/env python3
"""Models of the zoo beside the limits of this machine: no layer is faster than its bound, and none has a best known time
above its own. XSP_ZOO=all takes every backend and more models.

Needs workers (XSP_WORKER_PATH, or those of the build) and skips backends that are not installed.
"""
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
ALL = os.environ.get("XSP_ZOO") == "all"
MODELS = ["tiny", "mobilenet_v1"] + (["resnet18", "resnet50", "resnet50_int8", "densenet121", "alexnet", "bert_base",
                                      "deepbench_rnn_lstm_512_1_25", "efficientnet_b0", "dlrm"] if ALL else [])
BACKENDS = ["torch", "onnxruntime"] + (["openvino", "opencv", "tensorflow", "mxnet"] if ALL else [])


class IdealLatencyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.environment = {**os.environ, "XSP_STORE": cls.temporary.name, "XSP_WORKER_PATH": WORKERS}
        cls.names = []
        for model in MODELS:
            for backend in BACKENDS:
                done = cls.xsp("run", model, "--backend", backend, "--threads", "1", "--depth", "kernel", "--time-limit", "2",
                               "--warmup-limit", "2", "--processes", "1", "--name", f"{model}-{backend}")
                if done.returncode == 0:
                    cls.names.append(f"{model}-{backend}")
                elif done.returncode != 4:
                    raise AssertionError(f"{model} {backend}: status {done.returncode}\n{done.stderr[-3000:]}")
        if not cls.names:
            raise unittest.SkipTest("no backend is installed")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def xsp(cls, *arguments):
        return subprocess.run([str(XSP), *arguments], env=cls.environment, capture_output=True, text=True)

    def ideal(self, name):
        done = self.xsp("ideal", name, "--with-disturbed", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_no_layer_is_faster_than_its_bound(self):
        layers = 0
        for name in self.names:
            point = self.ideal(name)["points"][0]
            layers += sum(layer["bound_ns"] is not None for layer in point["layers"])
            self.assertEqual([layer for layer in point["layers"] if layer["exceeded"]], [], name)
            self.assertLessEqual(point["busiest"]["bound_ns"], point["latency_ns"], name)
            self.assertGreater(point["bounded_ns"], 0.9 * point["measured_ns"], name)
        self.assertGreater(layers, 5 * len(self.names))

    def test_the_best_known_time_is_never_above_the_layers_own(self):
        for name in self.names:
            document = self.ideal(name)
            self.assertEqual(document["experiments"]["same_machine"], len(self.names) - 1)
            point = document["points"][0]
            for layer in point["layers"]:
                self.assertLessEqual(layer["best_known_ns"], layer["measured_ns"], f"{name} {layer['name']}")
                self.assertEqual(layer["best_known"] is None, layer["best_known_ns"] == layer["measured_ns"])
            self.assertAlmostEqual(point["best_known_ns"], sum(layer["best_known_ns"] for layer in point["layers"]), 0)

    def test_alternatives_are_measured_once_and_then_taken(self):
        """Needs xsp-onednn-alternatives beside xsp (tools/setup --onednn && tools/build)."""
        name = next((name for name in self.names if name.endswith("-torch")), None)
        if name is None:
            self.skipTest("PyTorch is not installed")
        with tempfile.TemporaryDirectory() as cache:
            environment = {**self.environment, "XSP_CACHE": cache}

            def point(*arguments):
                done = subprocess.run([str(XSP), "ideal", name, "--format", "json", *arguments], env=environment,
                                      capture_output=True, text=True)
                if done.returncode == 4 and "xsp-onednn-alternatives is not there" in done.stderr:
                    self.skipTest("xsp-onednn-alternatives is not built")
                self.assertEqual(done.returncode, 0, done.stderr)
                return json.loads(done.stdout)["points"][0]

            before = point()
            measured = point("--alternatives", "--time-limit", "10")
            after = point()
        self.assertEqual(before["alternatives"]["known"], 0)
        self.assertGreater(measured["alternatives"]["measured_now"], 0)
        self.assertEqual(after["alternatives"]["known"], measured["alternatives"]["known"])
        self.assertEqual(after["alternatives"]["measured_now"], 0)
        self.assertEqual(after["layers"], measured["layers"])
        self.assertLessEqual(after["best_known_ns"], before["best_known_ns"])
        for primitive in after["primitives"]:
            for one in primitive["alternatives"] or []:
                self.assertLessEqual(one["best_ns"], one["median_ns"])
                self.assertGreater(one["repeats"], 0)

    def test_a_layer_is_recognised_in_another_backend(self):
        found = {layer["best_known"]["experiment"] for name in self.names for layer in self.ideal(name)["points"][0]["layers"]
                 if layer["best_known"]}
        others = {name: name.rsplit("-", 1)[0] for name in self.names}
        if len(set(others.values())) < len(others):  # A model with several backends.
            self.assertTrue(found)


if __name__ == "__main__":
    if not XSP.exists():
        print("skipped: xsp is not built")
        sys.exit(77)
    unittest.main()
