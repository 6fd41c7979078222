#!/usr/bin/env python3
"""Imports real Kineto traces and holds the tables of device time, idle time, launches and streams against what other tools
say of them: TraceLens' CSV files beside the traces, figures of Holistic Trace Analysis (tests/hta_figures.json; computed
anew where that package can be imported), and the counters that PyTorch's TensorBoard plugin adds to a trace. Where the
tools define a number differently, the test says how (docs/definitions.md).

Needs the reference data folder (../shared/data beside the checkout, or XSP_REFERENCE_DATA); skipped without it.
"""
import bisect
import collections
import csv
import functools
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import hta_figures

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
TRACES = pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces"
LENS = TRACES / "D06_tracelens_h100_vs_mi300"
REPLAY = TRACES / "D17_graph_replay_sglang"
OLD = TRACES / "D05_kineto_tb_resnet50_old_schema"
HTA_TRACES = [TRACES / "D02_hta_nccl_2rank_rank0" / "nccl_data.json.gz",
              TRACES / "D03_hta_sampled_ranks_0_1_of_128" / "sampled_rank-0.json.gz",
              TRACES / "D03_hta_sampled_ranks_0_1_of_128" / "sampled_rank-1.json.gz",
              OLD / "worker0.1623143089861.pt.trace.json.gz",
              LENS / "h100" / "Falconsai_nsfw_image_detection__1016002.json.gz",
              LENS / "h100" / "gaunernst_bert-small-uncased__1016001.json.gz",
              LENS / "mi210_gpu_only" / "gpu_only_trace.json.gz",
              LENS / "mi300" / "Falconsai_nsfw_image_detection__1016002.json.gz",
              LENS / "mi300" / "gaunernst_bert-small-uncased__1016001.json.gz"]

# The calls whose launches Holistic Trace Analysis counts.
HTA_CALLS = "('cudaLaunchKernel', 'cudaLaunchKernelExC', 'cudaMemcpyAsync', 'cudaMemsetAsync')"


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


STORE = tempfile.TemporaryDirectory()


def xsp(*arguments):
    done = subprocess.run([str(XSP), *map(str, arguments), "--format", "json"], capture_output=True, text=True,
                          env={**os.environ, "XSP_STORE": STORE.name})
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: status {done.returncode}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)


@functools.cache
def imported(*files):
    """The run's directory; several tests ask the same traces."""
    return xsp("import", *files)["run"]


