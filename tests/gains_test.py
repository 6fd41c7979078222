#!/usr/bin/env python3
"""What findings would save, on traces: of one written here whose gain is known, and of real ones from GPUs of several
vendors. All gains that add up stay within the step, the pieces of the step add up to it, low <= expected <= high, and
what a finding lacks of its own gain is what the findings that it names have.

The real traces need the reference data folder (../shared/data beside the checkout, or XSP_REFERENCE_DATA); that part is
skipped without it.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
TRACES = pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces"
# Gains below this share of the whole do not decide the order (docs/findings.md).
NOTED = 0.001


class Store:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def run(self, *arguments):
        done = subprocess.run([str(XSP), *map(str, arguments), "--format", "json"], capture_output=True, text=True,
                              env={**os.environ, "XSP_STORE": self.folder.name})
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: status {done.returncode}\n{done.stderr[-3000:]}")
        return json.loads(done.stdout)

    def findings(self, *files):
        self.run("import", *files, "--name", "traced")
        return self.run("findings", "traced")["findings"]

    def pieces_ns(self):
        return self.run("query", "traced", "SELECT sum(duration_ns) AS ns FROM path_piece")[0]["ns"]


def event(name, category, start, duration, track, **arguments):
    return {"ph": "X", "name": name, "cat": category, "ts": start, "dur": duration, "pid": 0 if category == "kernel" else 1,
            "tid": track, "args": arguments}


def host_bound(late_us, kernel_us=10, kernels=20):
    """One step in which each kernel is launched `late_us` after the one before it has ended."""
    events = []
    now = 0.0
    for index in range(kernels):
        launch = now + late_us
        events.append(event("aten::mm", "cpu_op", now + 1, late_us + 3, 1, **{"External id": index + 1}))
        events.append(event("cudaLaunchKernel", "cuda_runtime", launch, 3, 1, correlation=index + 1))
        events.append(event("gemm", "kernel", launch + 1, kernel_us, 7,
                            **{"External id": index + 1, "correlation": index + 1, "device": 0, "stream": 7}))
        now = launch + 1 + kernel_us
    events.append(event("cudaDeviceSynchronize", "cuda_runtime", now - 5, 6, 1))
    events.append(event("ProfilerStep#1", "user_annotation", 0, now + 2, 1))
    return {"schemaVersion": 1, "traceEvents": events}


class Gains(unittest.TestCase):
    def check(self, found, pieces_ns):
        """What holds for the findings of any experiment; the sums of low, expected and high gains."""
        sums = [0, 0, 0]
        for finding in found:
            gain_ns, gain = finding["gain_ns"], finding["gain"]
            self.assertEqual(gain_ns is None, gain is None, finding["id"])
            if gain is None:
                continue
            low, expected, high = gain_ns
            whole = gain["whole_ns"]
            self.assertTrue(0 <= low <= expected <= high * (1 + 1e-9) <= whole * (1 + 1e-6), (finding["id"], gain_ns))
            self.assertAlmostEqual(finding["gain_share"], expected / whole, 9)
            if not gain["adds_up"]:
                continue
            self.assertAlmostEqual(whole / pieces_ns, 1, 9)
            sums = [total + ns for total, ns in zip(sums, gain_ns)]
            of = 1 if gain["alone_ns"][1] > 0 else 2
            lost = gain["alone_ns"][of] - gain_ns[of]
            self.assertAlmostEqual(lost / whole, sum(other["ns"] for other in gain["overlaps"]) / whole, 6, finding["id"])
        shares = [finding["gain_share"] or 0 for finding in found]
        noted = [share for share in shares if share >= NOTED]
        self.assertEqual(noted, sorted(noted, reverse=True))
        return sums


class OwnTraceTest(Gains):
    def found(self, trace):
        with Store() as store:
            file = pathlib.Path(store.folder.name) / "trace.json"
            file.write_text(json.dumps(trace))
            found = store.findings(file)
            sums = self.check(found, store.pieces_ns())
            return {finding["id"]: finding for finding in found}, sums

    def test_a_late_host_costs_the_gaps_that_it_makes(self):
        found, sums = self.found(host_bound(late_us=50))
        # 19 gaps of 51 us between kernels, of which the host had launched in the last: 50 us each.
        self.assertAlmostEqual(found["idle_device"]["gain_ns"][1] / (19 * 50e3), 1, 1)
        self.assertLessEqual(sums[2], found["idle_device"]["gain"]["whole_ns"])
        self.assertEqual(list(found)[0], "idle_device")

    def test_a_busy_device_leaves_nothing_to_a_faster_host(self):
        found, sums = self.found(host_bound(late_us=1, kernel_us=500))
        self.assertNotIn("idle_device", found)
        self.assertLess(sums[1], 0.02 * 20 * 502e3)


CASES = {
    "D02": ["D02_hta_nccl_2rank_rank0/*.json.gz"],
    "D03": ["D03_hta_sampled_ranks_0_1_of_128/*.json.gz"],
    "D04": ["D04_hta_cupti_profiler_counters/*.json.gz"],
    "D05": ["D05_kineto_tb_resnet50_old_schema/worker0*.json.gz"],
    "D06 H100 image": ["D06_tracelens_h100_vs_mi300/h100/Falconsai*.json.gz"],
    "D06 H100 text": ["D06_tracelens_h100_vs_mi300/h100/gaunernst*.json.gz"],
    "D06 MI300 image": ["D06_tracelens_h100_vs_mi300/mi300/Falconsai*.json.gz"],
    "D06 MI300 text": ["D06_tracelens_h100_vs_mi300/mi300/gaunernst*.json.gz"],
    "D06 MI210": ["D06_tracelens_h100_vs_mi300/mi210_gpu_only/*.json.gz"],
}


@unittest.skipUnless(TRACES.is_dir(), f"no reference data: {TRACES}")
class RealTracesTest(Gains):
    def test_gains_of_real_traces_add_up_to_no_more_than_the_step(self):
        for name, patterns in CASES.items():
            files = sorted(file for pattern in patterns for file in TRACES.glob(pattern))
            with self.subTest(trace=name), Store() as store:
                self.assertTrue(files)
                found = store.findings(*files)
                whole_ns = store.pieces_ns()
                sums = self.check(found, whole_ns)
                shares = ", ".join(f"{100 * ns / whole_ns:.1f} %" for ns in sums)
                print(f"{name}: gains of a {whole_ns / 1e6:.2f} ms step add up to (low, expected, high) {shares}")
                self.assertLessEqual(sums[2], whole_ns * (1 + 1e-9))


if __name__ == "__main__":
    unittest.main()
