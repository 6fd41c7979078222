#!/usr/bin/env python3
"""Holds the critical path and the collectives of real traces against what Holistic Trace Analysis (HTA) says of them and
against the files themselves.

Needs the reference data folder (../shared/data beside the checkout, or XSP_REFERENCE_DATA); skipped without it.
"""
import collections
import gzip
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
SIMPLE = TRACES / "D01_hta_simple_add_critical_path"
TWO_RANKS = TRACES / "D02_hta_nccl_2rank_rank0" / "nccl_data.json.gz"
SAMPLED = TRACES / "D03_hta_sampled_ranks_0_1_of_128"
OLD = TRACES / "D05_kineto_tb_resnet50_old_schema" / "worker0.1623143089861.pt.trace.json.gz"
H100 = TRACES / "D06_tracelens_h100_vs_mi300" / "h100" / "gaunernst_bert-small-uncased__1016001.json.gz"

# What HTA 0.5.0 prints for D01 as cpu_bound, in us: every name above 5 ms but two. Of cudaMalloc and of
# aten::addmm it leaves out what ran beside the kernels that it takes the path over (see below).
HTA_HOST_US = {"cudaDeviceGetStreamPriorityRange": 24587247, "cudaFree": 8309773, "aten::cudnn_convolution": 2891435,
               "aten::uniform_": 514961, "cudaStreamCreateWithFlags": 475365, "aten::mul": 34982, "aten::fill_": 30616}

# The same for rank 0 of D03, ProfilerStep#551.
HTA_STEP_HOST_US = {"aten::_foreach_mul_": 117005, "forward": 112279, "aten::_foreach_add_": 18433}


def events_of(path):
    with gzip.open(path) as file:
        return json.load(file)["traceEvents"]


