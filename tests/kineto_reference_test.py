#!/usr/bin/env python3
"""Imports real Kineto traces and compares the result with that of other tools (TraceLens' CSV files beside
the traces): every kernel by operator, name and stream; busy time of the device; operators under graph replay.

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
TRACES = pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces"
LENS = TRACES / "D06_tracelens_h100_vs_mi300"
REPLAY = TRACES / "D17_graph_replay_sglang"

DEVICE_WORK = """
SELECT k.id, k.name, k.start_ns, k.duration_ns, coalesce(o.name, '') AS operator, t.stream,
       coalesce(regexp_extract(coalesce(m.value, u.value), '([^/]*)_[0-9]+$', 1), '') AS module
FROM span k JOIN track t ON t.id = k.track_id
LEFT JOIN kernel_layer l ON l.kernel_id = k.id LEFT JOIN span o ON o.id = l.layer_id
LEFT JOIN attribute m ON m.span_id = l.layer_id AND m.key = 'module'
LEFT JOIN attribute u ON u.span_id = l.outermost_layer_id AND u.key = 'module'
WHERE k.level = 'kernel' AND NOT t.is_reference"""


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def busy_ns(work):
    """Union of the intervals."""
    busy, end = 0, 0
    for start, stop in sorted((w["start_ns"], w["start_ns"] + w["duration_ns"]) for w in work):
        busy += max(0, stop - max(start, end))
        end = max(end, stop)
    return busy


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class KinetoReferenceTest(unittest.TestCase):
    def work_of(self, *files, store=None):
        if store is None:
            with tempfile.TemporaryDirectory() as store:
                return self.work_of(*files, store=store)

        def xsp(*arguments):
            done = subprocess.run([str(XSP), *map(str, arguments)], capture_output=True, text=True,
                                  env={**os.environ, "XSP_STORE": store})
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        imported = xsp("import", *files, "--format", "json")
        return imported, xsp("query", imported["run"], DEVICE_WORK, "--format", "json")

    def check_kernels(self, work, reference, with_operators):
        """Sum, count, minimum and maximum of each kernel, exact to the rounding of the reference."""
        ours = collections.defaultdict(list)
        for item in work:
            ours[(item["operator"] if with_operators else "", item["name"], item["stream"])].append(item["duration_ns"])
        theirs = rows_of(reference / "kernel_summary.csv")
        for row in theirs:
            operator = row.get("Parent cpu_op") or ""
            operator = "" if not with_operators or operator == "NA" else operator
            key = (operator, row["Kernel name"], int(float(row["Kernel stream"])))
            self.assertIn(key, ours)
            durations = ours.pop(key)
            self.assertEqual(len(durations), int(row["Kernel duration (µs)_count"]), key)
            for name, value in (("sum", sum(durations)), ("min", min(durations)), ("max", max(durations))):
                self.assertAlmostEqual(value / 1000, float(row[f"Kernel duration (µs)_{name}"]), 3, key)
        # Copies and fills have no place in that table.
        self.assertEqual([key for key in ours if not key[1].startswith("Mem")], [])

    def check_busy_time(self, work, reference):
        timeline = {row["type"]: float(row["time ms"]) for row in rows_of(reference / "gpu_timeline.csv")}
        self.assertAlmostEqual(busy_ns(work) / 1e6, timeline["busy_time"], 3)

    def test_kernels_by_operator_on_two_vendors(self):
        for vendor in ("h100", "mi300"):
            for trace in sorted((LENS / vendor).glob("*.json.gz")):
                with self.subTest(trace=trace.name, vendor=vendor):
                    imported, work = self.work_of(trace)
                    self.assertEqual(imported["inputs"][0]["format"], "kineto")
                    self.assertEqual([d for d in imported["diagnostics"] if d["name"].startswith("kineto")], [])
                    reference = LENS / vendor / "reference" / trace.name.replace(".json.gz", "_perf_report_csvs")
                    self.check_kernels(work, reference, with_operators=True)
                    self.check_busy_time(work, reference)

    def test_kernels_without_operators(self):
        folder = LENS / "mi210_gpu_only"
        _, work = self.work_of(folder / "gpu_only_trace.json.gz")
        self.check_kernels(work, folder / "gpu_only_trace_perf_report_csvs", with_operators=False)
        self.check_busy_time(work, folder / "gpu_only_trace_perf_report_csvs")

    def test_operators_under_graph_replay(self):
        _, work = self.work_of(*sorted(REPLAY.glob("*.json.gz")), *sorted((REPLAY / "capture_traces").glob("*.json.gz")))
        # That tool shortens some names ("..._ragged" for "..._ragged_100") and writes no module for a few operators; what each
        # operator of each module took is the same, row for row.
        ours, theirs = collections.Counter(), collections.Counter()
        for item in work:
            ours[(item["operator"], item["module"])] += item["duration_ns"] / 1000
        for row in rows_of(REPLAY / "perf_csvs" / "ops_summary.csv"):
            # What has no operator stands there under its launch.
            operator = "" if row["name"].startswith("hip") else row["name"]
            theirs[(operator, row["parent_module"])] += float(row["total_direct_kernel_time_sum"])
        self.assertEqual(len(ours), len(theirs))
        for a, b in zip(sorted(ours.values()), sorted(theirs.values())):
            self.assertAlmostEqual(a, b, 1)
        self.assertGreaterEqual(self.attributed(work), 0.99)

    def attributed(self, work):
        """The share of the kernel time that has an operator."""
        return sum(w["duration_ns"] for w in work if w["operator"]) / sum(w["duration_ns"] for w in work)

    def test_operators_under_graph_replay_from_another_run(self):
        decode, capture = sorted(REPLAY.glob("*.json.gz")), sorted((REPLAY / "capture_traces").glob("*.json.gz"))
        with tempfile.TemporaryDirectory() as store:
            _, alone = self.work_of(*decode, store=store)
            self.assertLess(self.attributed(alone), 0.1)
            self.work_of(*capture, "--name", "capture", "--model", "m", store=store)
            named, work = self.work_of(*decode, "--reference", "capture", store=store)
            self.assertEqual(named["reference_runs"], "capture")
            self.assertGreaterEqual(self.attributed(work), 0.99)
            # As from the capture imported along, kernel by kernel; found by the model's name as well.
            _, along = self.work_of(*decode, *capture, store=store)
            _, found = self.work_of(*decode, "--model", "m", store=store)
            keys = ("name", "start_ns", "operator", "module")
            expected = sorted(tuple(w[k] for k in keys) for w in along)
            for other in (work, found):
                self.assertEqual(sorted(tuple(w[k] for k in keys) for w in other), expected)


if __name__ == "__main__":
    if not LENS.is_dir():
        print(f"skipped: no reference data: {LENS}")
        sys.exit(77)
    unittest.main()
