#!/usr/bin/env python3
"""Compares real traces of one model on GPUs of two vendors (`xsp compare`) and checks the sums with TraceLens' CSV files
beside the traces: the time of both sides to the nanosecond, the sums of the rows of each operator, and how much of the
time has a counterpart on the other side.

Needs the reference data folder (../shared/data beside the checkout, or XSP_REFERENCE_DATA); skipped without it.
"""
import collections
import csv
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
LENS = (pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces" /
        "D06_tracelens_h100_vs_mi300")
MODELS = ["gaunernst_bert-small-uncased__1016001", "Falconsai_nsfw_image_detection__1016002"]
DURATION = "Kernel duration (µs)_sum"


def trace(side, model):
    return LENS / side / f"{model}.json.gz"


def table(side, model, name):
    with open(LENS / side / "reference" / f"{model}_perf_report_csvs" / name, newline="") as file:
        return list(csv.DictReader(file))


def nanoseconds(microseconds):
    """The traces have three decimals."""
    return round(float(microseconds) * 1000)


def compare(*sides):
    with tempfile.TemporaryDirectory() as store:
        done = subprocess.run([str(XSP), "compare", *map(str, sides), "--format", "json"], capture_output=True, text=True,
                              env={**os.environ, "XSP_STORE": store})
    if done.returncode != 0:
        raise AssertionError(f"{sides}: status {done.returncode}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)


def leaves(pair):
    return [row for row in pair["rows"] if row["leaf"]]


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class VendorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pairs = {model: compare(trace("h100", model), trace("mi300", model)) for model in MODELS}

    def test_both_sides_have_the_device_time_of_the_reference_to_the_nanosecond(self):
        for model, pair in self.pairs.items():
            self.assertEqual(pair["basis"], "device")
            for key, name, side in (("a_ns", "h100", pair["sides"][0]), ("b_ns", "mi300", pair["sides"][1])):
                with self.subTest(model=model, side=name):
                    rows = leaves(pair)
                    computed = sum(row[key] or 0 for row in rows if row["kind"] == "kernel")
                    self.assertEqual(computed, sum(nanoseconds(row[DURATION])
                                                   for row in table(name, model, "kernel_summary.csv")))
                    times = {row["type"]: float(row["time ms"]) * 1e6 for row in table(name, model, "gpu_timeline.csv")}
                    # The reference adds up floating-point microseconds of the clock: half a microsecond at most.
                    self.assertAlmostEqual(side["busy_ns"], times["busy_time"], delta=500)
                    self.assertAlmostEqual(side["device_time"]["idle_ns"], times["idle_time"], delta=500)
                    self.assertEqual(side["total_ns"], side["device_ns"])
                    self.assertEqual(side["total_ns"], sum(row[key] or 0 for row in rows))

    def test_the_figures_of_the_small_model_are_known(self):
        pair = self.pairs[MODELS[0]]
        self.assertEqual([side["total_ns"] for side in pair["sides"]], [309437, 390748])
        self.assertEqual(len(leaves(pair)), 61)
        self.assertEqual(pair["aligned_share"], 1)

    def test_differences_add_up(self):
        for model, pair in self.pairs.items():
            with self.subTest(model=model):
                total = pair["sides"][1]["total_ns"] - pair["sides"][0]["total_ns"]
                self.assertEqual(pair["difference_ns"], total)
                self.assertEqual(sum(row["difference_ns"] for row in leaves(pair)), total)
                self.assertEqual(pair["residual_ns"], 0)
                below = collections.Counter()
                for row in leaves(pair):
                    below[row["path"].split("/", 1)[0]] += row["difference_ns"]
                top = {row["path"]: row["difference_ns"] for row in pair["rows"] if row["kind"] == "module" and
                       "/" not in row["path"]}
                for path, difference in top.items():
                    self.assertEqual(below[path], difference)

    def test_nearly_all_time_has_a_counterpart(self):
        for model, pair in self.pairs.items():
            with self.subTest(model=model):
                self.assertGreaterEqual(pair["aligned_share"], 0.95)

    def test_aligned_operators_are_those_that_the_reference_names(self):
        """The reference knows the innermost operator of a kernel, XSP's rows the outermost: sums of the families that have
        one outermost operator on both vendors are compared."""
        for model, pair in self.pairs.items():
            for key, name in (("a_ns", "h100"), ("b_ns", "mi300")):
                with self.subTest(model=model, side=name):
                    attention = sum(nanoseconds(row[DURATION]) for row in table(name, model, "kernel_summary.csv")
                                    if "attention" in row["Parent cpu_op"])
                    rows = [row for row in pair["rows"] if row["kind"] == "operator" and "dot_product" in row["path"]]
                    self.assertGreater(attention, 0)
                    self.assertEqual(sum(row[key] for row in rows), attention)

    def test_gpus_are_named_as_what_differs(self):
        for pair in self.pairs.values():
            self.assertEqual(pair["comparable"]["verdict"], "partly")
            differences = {row["what"]: (row["a"], row["b"]) for row in pair["comparable"]["differences"]}
            self.assertIn("H100", differences["gpu"][0])
            self.assertIn("MI300X", differences["gpu"][1])
            self.assertNotIn("shapes", differences)
            self.assertEqual(pair["verdict"], "unknown_noise")

    def test_a_trace_does_not_differ_from_itself(self):
        for model in MODELS:
            pair = compare(trace("h100", model), trace("h100", model))
            self.assertEqual({row["difference_ns"] for row in pair["rows"]}, {0})
            self.assertEqual((pair["difference_ns"], pair["residual_ns"], pair["ratio"], pair["aligned_share"]), (0, 0, 1, 1))

    def test_two_models_are_not_compared(self):
        pair = compare(trace("h100", MODELS[0]), trace("h100", MODELS[1]))
        self.assertEqual((pair["verdict"], pair["comparable"]["verdict"]), ("inconclusive", "no"))


if __name__ == "__main__":
    if not LENS.is_dir():
        print(f"skipped: no reference data: {LENS}")
        sys.exit(77)
    unittest.main()
