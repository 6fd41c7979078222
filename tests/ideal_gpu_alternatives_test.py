#!/usr/bin/env python3
"""Alternatives of what a GPU computed, from end to end and without a GPU: a trace of PyTorch's profiler names the shapes of a
convolution, a linear layer and a batch of products; xsp-cuda-alternatives measures them with the libraries of its tests."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP, LIBRARIES = BUILD / "bin" / "xsp", BUILD / "fake_cuda_alternatives"
CONVOLUTION = "mb1_ic64oc64_ih56oh56kh3sh1dh0ph1_iw56ow56kw3sw1dw0pw1"


class Trace:
    """Operators one after another, and kernels that begin when all are launched."""

    def __init__(self):
        self.events, self.now, self.number = [], 1000.0, 0

    def add(self, category, name, start, duration, process=100, thread=100, **arguments):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread, "ts": start, "dur": duration,
                            "args": arguments})

    def operator(self, name, shapes, values, kernels):
        start = self.now
        self.now += 1
        for kernel, duration in kernels:
            self.number += 1
            self.add("cuda_runtime", "cudaLaunchKernel", self.now, 1, cbid=211, correlation=self.number)
            self.add("kernel", kernel, 5000 + 100 * self.number, duration, 0, 7, device=0, stream=7, correlation=self.number)
            self.now += 2
        types = ["float" if shape else "Scalar" for shape in shapes]
        self.add("cpu_op", name, start, self.now - start, **{"Input Dims": shapes, "Input type": types, "Concrete Inputs": values})
        self.now += 1

    def document(self, gpu):
        return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": gpu}], "traceEvents": self.events,
                "traceName": "made", "displayTimeUnit": "ms", "baseTimeNanoseconds": 1700000000000000000}


def made_trace():
    trace = Trace()
    trace.operator("aten::cudnn_convolution", [[1, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], [], [], []],
                   ["", "", "[1, 1]", "[1, 1]", "[1, 1]", "1", "False", "False", "True"],
                   [("void cudnn::ops::nchwToNhwcKernel<float>(int)", 3),
                    ("cutlass_80_tensorop_s1688fprop_optimized_tf32_64x64", 30)])
    trace.operator("aten::addmm", [[3072], [128, 768], [768, 3072], [], []], ["", "", "", "1", "1"],
                   [("ampere_sgemm_128x64_tn", 60)])
    trace.operator("aten::relu", [[128, 3072]], [""], [("void at::native::vectorized_elementwise_kernel<4>(int)", 5)])
    trace.operator("aten::bmm", [[12, 64, 32], [12, 32, 64]], ["", ""], [("ampere_sgemm_64x64_nn", 40), ("splitKreduce_kernel", 5)])
    return trace


@unittest.skipUnless(LIBRARIES.exists(), "the libraries of xsp-cuda-alternatives' tests are not built here")
class IdealGpuAlternativesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store"), "XSP_CACHE": str(self.folder / "cache"),
                            "XSP_WORKER_PATH": str(BUILD / "bin"), "XSP_CUDA_LIBRARY_PATH": str(LIBRARIES)}

    def xsp(self, *arguments):
        return subprocess.run([XSP, *arguments], env=self.environment, capture_output=True, text=True, timeout=900)

    def load(self, gpu):
        file = self.folder / "made.json"
        file.write_text(json.dumps(made_trace().document(gpu)))
        done = self.xsp("import", str(file), "--name", "made")
        self.assertEqual(done.returncode, 0, done.stderr)

    def point(self, *arguments):
        done = self.xsp("ideal", "made", "--format", "json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["points"][0]

    def test_the_fastest_of_the_same_type_is_the_best_known_time(self):
        self.load("Fake H100")
        before, measured, after = self.point(), self.point("--alternatives"), self.point()
        self.assertEqual(before["alternatives"], {"known": 0, "measured_now": 0, "left": 3, "refused": 0})
        self.assertEqual(measured["alternatives"], {"known": 3, "measured_now": 3, "left": 0, "refused": 0})
        self.assertEqual(after["layers"], measured["layers"])
        primitives = {one["problem"]: one for one in measured["primitives"]}
        self.assertEqual(set(primitives), {CONVOLUTION, "128x768:768x3072", "12x64x32:12x32x64"})
        self.assertEqual(primitives[CONVOLUTION]["dtype"], "tfloat32")
        self.assertEqual(primitives[CONVOLUTION]["measured_ns"], 33000)
        self.assertEqual(primitives["128x768:768x3072"]["post_ops"], ["bias"])
        best = {layer["type"]: layer["best_known_ns"] for layer in measured["layers"]}
        # Of the fake libraries: testing/fake_cudnn.cc, testing/fake_cublas_lt.cc.
        self.assertAlmostEqual(best["aten::cudnn_convolution"], 10000, delta=2)
        self.assertAlmostEqual(best["aten::addmm"], 9000, delta=2)
        self.assertEqual(best["aten::relu"], 5000)

    def test_another_gpu_is_not_measured_here(self):
        self.load("NVIDIA H100 80GB HBM3")
        done = self.xsp("ideal", "made", "--alternatives")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("NVIDIA H100 80GB HBM3; here: Fake H100, Fake A100", done.stderr)


if __name__ == "__main__":
    if not XSP.exists():
        print("skipped: xsp is not built")
        sys.exit(77)
    unittest.main()