class Run:
    """An imported trace, to be asked with SQL."""

    def __init__(self, test, *files):
        self.test = test
        self.path = imported(*files)

    def xsp(self, *arguments):
        return xsp(*arguments)

    def query(self, sql):
        return self.xsp("query", self.path, sql)

    def one(self, sql):
        rows = self.query(sql)
        self.test.assertEqual(len(rows), 1, sql)
        return rows[0]


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class TraceLensTest(unittest.TestCase):
    def check_timeline(self, run, reference):
        """Times in ms. That tool adds doubles of us since 1970, whose step is 0.25 us: 3 decimals are exact."""
        theirs = {row["type"]: float(row["time ms"]) for row in rows_of(reference / "gpu_timeline.csv")}
        ours = run.one("FROM device_time WHERE step IS NULL")
        by_type = collections.Counter({row["type"]: row["ns"] for row in run.query(
            "SELECT type, sum(device_ns) AS ns FROM launch GROUP BY type")})
        for name, ns in (("busy_time", ours["busy_ns"]), ("idle_time", ours["idle_ns"]), ("total_time", ours["total_ns"]),
                         # To that tool a fill computes, to us it is a copy; in these traces no fill overlaps anything.
                         ("computation_time", ours["compute_ns"] + by_type["memset"]),
                         ("exposed_memcpy_time", ours["exposed_copy_ns"] - by_type["memset"]),
                         ("exposed_comm_time", ours["exposed_communication_ns"]),
                         ("total_comm_time", ours["communication_ns"]),
                         ("total_memcpy_time", by_type["memcpy"])):
            self.assertAlmostEqual(ns / 1e6, theirs[name], 3, name)

    def check_short_kernels(self, run, reference):
        ours = {row["name"]: row for row in run.query("FROM launch WHERE type = 'kernel' AND brief > 0")}
        count, total = collections.Counter(), collections.Counter()
        for row in rows_of(reference / "short_kernels_summary.csv"):
            count[row["Kernel name"]] += int(row["Short Kernel count"])
            total[row["Kernel name"]] += float(row["Short Kernel duration (µs) sum"])
        self.assertEqual(count, {name: row["brief"] for name, row in ours.items()})
        for name, us in total.items():
            self.assertAlmostEqual(ours[name]["brief_ns"] / 1e3, us, 3, name)
        bins = rows_of(reference / "short_kernel_histogram.csv")
        starts = [float(row["bin_start"]) for row in bins]
        histogram = collections.Counter(
            bisect.bisect_right(starts, row["duration_ns"] / 1e3) - 1 for row in run.query(
                "SELECT duration_ns FROM span WHERE level = 'kernel' AND type = 'kernel' AND duration_ns < 10000"))
        self.assertEqual([histogram[i] for i in range(len(bins))], [int(row["count"]) for row in bins])

    def test_two_vendors(self):
        for vendor in ("h100", "mi300"):
            for trace in sorted((LENS / vendor).glob("*.json.gz")):
                with self.subTest(trace=trace.name, vendor=vendor):
                    run = Run(self, trace)
                    reference = LENS / vendor / "reference" / trace.name.replace(".json.gz", "_perf_report_csvs")
                    self.check_timeline(run, reference)
                    self.check_short_kernels(run, reference)

    def test_without_operators(self):
        folder = LENS / "mi210_gpu_only"
        run = Run(self, folder / "gpu_only_trace.json.gz")
        self.check_timeline(run, folder / "gpu_only_trace_perf_report_csvs")
        self.check_short_kernels(run, folder / "gpu_only_trace_perf_report_csvs")

    def test_graph_replay_with_its_capture(self):
        captures = sorted((REPLAY / "capture_traces").glob("*.json.gz"))
        run = Run(self, *sorted(REPLAY.glob("*.json.gz")), *captures)
        self.check_timeline(run, REPLAY / "perf_csvs")
        # Every kernel of the replay has its launch, and no launch of the capture is one of them.
        launches = run.one("SELECT sum(launches) AS launches, sum(unlaunched) AS unlaunched FROM launch")
        self.assertEqual((launches["launches"], launches["unlaunched"]), (558, 0))
        self.assertEqual(run.one("SELECT count(*) AS rows FROM idle WHERE cause = 'unknown'")["rows"], 0)


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class DeviceTimeLeadsTest(unittest.TestCase):
    """Layers of a GPU trace are ranked by device time, and nothing of the page is above 100 %."""

    # Of each H100 trace: the first layer type with its share of device time, the next two, and the idle share. The shares are
    # those of TraceLens' ops_summary.csv, which has the kernel time of the operators in these layers.
    EXPECTED = {"gaunernst_bert-small-uncased__1016001": ("aten::linear", 0.639, {"aten::scaled_dot_product_attention", "aten::layer_norm"}, 0.921),
                "Falconsai_nsfw_image_detection__1016002": ("aten::linear", 0.600, {"aten::conv2d", "aten::scaled_dot_product_attention"}, 0.838)}

    def test_h100(self):
        for name, (first, share, next_two, idle) in self.EXPECTED.items():
            with self.subTest(trace=name):
                run = Run(self, LENS / "h100" / f"{name}.json.gz")
                rows = run.xsp("analyze", "A6", run.path)["rows"]
                self.assertEqual(rows[0]["type"], first)
                self.assertAlmostEqual(rows[0]["device_time_share"], share, delta=0.001)
                self.assertEqual({row["type"] for row in rows[1:3]}, next_two)
                self.assertAlmostEqual(sum(row["device_time_share"] for row in rows), 1, 9)
                # Our shares add the operators of a layer; theirs have a row for each operator that launched kernels.
                reference = LENS / "h100" / "reference" / f"{name}_perf_report_csvs"
                theirs = {row["name"]: float(row["total_direct_kernel_time_ms"]) for row in rows_of(reference / "ops_summary.csv")}
                self.assertAlmostEqual(theirs["aten::addmm"] / sum(theirs.values()), share, delta=0.001)
                whole = run.one("FROM device_time WHERE step IS NULL")
                self.assertAlmostEqual(whole["idle_ns"] / whole["total_ns"], idle, delta=0.001)
                text = subprocess.run([str(XSP), "show", run.path], capture_output=True, text=True,
                                      env={**os.environ, "XSP_STORE": STORE.name}).stdout
                self.assertRegex(text, rf"{first} layers \(\d+\) take {share * 100:.1f} % of the device time")
                self.assertIn("because the host launched too late", " ".join(text.split()))

    def test_no_share_is_above_one(self):
        traces = [*HTA_TRACES, TRACES / "D16_execution_trace" / "linear_kineto.json.gz",
                  TRACES / "D01_hta_simple_add_critical_path" / "input" / "trace.json.gz"]
        for trace in traces:
            with self.subTest(trace=trace):
                run = Run(self, trace)
                for analysis in ("A2", "A3", "A6", "A8", "A10", "A13", "A15", "models"):
                    for row in run.xsp("analyze", analysis, run.path)["rows"]:
                        for column, value in row.items():
                            if column.endswith("_share") or column.startswith("share_of"):
                                self.assertLessEqual(value or 0, 1 + 1e-9, (analysis, column, row))

    def test_pages_are_small(self):
        for trace in (*HTA_TRACES, TRACES / "D16_execution_trace" / "linear_kineto.json.gz"):
            with self.subTest(trace=trace):
                run = Run(self, trace)
                page = pathlib.Path(STORE.name) / "page.html"
                done = subprocess.run([str(XSP), "report", run.path, "-o", str(page)], capture_output=True, text=True,
                                      env={**os.environ, "XSP_STORE": STORE.name})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertLess(page.stat().st_size, 3_000_000)


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class HolisticTraceAnalysisTest(unittest.TestCase):
    """It adds doubles of us and rounds sums to 0.01 us: what it says is good to 0.02 us."""

    @classmethod
    def setUpClass(cls):
        cls.figures = json.loads((ROOT / "tests" / "hta_figures.json").read_text())

    def of(self, trace):
        return self.figures["/".join(str(trace).split("/")[-2:])]

    def last_step(self, run):
        return run.one("SELECT max(step) AS step, count(DISTINCT step) AS steps FROM device_time WHERE step IS NOT NULL")

    def assert_us(self, ns, us, what):
        self.assertAlmostEqual((ns or 0) / 1e3, us, delta=0.02, msg=what)

    def test_figures_are_what_the_package_says(self):
        if importlib.util.find_spec("hta") is None:
            self.skipTest("HolisticTraceAnalysis cannot be imported")
        found = hta_figures.figures(HTA_TRACES)
        if found["version"] != self.figures["version"]:
            self.skipTest(f"figures are of version {self.figures['version']}, here is {found['version']}")
        self.assertEqual(found, self.figures)

    def test_device_time(self):
        for trace in HTA_TRACES:
            with self.subTest(trace=trace):
                run = Run(self, trace)
                theirs = self.of(trace)
                ours = run.one("FROM device_time WHERE step IS NULL")
                # It leaves out work whose call is not in the file; here all of it has one.
                time = theirs["all"]["time_us"]
                self.assert_us(ours["idle_ns"], time["idle"], "idle")
                self.assert_us(ours["compute_ns"], time["compute"], "compute")
                self.assert_us(ours["busy_ns"] - ours["compute_ns"], time["non_compute"], "non_compute")
                self.assert_us(ours["total_ns"], time["kernel"], "kernel")
                last = self.last_step(run)
                if last["steps"] > 1:
                    # By default it drops all that the last step launched.
                    step = run.one(f"FROM device_time WHERE step = {last['step']}")
                    self.assert_us(ours["compute_ns"] - step["compute_ns"], theirs["without_last"]["time_us"]["compute"],
                                   "compute without the last step")
                overlap = theirs["all"]["overlap_percent"]
                if overlap is None:
                    self.assertEqual(ours["communication_ns"], 0)
                else:
                    self.assertAlmostEqual(100 * ours["compute_communication_ns"] / ours["communication_ns"], overlap, 2)

    def test_idle_causes(self):
        for trace in HTA_TRACES:
            with self.subTest(trace=trace):
                run = Run(self, trace)
                theirs = self.of(trace)
                ours = collections.defaultdict(collections.Counter)
                without_last = collections.defaultdict(collections.Counter)
                # Its "kernel wait" is what was launched in time and came within 30 us.
                names = {"host": "host_wait", "kernel": "kernel_wait", "launch": "kernel_wait", "other": "other"}
                last = self.last_step(run)
                for row in run.query("FROM idle WHERE stream IS NOT NULL"):
                    if row["step"] is None:
                        ours[str(row["stream"])][names[row["cause"]]] += row["idle_ns"]
                        without_last[str(row["stream"])][names[row["cause"]]] += row["idle_ns"]
                    elif row["step"] == last["step"] and last["steps"] > 1:
                        without_last[str(row["stream"])][names[row["cause"]]] -= row["idle_ns"]
                # By default it drops all that the last step launched: the rows of that step are what is missing.
                for figures, counted in ((theirs["all"], ours), (theirs["without_last"], without_last)):
                    for stream in counted:
                        for name in set(names.values()):
                            self.assert_us(counted[stream][name], figures["idle_us"].get(stream, {}).get(name, 0),
                                           f"stream {stream} {name}")

    def test_launches(self):
        for trace in HTA_TRACES:
            with self.subTest(trace=trace):
                run = Run(self, trace)
                theirs = self.of(trace)["all"]["launches"]
                sums = run.one(f"""
                    SELECT count(*) AS count, sum(c.duration_ns) AS call_ns, sum(k.duration_ns) AS device_ns,
                           sum(greatest(0, k.start_ns - c.start_ns - c.duration_ns)) AS delay_ns,
                           count(*) FILTER (k.duration_ns < c.duration_ns) AS short,
                           (SELECT count(*) FROM span k WHERE level = 'kernel') AS all
                    FROM span k JOIN span c ON c.id = k.parent_id WHERE k.level = 'kernel' AND c.name IN {HTA_CALLS}""")
                if theirs["count"] == sums["all"]:
                    # Every launch is one that it knows: the table says the same.
                    sums = run.one("""
                        SELECT sum(launches) AS count, sum(call_ns) AS call_ns, sum(device_ns) AS device_ns,
                               sum(queued_ns + waited_ns) AS delay_ns, sum(short) AS short FROM launch""")
                self.assertEqual(sums["count"], theirs["count"])
                self.assertEqual(sums["short"], theirs["short"])
                for name in ("call", "device", "delay"):
                    # Sums of up to 9,096 doubles of us.
                    self.assertAlmostEqual((sums[f"{name}_ns"] or 0) / 1e3, theirs[f"{name}_us"], delta=1.0, msg=name)


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class TensorBoardPluginTest(unittest.TestCase):
    """The plugin adds counters to a trace: "GPU n Utilization", the share of each of 10 to 100 equal periods (of a power of
    ten us, the last one longer) in which a kernel ran; "GPU n Est. SM Efficiency", the blocks per multiprocessor of the
    kernels that run at once, at most 1. Its expected file was written with made-up values "for easy to see in UI": by its
    own test's words 100 times and 10 times the real ones."""

    UTILISATION = """
        WITH range AS (SELECT min(start_ns) AS first, max(start_ns + duration_ns) AS last FROM span
                       WHERE name LIKE 'PyTorch Profiler%' OR name LIKE 'Iteration Start: PyTorch Profiler%'),
        unit AS (SELECT first, last, pow(10, ceil(log10(greatest((last - first) / 1e3 / 100, 1))))::BIGINT * 1000 AS ns
                 FROM range),
        period AS (SELECT first + i * ns AS start,
                          CASE WHEN i + 1 = (last - first) // ns THEN last ELSE first + (i + 1) * ns END AS stop
                   FROM unit, range(0, (last - first) // ns) AS r(i)),
        kernel AS (SELECT start_ns AS start, start_ns + duration_ns AS stop,
                          max(start_ns + duration_ns) OVER (ORDER BY start_ns ROWS BETWEEN UNBOUNDED PRECEDING
                                                            AND 1 PRECEDING) AS before
                   FROM span WHERE level = 'kernel' AND type = 'kernel')
        SELECT p.start, coalesce(sum(greatest(0, least(k.stop, p.stop)
                                 - greatest(k.start, p.start, coalesce(k.before, 0))))
                                 FILTER (k.start IS NOT NULL), 0) / (p.stop - p.start) AS value
        FROM period p LEFT JOIN kernel k ON k.start < p.stop AND k.stop > p.start GROUP BY p.start, p.stop ORDER BY 1"""

    EFFICIENCY = """
        WITH kernel AS (SELECT start_ns AS start, start_ns + duration_ns AS stop,
                               (a.arguments->>'$."blocks per SM"')::DOUBLE AS blocks
                        FROM span s JOIN argument a ON a.span_id = s.id WHERE level = 'kernel' AND type = 'kernel'),
        border AS (SELECT start AS time FROM kernel UNION SELECT stop FROM kernel),
        segment AS (SELECT time AS start, lead(time) OVER (ORDER BY time) AS stop FROM border)
        SELECT s.start, s.stop, least(sum(k.blocks), 1) AS value
        FROM segment s JOIN kernel k ON k.start <= s.start AND k.stop >= s.stop GROUP BY s.start, s.stop ORDER BY 1"""

    def test_counters(self):
        run = Run(self, OLD / "71530b1d__gpu_metrics_input.json")
        expected = collections.defaultdict(list)
        for event in json.loads((OLD / "81f03632__gpu_metrics_expected.json").read_text())["traceEvents"]:
            if event["ph"] == "C":
                expected[event["name"]].append((event["ts"] * 1000, *event["args"].values()))
        # Each series starts with 1 and 0, which set the scale.
        utilisation = [(row["start"], row["value"] * 100) for row in run.query(self.UTILISATION)]
        theirs = expected["GPU 0 Utilization"][2:]
        self.assertEqual([start for start, _ in utilisation], [start for start, _ in theirs[:-1]])
        for (_, ours), (_, value) in zip(utilisation, theirs):
            self.assertAlmostEqual(ours, value, 12)
        self.assertEqual(theirs[-1][1], 0)
        efficiency = []
        for row in run.query(self.EFFICIENCY):
            efficiency += [(row["start"], row["value"] * 10), (row["stop"], 0)]
        theirs = expected["GPU 0 Est. SM Efficiency"][2:]
        self.assertEqual([start for start, _ in efficiency], [start for start, _ in theirs])
        for (_, ours), (_, value) in zip(efficiency, theirs):
            self.assertAlmostEqual(ours, value, 12)


if __name__ == "__main__":
    if not LENS.is_dir():
        print(f"skipped: no reference data: {LENS}")
        sys.exit(77)
    unittest.main()