@unittest.skipUnless(SIMPLE.is_dir(), f"no reference data: {SIMPLE}")
class CriticalPathReferenceTest(unittest.TestCase):
    def query(self, files, sql):
        with tempfile.TemporaryDirectory() as store:
            environment = {**os.environ, "XSP_STORE": store}
            for arguments in (["import", *map(str, files), "--name", "run"], ["query", "run", sql, "--format", "json"]):
                done = subprocess.run([str(XSP), *arguments], capture_output=True, text=True, env=environment)
                self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_path_of_hta_but_for_named_differences(self):
        rows = self.query([SIMPLE / "input" / "trace.json.gz"], "SELECT kind, name, segments, duration_ns FROM critical_path")
        ours = collections.Counter()
        for row in rows:
            ours[row["kind"], row["name"]] += row["duration_ns"]
        overlay = events_of(SIMPLE / "reference" / "overlaid_critical_path_trace.json.gz")
        critical = [event for event in overlay if event["ph"] == "X" and event.get("args", {}).get("critical")]

        copies = [event for event in critical if event["cat"] == "gpu_memcpy"]
        name = copies[0]["name"]
        self.assertEqual([row["segments"] for row in rows if row["kind"] == "copy"], [len(copies)])
        self.assertEqual(ours["copy", name], sum(copy["dur"] for copy in copies) * 1000)
        flows = collections.defaultdict(dict)
        for event in overlay:
            if event.get("cat") == "critical_path":
                flows[event["id"]][event["ph"]] = event
        starts = {copy["ts"] for copy in copies}
        launches = [flow["f"]["ts"] - flow["s"]["ts"] for flow in flows.values()
                    if flow["s"]["args"]["type"] == "critical_path_kernel_launch_delay" and flow["f"]["ts"] in starts]
        self.assertEqual(ours["launch", name], sum(launches) * 1000)
        for call, microseconds in HTA_HOST_US.items():
            self.assertEqual(ours["host", call], microseconds * 1000, call)

        # HTA goes from the last kernel to the cudaDeviceSynchronize after it, since the kernels took longer than the
        # operators beside them; the kernel had ended before the host called, so it held nobody up, and ours stays there.
        tail = [event for event in critical if event["cat"] in ("kernel", "gpu_memset")]
        synchronised = min(event["ts"] for event in overlay if event.get("name") == "cudaDeviceSynchronize"
                           and event["ts"] > max(kernel["ts"] for kernel in tail))
        self.assertLess(max(kernel["ts"] + kernel["dur"] for kernel in tail), synchronised)
        theirs = {event["name"] for event in critical}
        names = {name for _, name in ours}
        # The time of a launching call up to the start of its work is the launch's.
        self.assertEqual(theirs - names, {kernel["name"] for kernel in tail} | {"cudaMemcpyAsync"})
        # HTA knows no time between operators.
        annotations = {event["name"] for event in overlay if event.get("cat") == "user_annotation"}
        self.assertLessEqual(names - theirs, annotations | {"(nothing recorded)"})

    def test_the_largest_parts_of_a_step_are_those_of_hta(self):
        rows = self.query(sorted(SAMPLED.iterdir()), """
            SELECT name, duration_ns FROM critical_path WHERE rank = 0 AND step = 551 AND kind = 'host'""")
        ours = {row["name"]: row["duration_ns"] for row in rows}
        for name, microseconds in HTA_STEP_HOST_US.items():
            self.assertEqual(ours[name], microseconds * 1000, name)

    def test_the_parts_of_every_step_add_up_to_it(self):
        for files in ([TWO_RANKS], sorted(SAMPLED.iterdir()), [OLD], [H100]):
            rows = self.query(files, """
                WITH steps AS (
                  SELECT k.rank, regexp_extract(s.name, '[0-9]+$')::BIGINT AS step, s.duration_ns AS step_ns
                  FROM span s JOIN track k ON k.id = s.track_id WHERE s.type = 'step'),
                path AS (SELECT rank, step, sum(duration_ns) AS path_ns FROM critical_path GROUP BY rank, step)
                SELECT p.path_ns, s.step_ns FROM path p
                JOIN steps s ON s.step = p.step AND s.rank IS NOT DISTINCT FROM p.rank""")
            self.assertTrue(rows)
            for row in rows:
                self.assertEqual(row["path_ns"], row["step_ns"], (files[0].name, row))

    def test_a_host_bound_run_has_its_path_on_the_host(self):
        for file in (H100, TWO_RANKS):
            rows = self.query([file], "SELECT sum(duration_ns) FILTER (kind = 'host') / sum(duration_ns) AS host FROM critical_path")
            self.assertGreater(rows[0]["host"], 0.98, file.name)

    def test_collectives_are_what_the_file_says(self):
        bytes_of = {"Float": 4, "Long": 8}
        expected = collections.Counter()
        for event in events_of(TWO_RANKS):
            if event.get("cat") == "kernel" and "nccl" in event["name"]:
                said = event["args"]
                expected[said["Collective name"].replace("allreduce", "all_reduce"), said["Process Group Name"], said["Group size"],
                         max(said["In msg nelems"], said["Out msg nelems"]) * bytes_of[said["dtype"]], round(event["dur"] * 1000)] += 1
        rows = self.query([TWO_RANKS], "SELECT operation, process_group, group_size, bytes::BIGINT AS bytes, duration_ns FROM collective")
        self.assertGreater(len(rows), 0)
        self.assertEqual(collections.Counter(tuple(row.values()) for row in rows), expected)

    def test_partners_of_two_ranks_wait_for_the_later(self):
        ranks = []
        for path in sorted(SAMPLED.iterdir()):
            streams = collections.defaultdict(list)
            for event in sorted(events_of(path), key=lambda event: event.get("ts", 0)):
                if event.get("cat") == "kernel" and "nccl" in event["name"]:
                    streams[event["tid"]].append(event)
            ranks.append(streams)
        rows = self.query(sorted(SAMPLED.iterdir()), """
            SELECT rank, stream, instance, arrival_skew_ns, transfer_ns, duration_ns FROM collective""")
        self.assertEqual(len(rows), sum(len(events) for streams in ranks for events in streams.values()))
        for row in rows:
            pair = [streams[row["stream"]][row["instance"]] for streams in ranks]
            self.assertEqual(row["duration_ns"], pair[row["rank"]]["dur"] * 1000)
            last = max(event["ts"] for event in pair)
            self.assertEqual(row["arrival_skew_ns"], (last - pair[row["rank"]]["ts"]) * 1000)
            self.assertEqual(row["transfer_ns"], min(event["dur"] for event in pair) * 1000)


if __name__ == "__main__":
    if not SIMPLE.is_dir():
        print(f"skipped: no reference data: {SIMPLE}")
        sys.exit(77)
    unittest.main()
