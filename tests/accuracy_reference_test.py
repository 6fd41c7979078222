#!/usr/bin/env python3
"""Holds src/derive/accuracy against packages that others wrote: pycocotools, sacrebleu, scikit-learn, numpy; on seeded random cases.

Needs a Python that has them (tests/requirements.txt): the one named by XSP_ORACLE_PYTHON, else .deps/oracles/bin/python, which
tools/setup --test makes. Skipped without one.
"""
import collections
import contextlib
import io
import json
import math
import os
import pathlib
import random
import re
import string
import subprocess
import sys
import unicodedata
import unittest

import oracle_python

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
PROBE = BUILD / "bin" / "accuracy_probe"
SMALL = 1e-12  # Sums of doubles in another order.

oracle_python.require("numpy", "pycocotools.mask", "sacrebleu", "sklearn.metrics")

import numpy  # noqa: E402
import sacrebleu  # noqa: E402
import sklearn.metrics  # noqa: E402
from pycocotools import mask as coco_mask  # noqa: E402
from pycocotools.coco import COCO  # noqa: E402
from pycocotools.cocoeval import COCOeval  # noqa: E402


def probe(cases):
    done = subprocess.run([str(PROBE)], input=json.dumps(cases), capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class ClassificationTest(unittest.TestCase):
    def test_top_k_accuracy(self):
        rng = numpy.random.default_rng(1)
        cases, expected = [], []
        for _ in range(60):
            rows, classes = int(rng.integers(1, 30)), int(rng.integers(3, 12))
            k = int(rng.integers(1, classes))
            # Half of the cases have ties: few values. A stable descending sort puts the lower index first.
            scores = rng.standard_normal((rows, classes)).astype(numpy.float32)
            tied = rng.random() < 0.5
            if tied:
                scores = numpy.round(scores)
            labels = rng.integers(0, classes, rows)
            top = numpy.argsort(-scores, axis=1, kind="stable")[:, :k]
            expected.append(numpy.mean([label in row for label, row in zip(labels, top)]))
            if not tied:
                self.assertAlmostEqual(
                    expected[-1], sklearn.metrics.top_k_accuracy_score(labels, scores, k=k, labels=range(classes)), delta=SMALL)
            cases.append({"metric": "topk", "scores": scores.ravel().tolist(), "classes": classes, "labels": labels.tolist(), "k": k})
        for mine, theirs in zip(probe(cases), expected):
            self.assertAlmostEqual(mine, theirs, delta=SMALL)

    def test_f1(self):
        rng = numpy.random.default_rng(2)
        cases, expected = [], []
        for i in range(60):
            classes = 2 if i % 2 else int(rng.integers(2, 9))
            labels, predictions = rng.integers(0, classes, (2, int(rng.integers(1, 40))))
            score = lambda **how: sklearn.metrics.f1_score(labels, predictions, zero_division=0, **how)
            parts = sklearn.metrics.precision_recall_fscore_support(labels, predictions, zero_division=0)
            binary = sklearn.metrics.f1_score(labels == 1, predictions == 1, zero_division=0)
            expected.append(({name: score(average=name) for name in ("macro", "micro", "weighted")}, parts, binary))
            cases.append({"metric": "f1", "labels": labels.tolist(), "predictions": predictions.tolist()})
        for mine, (averages, parts, binary) in zip(probe(cases), expected):
            for name, value in averages.items():
                self.assertAlmostEqual(mine[name], value, delta=SMALL)
            self.assertAlmostEqual(mine["binary"], binary, delta=SMALL)
            numpy.testing.assert_allclose([row[1:] for row in mine["classes"]], numpy.array(parts).T, atol=SMALL)


class RankingTest(unittest.TestCase):
    def test_hit_rate_and_ndcg(self):
        rng = numpy.random.default_rng(3)
        cases, expected = [], []
        for i in range(40):
            users, candidates, k = int(rng.integers(1, 20)), int(rng.integers(2, 101)), int(rng.integers(1, 12))
            scores = rng.standard_normal((users, candidates)).astype(numpy.float32)
            positives = rng.integers(0, candidates, users)
            if i % 2:
                scores = numpy.round(scores * 2)
                # What ties with the positive ranks before it: the positive a hair lower is the same without ties.
            lowered = scores.astype(numpy.float64)
            lowered[range(users), positives] -= 1e-9
            relevance = numpy.zeros((users, candidates))
            relevance[range(users), positives] = 1
            hits = [sum(row > row[p]) < k for row, p in zip(lowered, positives)]
            ndcg = sklearn.metrics.ndcg_score(relevance, lowered, k=k, ignore_ties=True)
            expected.append((numpy.mean(hits), ndcg))
            cases.append({"metric": "ranking", "scores": scores.ravel().tolist(), "candidates": candidates,
                          "positives": positives.tolist(), "k": k})
        for mine, theirs in zip(probe(cases), expected):
            numpy.testing.assert_allclose(mine, theirs, atol=SMALL)


WORDS = ["the", "a", "an", "The", "cat", "cats", "sat", "on", "mat", "U.S.", "3.14", "1,000", "x-ray", "5-6", "\u2013a\u2013", "\u20ac5",
         "don't", "\"quoted\"", "&quot;hi&quot;", "&amp;", "<b>", "<skipped>", "caf\u00e9", "\u00c9TUDE", "\u65e5\u672c", "end.", "end,", "...", "a.b",
         ".5", "5.", "-", "--", "(x)", "[y]", "{z}", "~", "`", "'", "an\u0301", "the_", "\u00e0the", "\u0130", "\u2028", "x\u00a0y", "p\u3000q", "5.a", "9,.1"]


def sentence(rng, most=14):
    return rng.choice(["", " ", "\n"]) + " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, most))) + rng.choice(["", " ", "-\n", "\n"])


class BleuTest(unittest.TestCase):
    def test_corpora(self):
        rng = random.Random(4)
        methods = ["exp", "none", "floor", "add-k"]
        cases, expected = [], []
        for i in range(160):
            segments, references = rng.randint(1, 8), rng.randint(1, 3)
            hypotheses = [sentence(rng) for _ in range(segments)]
            # Every third reference is its hypothesis with a word changed, so that long n-grams match.
            streams = [[h.replace("cat", "dog") if rng.random() < 0.5 else sentence(rng) for h in hypotheses] for _ in range(references)]
            method = methods[i % 4]
            order = 4 if i % 3 else rng.randint(1, 6)
            tokenizer, lowercase, effective = rng.choice(["13a", "none"]), rng.random() < 0.3, rng.random() < 0.3
            value = {"floor": 0.1, "add-k": 1}.get(method, 0.1)
            bleu = sacrebleu.metrics.BLEU(tokenize=tokenizer, smooth_method=method, lowercase=lowercase, max_ngram_order=order,
                                          effective_order=effective, force=True)
            expected.append(bleu.corpus_score(hypotheses, streams))
            if method == "add-k":  # sacrebleu smooths the counts in place.
                expected[-1].counts = expected[-1].totals = None
            cases.append({"metric": "bleu", "hypotheses": hypotheses, "references": [list(group) for group in zip(*streams)],
                          "tokenizer": tokenizer, "smoothing": i % 4, "value": value, "lowercase": lowercase, "order": order,
                          "effective": effective})
        for case, mine, theirs in zip(cases, probe(cases), expected):
            with self.subTest(case=case):
                self.assertAlmostEqual(mine["score"], theirs.score, delta=1e-9)
                self.assertAlmostEqual(mine["bp"], theirs.bp, delta=SMALL)
                self.assertEqual(mine["lengths"], [theirs.sys_len, theirs.ref_len])
                numpy.testing.assert_allclose(mine["precisions"], theirs.precisions, atol=1e-10)
                if theirs.counts is not None:
                    self.assertEqual(mine["matches"], theirs.counts)
                    self.assertEqual(mine["totals"], theirs.totals)
        self.assertGreater(sum(t.score > 0 for t in expected), 60)

    def test_tokenizer(self):
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
        rng, theirs = random.Random(5), Tokenizer13a()
        alphabet = string.printable + "\u00e9\u65e5\u2028\u00a0" + "..,,--0123456789"
        texts = [sentence(rng) for _ in range(300)] + ["".join(rng.choice(alphabet) for _ in range(40)) for _ in range(300)]
        for text, mine in zip(texts, probe([{"metric": "text", "texts": texts}])[0]):
            self.assertEqual(mine[3], theirs(text), repr(text))


class AnswersTest(unittest.TestCase):
    """SQuAD's scripts are no package: what they publish, said again with Python's own text functions."""

    @staticmethod
    def normal(text):
        text = text.lower().translate(str.maketrans("", "", string.punctuation))
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())

    @classmethod
    def f1(cls, prediction, reference, version):
        mine, theirs = cls.normal(prediction).split(), cls.normal(reference).split()
        if version == 2 and not (mine and theirs):
            return float(mine == theirs)
        shared = sum((collections.Counter(mine) & collections.Counter(theirs)).values())
        if shared == 0:
            return 0.0
        precision, recall = shared / len(mine), shared / len(theirs)
        return 2 * precision * recall / (precision + recall)

    def test_scores(self):
        rng = random.Random(6)
        cases, expected = [], []
        for i in range(200):
            version = 1 + i % 2
            questions = rng.randint(1, 6)
            predictions = [sentence(rng, 4) for _ in range(questions)]
            references = [[rng.choice([sentence(rng, 4), prediction.upper()]) for _ in range(rng.randint(2 - version, 3))]
                          for prediction in predictions]
            references = [group or ([] if version == 2 else ["x"]) for group in references]
            exact, f1 = [], []
            for prediction, group in zip(predictions, references):
                if version == 2:
                    group = [text for text in group if self.normal(text)] or [""]
                exact.append(max(float(self.normal(prediction) == self.normal(text)) for text in group))
                f1.append(max(self.f1(prediction, text, version) for text in group))
            expected.append((sum(exact) / questions, sum(f1) / questions))
            cases.append({"metric": "answers", "predictions": predictions, "references": references, "version": version})
        for case, mine, theirs in zip(cases, probe(cases), expected):
            with self.subTest(case=case):
                numpy.testing.assert_allclose(mine, theirs, atol=SMALL)

    def test_text_as_python_sees_it(self):
        rng = random.Random(7)
        texts = [sentence(rng) for _ in range(200)] + ["".join(chr(rng.choice([rng.randint(1, 0x2ff), rng.randint(0x370, 0x2fff)]))
                                                             for _ in range(30)).replace("\u03a3", "") for _ in range(200)]
        for text, mine in zip(texts, probe([{"metric": "text", "texts": texts}])[0]):
            self.assertEqual(mine[:3], [text.lower(), text.split(), self.normal(text)], repr(text))

    def test_every_character_as_python_sees_it(self):
        version = tuple(map(int, unicodedata.unidata_version.split(".")))
        if version > (15, 0, 0):
            self.skipTest(f"utf8proc 2.8 knows Unicode 15, this Python has {unicodedata.unidata_version}")
        characters = [c for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cs", "Cn")]
        words = probe([{"metric": "word_characters", "characters": characters}])[0]
        self.assertEqual(words, [int(chr(c).isalnum() or chr(c) == "_") for c in characters])
        texts = [chr(c) for c in characters]
        lower = probe([{"metric": "text", "texts": texts}])[0]
        self.assertEqual([mine[0] for mine in lower], [text.lower() for text in texts])
        self.assertEqual([mine[1] for mine in lower], [text.split() for text in texts])


class AgreementTest(unittest.TestCase):
    def test_against_numpy(self):
        from scipy.special import log_softmax  # scikit-learn needs scipy.
        from scipy.stats import entropy
        rng = numpy.random.default_rng(8)
        cases, expected = [], []
        for i in range(60):
            rows, classes, k, floor = int(rng.integers(1, 9)), int(rng.integers(2, 20)), int(rng.integers(1, 8)), rng.choice([0, 1e-3])
            a = rng.standard_normal((rows, classes)).astype(numpy.float32) * 10
            b = (a + rng.standard_normal((rows, classes)) * rng.choice([0, 1e-5, 1])).astype(numpy.float32)
            probabilities = i % 3 == 0
            if probabilities:
                a, b = numpy.abs(a), numpy.abs(b)
                a[rng.random(a.shape) < 0.1] = 0
            x, y = a.astype(numpy.float64), b.astype(numpy.float64)
            error = numpy.abs(y - x)
            denominator = numpy.maximum(numpy.abs(x), floor * numpy.abs(x).max())
            relative = numpy.divide(error, denominator, out=numpy.where(error == 0, 0, math.inf), where=denominator != 0)
            if probabilities:
                divergence = [entropy(p, q) if p.sum() > 0 and q.sum() > 0 else None for p, q in zip(x, y)]
            else:
                divergence = list((numpy.exp(log_softmax(x, axis=1)) * (log_softmax(x, axis=1) - log_softmax(y, axis=1))).sum(axis=1))
            divergence = [d for d in divergence if d is not None]
            top = [[set(row[:min(k, classes)]) for row in numpy.argsort(-m, axis=1, kind="stable")] for m in (a, b)]
            labels = numpy.mean(numpy.argmax(a, axis=1) == numpy.argmax(b, axis=1))
            overlap = numpy.mean([len(p & q) / min(k, classes) for p, q in zip(*top)])
            cosine = float((x * y).sum() / numpy.sqrt((x * x).sum() * (y * y).sum()))
            expected.append({"labels": labels, "overlap": overlap, "max_absolute": error.max(), "mean_absolute": error.mean(),
                             "max_relative": relative.max(), "mean_relative": relative.mean(), "cosine": cosine,
                             "mean_divergence": numpy.mean(divergence), "max_divergence": max(divergence),
                             "divergence_rows": len(divergence), "same": 0, "different": 0})
            cases.append({"metric": "agreement", "reference": a.ravel().tolist(), "candidate": b.ravel().tolist(), "row": classes, "k": k,
                          "floor": float(floor), "probabilities": probabilities})
        for mine, theirs in zip(probe(cases), expected):
            for name, value in theirs.items():
                if math.isinf(value):  # JSON has no infinity: null.
                    self.assertIsNone(mine[name], name)
                else:
                    self.assertAlmostEqual(mine[name], value, delta=1e-10 * max(1, abs(value)), msg=name)


def random_scene(rng, masks):
    """A COCO dataset and its results: crowds, tied scores, images without objects, categories without objects, hard cases."""
    size = int(rng.choice([60, 160]))
    images, categories = int(rng.integers(1, 7)), int(rng.integers(1, 5))
    truths, detections = [], []

    def box():
        w, h = rng.choice([rng.uniform(1, 40), rng.uniform(30, size)], 2)
        x, y = rng.uniform(0, size - min(w, size), 2)
        values = [x, y, min(w, size - x), min(h, size - y)]
        return [float(round(v)) for v in values] if rng.random() < 0.5 else [float(v) for v in values]

    def mask_of(b):
        pixels = numpy.zeros((size, size), numpy.uint8)
        x, y, w, h = (int(v) for v in b)
        pixels[y:y + max(h, 1), x:x + max(w, 1)] = rng.random((size, size))[y:y + max(h, 1), x:x + max(w, 1)] < rng.choice([1, 0.9, 0.5])
        return pixels

    for image in range(images):
        for category in range(categories):
            # The last category has no objects, image 0 no objects at all.
            if (category == categories - 1 and categories > 1) or image == 0 and images > 1:
                continue
            for _ in range(int(rng.integers(0, 9))):
                b = box()
                truths.append({"id": len(truths) + 1, "image_id": image + 10, "category_id": category + 3, "bbox": b,
                               "area": b[2] * b[3] * float(rng.choice([1, 0.7])), "iscrowd": int(rng.random() < 0.2)})
    for image in range(images):
        for category in range(categories):
            near = [t for t in truths if t["image_id"] == image + 10 and t["category_id"] == category + 3]
            for _ in range(int(rng.choice([0, 3, 12, 130], p=[0.2, 0.4, 0.35, 0.05]))):
                b = box()
                if near and rng.random() < 0.7:
                    b = [float(max(v + rng.normal() * rng.choice([0, 1, 4]), 0)) for v in rng.choice(near)["bbox"]]
                    b = [min(b[0], size - 1), min(b[1], size - 1), b[2], b[3]]
                score = float(rng.random()) if rng.random() < 0.6 else float(rng.choice([0.25, 0.5]))
                detections.append({"image_id": image + 10, "category_id": category + 3, "bbox": b, "score": score})
    if masks:
        for entry in truths + detections:
            entry["pixels"] = mask_of(entry["bbox"])
    dataset = {"images": [{"id": i + 10, "height": size, "width": size} for i in range(images)],
               "categories": [{"id": c + 3} for c in range(categories)]}
    return dataset, truths, detections


def coco_scores(dataset, truths, detections, masks):
    def entry_of(entry):
        copy = {key: value for key, value in entry.items() if key != "pixels"}
        if masks:
            copy["segmentation"] = coco_mask.encode(numpy.asfortranarray(entry["pixels"]))
        return copy

    ground = COCO()
    ground.dataset = {**dataset, "annotations": [entry_of(t) for t in truths]}
    ground.createIndex()
    results = [entry_of(d) for d in detections]
    if masks:
        for result in results:  # A result with a box has the box's area: published results of masks have none.
            del result["bbox"]
    found = ground.loadRes(results)
    evaluation = COCOeval(ground, found, "segm" if masks else "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    precision = evaluation.eval["precision"][:, :, :, 0, 2]
    categories = {}
    for i, category in enumerate(dataset["categories"]):
        values = precision[:, :, i]
        categories[category["id"]] = float(values[values > -1].mean()) if (values > -1).any() else -1.0
    return [float(value) for value in evaluation.stats], categories


def mask_case(entry, way):
    pixels = entry["pixels"]
    size = list(pixels.shape)
    if way == 0:
        return {"size": size, "pixels": pixels.ravel().tolist()}
    if way == 1:
        return {"size": size, "counts": coco_mask.encode(numpy.asfortranarray(pixels))["counts"].decode()}
    runs, inside = [0], 0
    for pixel in pixels.T.ravel().tolist():
        if pixel != inside:
            runs.append(0)
            inside = pixel
        runs[-1] += 1
    return {"size": size, "counts": runs}


class DetectionTest(unittest.TestCase):
    def check(self, seed, scenes, masks):
        rng = numpy.random.default_rng(seed)
        cases, expected = [], []
        while len(cases) < scenes:
            dataset, truths, detections = random_scene(rng, masks)
            if not detections:  # loadRes() cannot read an empty list.
                continue
            with contextlib.redirect_stdout(io.StringIO()):
                expected.append(coco_scores(dataset, truths, detections, masks))
            for entry in truths + detections:
                if masks:
                    entry["mask"] = mask_case(entry, int(rng.integers(0, 3)))
                    del entry["pixels"]
            cases.append({"metric": "detection", "truths": truths, "detections": detections, "masks": masks})
        seen = collections.Counter()
        for mine, (table, categories), case in zip(probe(cases), expected, cases):
            self.assertNotIn("error", mine)
            numpy.testing.assert_allclose(mine["table"], table, rtol=0, atol=SMALL)
            for category, value in categories.items():
                self.assertAlmostEqual(mine["categories"].get(str(category), -1.0), value, delta=SMALL)
            seen["crowd"] += any(t["iscrowd"] for t in case["truths"])
            seen["no objects"] += table[0] == -1
            seen["found some"] += table[0] > 0.05
            seen["over 100"] += len(case["detections"]) > 120
            seen["large"] += table[5] >= 0
            seen["missing size"] += table[5] == -1
        for name in ("crowd", "found some", "missing size"):
            self.assertGreater(seen[name], 3, seen)
        return seen

    def test_boxes(self):
        seen = self.check(9, 150, masks=False)
        for name in ("no objects", "over 100", "large"):
            self.assertGreater(seen[name], 3, seen)

    def test_masks(self):
        self.check(10, 50, masks=True)


if __name__ == "__main__":
    unittest.main()
