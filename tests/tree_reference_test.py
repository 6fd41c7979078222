#!/usr/bin/env python3
"""Imports real Kineto traces and compares the table `tree` with TraceLens' sums of kernel time by operator: the kernels that
an operator launches itself (direct) and all below it (subtree), on two vendors, and by module under graph replay; and the
counters of kernels against Holistic Trace Analysis.

Needs the reference data folder (../shared/data beside the checkout, or XSP_REFERENCE_DATA); skipped without it.
"""
import collections
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
TRACES = pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces"
LENS = TRACES / "D06_tracelens_h100_vs_mi300"
REPLAY = TRACES / "D17_graph_replay_sglang"
COUNTERS = TRACES / "D04_hta_cupti_profiler_counters"

# Their times are doubles of us since 1970 on the way (a step of 0.25 us cancels out in durations, 3 decimals stay), and float32
# sums in the files.
DECIMALS = 1


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def is_operator(node):
    return node["level"] == "layer" and node["type"] not in ("module", "function")


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class TreeReferenceTest(unittest.TestCase):
    def tree_of(self, *files):
        with tempfile.TemporaryDirectory() as store:
            def xsp(*arguments):
                done = subprocess.run([str(XSP), *map(str, arguments), "--format", "json"], capture_output=True, text=True,
                                      env={**os.environ, "XSP_STORE": store})
                self.assertEqual(done.returncode, 0, done.stderr)
                return json.loads(done.stdout)

            run = xsp("import", *files)["run"]
            work = xsp("query", run, "SELECT sum(s.duration_ns) AS ns, count(*) AS n FROM span s JOIN track t ON t.id = s.track_id "
                                     "WHERE s.level = 'kernel' AND NOT t.is_reference")[0]
            return xsp("query", run, "SELECT * FROM tree ORDER BY node"), work

    def check_sums(self, tree, work):
        """Every kernel once in the roots, every node the sum of its children."""
        below = collections.Counter()
        for node in tree:
            below[node["parent"]] += node["device_ns"]
        self.assertEqual(below[None], work["ns"])
        self.assertEqual(sum(node["kernels"] for node in tree if node["parent"] is None), work["n"])
        for node in tree:
            if node["level"] != "kernel":
                self.assertEqual(node["device_ns"], below[node["node"]], node["name"])

    def test_direct_and_subtree_time_of_operators(self):
        for vendor in ("h100", "mi300"):
            for trace in sorted((LENS / vendor).glob("*.json.gz")):
                with self.subTest(trace=trace.name, vendor=vendor):
                    tree, work = self.tree_of(trace)
                    self.check_sums(tree, work)
                    direct, subtree, calls = collections.Counter(), collections.Counter(), collections.Counter()
                    for node in filter(is_operator, tree):
                        direct[node["name"]] += node["device_self_ns"]
                        subtree[node["name"]] += node["device_ns"]
                        calls[node["name"]] += node["count"]
                    reference = LENS / vendor / "reference" / trace.name.replace(".json.gz", "_perf_report_csvs")
                    theirs = rows_of(reference / "ops_summary.csv")
                    # It lists the operators that launch something themselves.
                    self.assertEqual({row["name"] for row in theirs}, {name for name, ns in direct.items() if ns > 0})
                    for row in theirs:
                        name = row["name"]
                        self.assertAlmostEqual(direct[name] / 1000, float(row["total_direct_kernel_time_sum"]), DECIMALS, name)
                        self.assertAlmostEqual(subtree[name] / 1000, float(row["total_subtree_kernel_time_sum"]), DECIMALS, name)
                        self.assertLessEqual(int(row["Count"]), calls[name], name)

    def test_without_operators_kernels_are_roots(self):
        tree, work = self.tree_of(LENS / "mi210_gpu_only" / "gpu_only_trace.json.gz")
        self.check_sums(tree, work)
        self.assertEqual([node for node in tree if is_operator(node)], [])

    def test_modules_under_graph_replay(self):
        tree, work = self.tree_of(*sorted(REPLAY.glob("*.json.gz")), *sorted((REPLAY / "capture_traces").glob("*.json.gz")))
        self.check_sums(tree, work)
        nodes = {node["node"]: node for node in tree}
        ours = collections.Counter()
        for node in filter(is_operator, tree):
            if node["device_self_ns"] == 0:
                continue
            above = node
            while above is not None and above["type"] != "module":
                above = nodes.get(above["parent"])
            ours[(node["name"], re.sub(r"_\d+$", "", above["name"]) if above else "")] += node["device_self_ns"]
        theirs = collections.Counter()
        for row in rows_of(REPLAY / "perf_csvs" / "ops_summary.csv"):
            # That tool shortens this name ("..._ragged_100") and writes NA for no module.
            name = row["name"] + "_100" * row["name"].endswith("attention_ragged")
            module = row["parent_module"].replace("NA", "")
            if not name.startswith("hip"):
                theirs[(name, module)] += float(row["total_direct_kernel_time_sum"])
        self.assertEqual(set(ours), set(theirs))
        for key, ns in ours.items():
            self.assertAlmostEqual(ns / 1000, theirs[key], DECIMALS, key)


    def test_counters_of_kernels(self):
        # Sums that Holistic Trace Analysis 0.5.0 gives (get_cupti_counter_data_with_operators).
        theirs = {"fadd": 964651656, "ffma": 39142369720, "fmul": 430063616, "hadd": 0, "hfma": 275791872, "hmul": 0,
                  "dadd": 0, "dfma": 0, "dmul": 0}
        with tempfile.TemporaryDirectory() as store:
            def xsp(*arguments):
                done = subprocess.run([str(XSP), *map(str, arguments), "--format", "json"], capture_output=True, text=True,
                                      env={**os.environ, "XSP_STORE": store})
                self.assertEqual(done.returncode, 0, done.stderr)
                return json.loads(done.stdout)

            run = xsp("import", *sorted(COUNTERS.glob("*.json.gz")))["run"]
            rows = xsp("query", run, "SELECT name, count(*) AS kernels, sum(value) AS value FROM metric "
                                     "WHERE name LIKE 'smsp%' GROUP BY name")
            by_operator = xsp("query", run, """
                SELECT o.name, count(*) AS kernels, sum(m.value) AS value
                FROM metric m JOIN kernel_layer k ON k.kernel_id = m.span_id JOIN span o ON o.id = k.layer_id
                WHERE m.name = 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum' GROUP BY o.name""")
        ours = {re.search("_op_([a-z]+)_", row["name"]).group(1): row for row in rows}
        self.assertEqual({name: row["value"] for name, row in ours.items()}, theirs)
        self.assertEqual({row["kernels"] for row in rows}, {77})
        # HTA 0.5.0, get_cupti_counter_data_with_operators: kernels and FFMA by innermost operator.
        self.assertEqual({row["name"]: (row["kernels"], row["value"]) for row in by_operator}, {
            "aten::cudnn_convolution": (28, 23887265792), "aten::addmm": (12, 15067250688), "aten::add_": (10, 124157952),
            "aten::uniform_": (1, 38731776), "aten::_adaptive_avg_pool2d": (2, 20146616), "aten::native_dropout": (4, 4816896),
            "aten::clamp_min_": (14, 0), "aten::max_pool2d_with_indices": (6, 0)})


if __name__ == "__main__":
    if not LENS.is_dir():
        print(f"skipped: no reference data: {LENS}")
        sys.exit(77)
    unittest.main()
