#!/usr/bin/env python3
"""Holds the table `occupancy` of real Kineto traces against `est. achieved occupancy %`, which PyTorch's profiler computes with
NVIDIA's occupancy calculator while it records. XSP's formula was checked against that calculator, too: what is shown here is that
launches and devices are read rightly. PyTorch's number is at most what the grid has (docs/definitions.md): each launch is compared
with the smaller of the two. It is 0 for blocks with more than 48 KiB of shared memory, as PyTorch does not tell the calculator that
they asked for it. Left out and counted: these, and kernels of one name whose launches need different resources; left out, too, are
communication and kernels that the file gives no duration.

Needs the reference data folder (../shared/data beside the checkout, or XSP_REFERENCE_DATA); skipped without it.
"""
import collections
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"
TRACES = pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces"
H100 = TRACES / "D06_tracelens_h100_vs_mi300" / "h100"


def xsp(store, *arguments):
    done = subprocess.run([str(XSP), *map(str, arguments), "--format", "json"], capture_output=True, text=True,
                          env={**os.environ, "XSP_STORE": store})
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: status {done.returncode}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)


def product(numbers):
    return math.prod(max(1, number) for number in numbers)


@unittest.skipUnless(H100.is_dir(), f"no reference data: {H100}")
class OccupancyTest(unittest.TestCase):
    def check(self, path, least_launches):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
            trace = json.load(file)
        device = trace["deviceProperties"][0]
        most_threads = device.get("maxThreadsPerMultiprocessor", 2048)
        launches = collections.defaultdict(list)
        for event in trace["traceEvents"]:
            if event.get("ph") == "X" and event["dur"] > 0 and "est. achieved occupancy %" in event.get("args", {}):
                launches[event["name"]].append(event["args"])
        with tempfile.TemporaryDirectory() as store:
            xsp(store, "import", path, "--name", "trace")
            ours = {row["name"]: row for row in xsp(store, "query", "trace", "FROM occupancy")}
        compared, mixed, not_estimated = 0, 0, 0
        for name, of_name in launches.items():
            if name.startswith("nccl"):  # Communication does not compute.
                self.assertNotIn(name, ours)
                continue
            self.assertEqual(ours[name]["launches"], len(of_name), name)
            if len({(product(args["block"]), args["registers per thread"], args["shared memory"]) for args in of_name}) > 1:
                mixed += len(of_name)
                continue
            if of_name[0]["shared memory"] > 48 * 1024:
                self.assertEqual({args["est. achieved occupancy %"] for args in of_name}, {0}, name)
                self.assertGreater(ours[name]["occupancy"], 0, name)
                not_estimated += len(of_name)
                continue
            for args in of_name:
                of_grid = product(args["grid"]) / device["numSms"] * product(args["block"]) / most_threads
                self.assertAlmostEqual(min(ours[name]["occupancy"], of_grid), args["est. achieved occupancy %"] / 100,
                                       delta=0.0051, msg=f"{name} {args}")  # Theirs is rounded.
                compared += 1
        print(f"{path.name}: {compared} launches agree; left out: {mixed} of names with several shapes, {not_estimated} with more "
              "than 48 KiB of shared memory")
        self.assertGreaterEqual(compared, least_launches)

    def test_h100_language_model(self):
        self.check(H100 / "gaunernst_bert-small-uncased__1016001.json.gz", 50)

    def test_h100_vision_model(self):
        self.check(H100 / "Falconsai_nsfw_image_detection__1016002.json.gz", 50)

    def test_training_of_two_ranks(self):
        self.check(TRACES / "D02_hta_nccl_2rank_rank0" / "nccl_data.json.gz", 500)

    def test_v100_of_an_early_profiler(self):
        self.check(TRACES / "D05_kineto_tb_resnet50_old_schema" / "worker0.1623143089861.pt.trace.json.gz", 500)

    def test_execution_trace(self):
        self.check(TRACES / "D16_execution_trace" / "linear_kineto.json.gz", 20)


if __name__ == "__main__":
    if not H100.is_dir():
        print(f"skipped: no reference data: {H100}")
        sys.exit(77)
    unittest.main()
