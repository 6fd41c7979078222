#!/usr/bin/env python3
"""Holds src/pipeline against torchvision: the pre-processing of ImageNet models, sizes, non-maximum suppression, SSD boxes, pasted
masks, softmax and top-k. Prints the largest differences, which docs/pipelines.md states.

Needs a Python with torch and torchvision: the one named by XSP_PYTHON, else .deps/python/bin/python; skipped without one.
"""
import os
import unittest

import pipeline_probe
from pipeline_probe import ROOT, Probe, photograph

if __name__ == "__main__":
    pipeline_probe.enter_python((os.environ.get("XSP_PYTHON"), ROOT / ".deps" / "python" / "bin" / "python"),
                                ("numpy", "torch", "torchvision", "PIL"), "no Python with torch and torchvision (tools/setup)")
    import numpy
    import torch
    import torchvision
    from PIL import Image
    from torchvision.models.detection import roi_heads
    from torchvision.models.detection._utils import BoxCoder

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
measured = {}


def note(name, ours, theirs):
    assert ours.shape == theirs.shape, (name, ours.shape, theirs.shape)
    most = float(numpy.abs(ours.astype(numpy.float64) - theirs.astype(numpy.float64)).max()) if ours.size else 0.0
    measured[name] = max(measured.get(name, 0.0), most)
    return most


def decode_counts(mask):
    height, width = mask["size"]
    flat, value = [], 0
    for run in mask["counts"]:
        flat += [value] * run
        value = 1 - value
    return numpy.array(flat).reshape(width, height).T


class TorchvisionTest(unittest.TestCase):
    def setUp(self):
        self.probe = Probe()
        self.addCleanup(self.probe.close)

    def picture(self, width, height, seed):
        path = self.probe.path / f"{width}x{height}.png"
        Image.fromarray(photograph(numpy, width, height, seed)).save(path)
        return path


class ImageNetTest(TorchvisionTest):
    def test_the_weights_transform(self):
        transform = torchvision.models.ResNet50_Weights.IMAGENET1K_V1.transforms(antialias=True)
        steps = [{"step": "decode"}, {"step": "resize", "shorter_side": 256}, {"step": "crop", "width": 224, "height": 224},
                 {"step": "normalise", "scale": 1 / 255, "mean": MEAN, "std": STD}, {"step": "layout", "order": "nchw"}]
        for seed, size in enumerate([(500, 375), (333, 500), (256, 256), (1024, 300), (227, 640)]):
            path = self.picture(*size, seed)
            (ours,), _ = self.probe.prepare(steps, file=str(path))
            self.assertLess(note("ImageNet transform", ours, transform(Image.open(path)).numpy()), 1e-6)

    def test_sizes(self):
        for seed, size in enumerate([(500, 375), (333, 500), (641, 480), (100, 1000)]):
            path = self.picture(*size, seed)
            for shorter, longest in [(256, None), (301, 400), (99, 700)]:
                step = {"step": "resize", "shorter_side": shorter, **({"longer_side": longest} if longest else {})}
                (ours,), _ = self.probe.prepare([{"step": "decode"}, step], file=str(path))
                theirs = torchvision.transforms.Resize(shorter, max_size=longest)(Image.open(path))
                # 1 where Pillow begins with the height.
                self.assertLessEqual(note("resize by the shorter side", ours, numpy.asarray(theirs)), 1)
            for side in (31, 64, 99):
                step = {"step": "crop", "width": side, "height": side + 1}
                (ours,), _ = self.probe.prepare([{"step": "decode"}, step], file=str(path))
                theirs = torchvision.transforms.CenterCrop((side + 1, side))(Image.open(path))
                self.assertEqual(note("crop in the middle", ours, numpy.asarray(theirs)), 0)

    def test_casts(self):
        path = self.picture(61, 47, 3)
        normalise = [{"step": "decode"}, {"step": "normalise", "scale": 1 / 255, "mean": MEAN, "std": STD}]
        (exact,), _ = self.probe.prepare(normalise, file=str(path))
        for name in ("float16", "bfloat16", "float64", "int8", "uint8", "int64"):
            (ours,), _ = self.probe.prepare([*normalise, {"step": "cast", "to": name}], file=str(path))
            values = torch.from_numpy(exact)
            if not name.startswith(("float", "bfloat")):
                values = values.round().clamp(*((0, 255) if name == "uint8" else (-128, 127)))
            theirs = values.to(getattr(torch, name))
            theirs = theirs.view(torch.int16).numpy().view("uint16") if name == "bfloat16" else theirs.numpy()
            self.assertTrue((ours == theirs).all(), name)


