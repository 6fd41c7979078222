#!/usr/bin/env python3
"""Runs a folder of pictures through a zoo model on every backend that is built, and compares the result with the same done
with Pillow, torchvision and PyTorch alone: the class of every picture, and the accuracy that follows from it.

Needs a Python with torch and torchvision: the one named by XSP_PYTHON, else .deps/python/bin/python; skipped without one.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import pipeline_probe
from pipeline_probe import ROOT, photograph

BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
MODEL = "resnet18"
PICTURES = [(320, 240), (240, 320), (256, 256), (500, 375), (227, 640), (300, 300), (640, 480)]

if __name__ == "__main__":
    if not XSP.exists() or not list((BUILD / "bin").glob("xsp-worker-*")):
        print("skipped: no worker is built (tools/setup && tools/build)")
        sys.exit(77)
    pipeline_probe.enter_python((os.environ.get("XSP_PYTHON"), ROOT / ".deps" / "python" / "bin" / "python"),
                                ("numpy", "torch", "torchvision", "PIL"), "no Python with torch and torchvision (tools/setup)")
    import numpy
    import torch
    import torchvision
    from PIL import Image


class DatasetTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.environment = {**os.environ, "XSP_STORE": str(cls.path / "store"), "XSP_WORKER_PATH": str(BUILD / "bin")}
        cls.expected = cls.predict_alone(cls.make_pictures())
        # Every second picture's label is what PyTorch says of it, the others' is another class.
        labels = [best if i % 2 == 0 else (best + 1) % 1000 for i, best in enumerate(cls.expected)]
        (cls.path / "list.txt").write_text("".join(f"{i}.jpg {label}\n" for i, label in enumerate(labels)))
        (cls.path / "broken.jpg").write_bytes((cls.path / "0.jpg").read_bytes()[:900])
        with open(cls.path / "list.txt", "a") as file:
            file.write("broken.jpg 1\nmissing.jpg 2\n")
        (cls.path / "data.yaml").write_text("kind: folder\npath: .\nlist: list.txt\n")
        cls.experiment = json.loads(cls.xsp("run", MODEL, "--backend", "all", "--batch", "3", "--dataset", str(cls.path / "data.yaml"),
                                            "--name", "test", "--precision", "default", "--format", "json"))

    @classmethod
    def xsp(cls, *arguments):
        done = subprocess.run([XSP, *arguments], env=cls.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @classmethod
    def query(cls, sql):
        return json.loads(cls.xsp("query", "test", sql, "--format", "json"))

    @classmethod
    def make_pictures(cls):
        paths = []
        for i, (width, height) in enumerate(PICTURES):
            paths.append(cls.path / f"{i}.jpg")
            Image.fromarray(photograph(numpy, width, height, i)).save(paths[-1], quality=90)
        return paths

    @classmethod
    def predict_alone(cls, paths):
        (made,) = json.loads(cls.xsp("zoo", "make", MODEL, "--format", "json"))
        model = torch.jit.load(made["path"])
        transform = torchvision.models.ResNet18_Weights.IMAGENET1K_V1.transforms(antialias=True)
        with torch.no_grad():
            return [int(model(transform(Image.open(path)).unsqueeze(0)).argmax()) for path in paths]

    def test_every_backend_went_through(self):
        rows = self.query("SELECT backend, samples, predicted, failed, left_out, first_failure FROM evaluation JOIN point USING (point_id)")
        self.assertGreaterEqual(len(rows), 1)
        for row in rows:
            with self.subTest(row["backend"]):
                self.assertEqual((row["samples"], row["predicted"], row["failed"], row["left_out"]), (8, 7, 1, 1))
                self.assertIn("broken.jpg: decode: ", row["first_failure"])

    def test_classes_are_those_of_pytorch_alone(self):
        rows = self.query("SELECT backend, run.precision, position, class FROM prediction JOIN point USING (point_id) JOIN run USING (run_id)"
                          " WHERE error IS NULL")
        for row in rows:
            with self.subTest(row["backend"], position=row["position"]):
                # The zoo's weights are random: in bfloat16 the first two classes may change places.
                if row["precision"] in ("float32", "default"):
                    self.assertEqual(row["class"], self.expected[row["position"]])

    def test_accuracy_follows(self):
        rows = self.query("SELECT precision, metric, reference, value, accuracy.samples FROM accuracy JOIN run USING (run_id)")
        top_1 = [row for row in rows if row["metric"] == "top_1" and row["precision"] in ("float32", "default")]
        self.assertTrue(top_1)
        for row in top_1:
            self.assertEqual(row["samples"], 7)
            self.assertAlmostEqual(row["value"], 4 / 7)
        for row in rows:
            if row["metric"] == "same_top_1" and row["precision"] in ("float32", "default"):
                self.assertEqual(row["value"], 1)

    def test_the_way_is_timed_step_by_step(self):
        for row in self.query("SELECT point_id, string_agg(step, ' ' ORDER BY step_index) AS way FROM pipeline_step GROUP BY point_id"):
            self.assertEqual(row["way"], "read decode resize crop normalise layout stack bind predict softmax top_k")

    def test_analyses_answer(self):
        for name in ("accuracy", "pipeline"):
            result = json.loads(self.xsp("analyze", name, "test", "--format", "json"))
            self.assertEqual(result["missing"], [])
            self.assertGreater(len(result["rows"]), 0)


if __name__ == "__main__":
    unittest.main()
