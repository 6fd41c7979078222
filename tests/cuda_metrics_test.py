#!/usr/bin/env python3
"""`xsp record --cuda-metrics` on a program over a made libcupti (src/capture/record/cuda/testing; no GPU is needed, none is measured):
times come from one run, metrics from another, and both end on the same kernels of the tables."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
PROGRAM, LIBRARY = BUILD / "bin" / "xsp_cuda_metrics_program", BUILD / "lib" / "libxsp-cuda.so"
CUPTI, DRIVER = BUILD / "lib" / "libxsp_fake_cupti.so", BUILD / "fake_driver" / "libcuda.so.1"
CALLS = 50  # testing/metrics_program.cc


def counter(raw, kernel):
    """FakeCounter of testing/fake_profiler.h."""
    total = 0
    for byte in raw.encode():
        total = (total * 31 + byte) % 2**64
    return total % 1000 + 1000 * kernel


@unittest.skipUnless(PROGRAM.exists(), "libxsp-cuda.so or its tests are not built here")
class CudaMetricsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store"), "XSP_CUPTI_LIBRARY": str(CUPTI)}

    def xsp(self, *arguments, mode="", status=0):
        done = subprocess.run([BUILD / "bin" / "xsp", *arguments], env={**self.environment, "FAKE_CUPTI": mode},
                              capture_output=True, timeout=900)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done

    def record(self, metrics, mode="", how="eager"):
        summary = self.folder / "summary.json"
        self.xsp("record", "--cuda-metrics", metrics, "--no-roofs", "--monitor-rate", "0", "--format", "json", "--summary",
                 summary, "--", PROGRAM, LIBRARY, CUPTI, how, DRIVER, mode=mode)
        return json.loads(summary.read_text())

    def query(self, sql):
        return json.loads(self.xsp("query", "latest", sql, "--format", "json").stdout)

    def test_times_and_metrics_meet_on_the_same_kernels(self):
        summary = self.record("dram,occupancy")
        runs = self.query("SELECT rung, status FROM run ORDER BY run_id")
        self.assertEqual([(run["rung"], run["status"]) for run in runs], [("recorded", "done"), ("counters", "done")])
        kernels = self.query("SELECT * FROM kernel ORDER BY kernel_index")
        self.assertEqual([row["name"] for row in kernels], ["void gemm<128>(float const*, float*)", "relu(float*)"])
        for index, row in enumerate(kernels):
            self.assertEqual(row["duration_ns"], 10_000, "the time is the first run's, not the replays'")
            self.assertEqual(row["traffic_provenance"], "measured:cupti")
            self.assertEqual(row["matched"], "all")
            # Trimmed means over calls: the kernels of a call are 2 call and 2 call + 1.
            expected = counter("dram__bytes_read.sum", (CALLS - 1) + index)
            self.assertAlmostEqual(row["read_bytes"], expected, delta=1e-6 * expected)
        raw = self.query("SELECT count(*) AS n FROM metric WHERE name = 'dram_write_bytes' AND provenance = 'measured:cupti'")
        self.assertEqual(raw[0]["n"], 2 * CALLS)
        note = next(note for note in summary["notes"] if note.startswith("Kernel metrics"))
        self.assertIn("100 kernels, each replayed in 3 passes", note)
        self.assertIn("times as long", note)

    def test_flops_and_layers_get_their_sums(self):
        self.record("roofline")
        kernels = self.query("SELECT flops, flops_provenance, layer_index FROM kernel ORDER BY kernel_index")
        layers = self.query("SELECT flops, read_bytes FROM layer ORDER BY layer_index")
        self.assertEqual(len(layers), 2)
        for kernel, layer in zip(kernels, layers):
            self.assertEqual(kernel["flops_provenance"], "measured:cupti")
            self.assertEqual(kernel["flops"], layer["flops"])
            self.assertGreater(layer["read_bytes"], 0)

    def test_what_cannot_be_measured_is_a_note_and_the_times_are_there(self):
        summary = self.record("roofline", mode="metrics_no_permission")
        self.assertTrue(any("NVreg_RestrictProfilingToAdminUsers=0" in note for note in summary["notes"]), summary["notes"])
        self.assertTrue(any("no kernel has any" in note for note in summary["notes"]))
        kernels = self.query("SELECT duration_ns, flops FROM kernel")
        self.assertEqual([(row["duration_ns"], row["flops"]) for row in kernels], [(10_000, None), (10_000, None)])

    def test_names_are_looked_at_before_the_program_runs(self):
        done = self.xsp("record", "--cuda-metrics", "roofline,speed", "--", "touch", self.folder / "ran", status=2)
        self.assertIn(b"no such set of kernel metrics: speed", done.stderr)
        self.assertIn(b"flops, roofline", done.stderr)
        done = self.xsp("record", "--cuda-metrics", "dram", "--delay", "3", "--", "touch", self.folder / "ran", status=2)
        self.assertIn(b"cannot be limited by time", done.stderr)
        done = self.xsp("record", "--cuda-metrics", "dram", "--depth", "layer", "--", "touch", self.folder / "ran", status=2)
        self.assertIn(b"need kernels to be recorded: --depth layer", done.stderr)
        self.assertFalse((self.folder / "ran").exists())

    def test_a_metrics_recording_alone_gives_no_times(self):
        recordings = self.folder / "recordings"
        recordings.mkdir()
        subprocess.run([PROGRAM, LIBRARY, CUPTI, "eager", DRIVER], check=True, timeout=900, capture_output=True,
                       env={**self.environment, "XSP_RECORD_FOLDER": str(recordings), "XSP_RECORD_CUDA_METRICS": "dram"})
        document = json.loads(self.xsp("import", *recordings.glob("*.xspr"), "--format", "json").stdout)
        hints = {entry["name"]: entry["hint"] for entry in document["diagnostics"]}
        self.assertIn("xsp record --cuda-metrics", hints["cuda_metrics_times"])
        self.assertEqual(self.query("SELECT rung FROM run"), [{"rung": "counters"}])
        kernels = "SELECT count(*) AS n, count(read_bytes) > 0 AS counted, count(duration_ns) AS timed FROM kernel"
        self.assertEqual(self.query(kernels), [{"n": 2, "counted": True, "timed": 0}])

    def test_gpu_check_reads_what_was_kept(self):
        kept = self.folder / "kept"
        for mode in ("", "metrics_reversed"):
            kept.unlink(missing_ok=True)
            subprocess.run([PROGRAM, LIBRARY, CUPTI, "eager", DRIVER], check=True, timeout=900, capture_output=True,
                           env={**self.environment, "XSP_RECORD_FOLDER": str(self.folder), "XSP_RECORD_CUDA_METRICS": "dram",
                                "XSP_RECORD_CUDA_KEEP": str(kept), "FAKE_CUPTI": mode})
            done = subprocess.run([sys.executable, ROOT / "tools" / "gpu_check_metrics.py", "--read", kept], check=True,
                                  capture_output=True, timeout=900)
            read = json.loads(done.stdout)
            self.assertEqual(read["plans"][0]["passes"], 3)
            self.assertEqual(read["plans"][0]["compute_capability"], 9.0)
            self.assertEqual(len(read["launches"]), 2 * CALLS)
            for number, launch in enumerate(read["launches"]):
                self.assertEqual(launch["raw"]["dram__bytes_read.sum"], counter("dram__bytes_read.sum", number))


if __name__ == "__main__":
    unittest.main()