class OutputTest(TorchvisionTest):
    def test_softmax_and_top_k(self):
        rng = numpy.random.default_rng(1)
        logits = rng.normal(0, 4, (6, 1000)).astype(numpy.float32)
        theirs, order = torch.from_numpy(logits).softmax(1).topk(5)
        predictions = self.probe.post([{"step": "softmax"}, {"step": "top_k", "k": 5}], {"y": logits}, [[0] * 4 + [1, 1, 0, 0]] * 6)
        ours = numpy.array([[score["score"] for score in prediction["classes"]] for prediction in predictions])
        self.assertLess(note("softmax", ours, theirs.numpy()), 1e-6)
        self.assertEqual([[score["index"] for score in prediction["classes"]] for prediction in predictions], order.tolist())

    def test_suppression(self):
        rng = numpy.random.default_rng(2)
        for case in range(60):
            count = int(rng.integers(1, 300))
            corner = rng.uniform(0, 300, (count, 2))
            boxes = numpy.concatenate([corner, corner + rng.uniform(1, 120, (count, 2))], 1).astype(numpy.float32)
            scores = rng.permutation(count * 7)[:count].astype(numpy.float32) / (count * 7)
            classes = rng.integers(0, 4, count)
            threshold = float(rng.choice([0.3, 0.45, 0.5, 0.7]))
            kept = torchvision.ops.batched_nms(torch.from_numpy(boxes), torch.from_numpy(scores), torch.from_numpy(classes), threshold)
            kept = [index for index in kept.tolist() if scores[index] >= numpy.float32(0.25)]
            predictions = self.probe.post(
                [{"step": "boxes", "boxes": "b", "scores": "s", "classes": "c", "batched": False, "score_threshold": 0.25,
                  "iou_threshold": threshold, "max_detections": 1000}],
                {"b": boxes, "s": scores, "c": classes}, [[1000, 1000, 1000, 1000, 1, 1, 0, 0]])
            found = predictions[0]["detections"]
            with self.subTest(case=case):
                self.assertEqual([d["index"] for d in found], classes[kept].tolist())
                ours = numpy.array([d["box"] for d in found]).reshape(-1, 4)
                note("boxes kept by suppression (pixels)", ours, boxes[kept])
                self.assertTrue((ours == boxes[kept]).all())

    def test_ssd_boxes(self):
        rng = numpy.random.default_rng(3)
        maps = [{"rows": 5, "columns": 4, "boxes": [[0.2, 0.3], [0.4, 0.1]]}, {"rows": 2, "columns": 2, "boxes": [[0.6, 0.6]]}]
        priors = [[(column + 0.5) / m["columns"], (row + 0.5) / m["rows"], *box]
                  for m in maps for row in range(m["rows"]) for column in range(m["columns"]) for box in m["boxes"]]
        anchors = torch.tensor([[cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2] for cx, cy, w, h in priors], dtype=torch.float64) * 300
        offsets = rng.normal(0, 1, (1, len(priors), 4)).astype(numpy.float32)
        scores = rng.uniform(0, 1, (1, len(priors), 3)).astype(numpy.float32)
        theirs = BoxCoder((10, 10, 5, 5)).decode_single(torch.from_numpy(offsets[0]).double(), anchors).clamp(0, 300).numpy()
        predictions = self.probe.post(
            [{"step": "boxes", "boxes": "b", "scores": "s", "priors": {"maps": maps}, "background": 0, "score_threshold": 0,
              "suppress": False, "max_detections": 1000}], {"b": offsets, "s": scores}, [[300, 300, 300, 300, 1, 1, 0, 0]])
        found = predictions[0]["detections"]
        self.assertEqual(len(found), 2 * len(priors))
        rows = {(numpy.float32(score), c): row for row in range(len(priors)) for c, score in enumerate(scores[0, row])}
        expected = numpy.array([theirs[rows[numpy.float32(d["score"]), d["index"]]] for d in found])
        self.assertLess(note("SSD boxes (pixels of 300)", numpy.array([d["box"] for d in found]), expected), 1e-4)

    def test_pasted_masks(self):
        rng = numpy.random.default_rng(4)
        count, width, height = 12, 120, 90
        corner = rng.uniform(0, 70, (count, 2))
        boxes = numpy.concatenate([corner, corner + rng.uniform(2, 20, (count, 2))], 1).astype(numpy.float32)
        maps = torch.nn.functional.avg_pool2d(torch.from_numpy(rng.uniform(0, 1, (count, 1, 32, 32)).astype(numpy.float32)), 5, 1).numpy()
        scores = numpy.linspace(0.9, 0.5, count).astype(numpy.float32)
        theirs = roi_heads.paste_masks_in_image(torch.from_numpy(maps), torch.from_numpy(boxes), (height, width))[:, 0].numpy()
        predictions = self.probe.post(
            [{"step": "boxes", "boxes": "b", "scores": "s", "classes": "c", "batched": False, "suppress": False},
             {"step": "masks", "output": "m", "batched": False}],
            {"b": boxes, "s": scores, "c": numpy.arange(count), "m": maps}, [[width, height, width, height, 1, 1, 0, 0]])
        for detection, probabilities in zip(predictions[0]["detections"], theirs):
            ours = decode_counts(detection["mask"])
            # What lies on the threshold to the last bit may fall on either side.
            differing = (ours != (probabilities > 0.5)) & (abs(probabilities - 0.5) > 1e-5)
            measured["pixels of masks that differ"] = measured.get("pixels of masks that differ", 0) + int(differing.sum())
            self.assertEqual(int(differing.sum()), 0)
        self.assertGreater(int((theirs > 0.5).sum()), 100)


def tearDownModule():
    print("\nlargest differences:")
    for name, value in measured.items():
        print(f"  {name}: {value:g}")


if __name__ == "__main__":
    unittest.main()
