"""Accelerators are devices by the names of their providers: a model runs on the OpenVINO execution provider of ONNX Runtime, the one
besides the CPU's that needs no accelerator. That of an FPGA or NPU is chosen in the same way; where it is not there, the answer says
what is. Skipped without .deps/onnxruntime-openvino (tools/setup --test)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin"
LIBRARIES = sorted((ROOT / ".deps" / "onnxruntime-openvino").glob("onnxruntime/capi/libonnxruntime.so.1*"))
NO_FALLBACK = "onnxruntime:session_config=session.disable_cpu_ep_fallback=1"


def xsp(store, *words):
    return subprocess.run([BIN / "xsp", "--store", store, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "XSP_ONNXRUNTIME_LIBRARY": str(LIBRARIES[0])})


class ProviderDevice(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = folder.name

    def run_tiny(self, *words):
        return xsp(self.store, "run", "tiny", "--iterations", "10", "--no-roofs", *words)

    def on_provider(self, *words):
        return self.run_tiny("--backend", "onnxruntime", "--device", "openvino", *words)

    def test_provider_runs_every_node(self):
        done = self.on_provider("--option", NO_FALLBACK)
        self.assertEqual(done.returncode, 0, done.stderr)
        [point] = json.loads(xsp(self.store, "query", "--format", "json", "latest",
                                 "SELECT device, status, latency_ns FROM point").stdout)
        self.assertEqual((point["device"], point["status"]), ("openvino", "done"))
        self.assertGreater(point["latency_ns"], 0)
        # The same option on the CPU is refused: it does what the line above relies on.
        cpu = self.run_tiny("--backend", "onnxruntime", "--option", NO_FALLBACK)
        self.assertNotEqual(cpu.returncode, 0)
        self.assertIn("CPU EP", cpu.stderr)

    def test_worker_says_which_providers_are_there(self):
        described = json.loads(subprocess.run([BIN / "xsp-worker-onnxruntime", "describe"], capture_output=True, text=True, check=True,
                                              env={**os.environ, "XSP_ONNXRUNTIME_LIBRARY": str(LIBRARIES[0])}).stdout)
        self.assertEqual(described["devices"], ["cpu", "openvino"])
        none = self.run_tiny("--backend", "onnxruntime", "--device", "vitisai")
        self.assertNotEqual(none.returncode, 0)
        self.assertIn("no device vitisai (it has cpu, openvino)", none.stderr)

    def test_provider_without_its_accelerator_is_an_error(self):
        done = self.on_provider("--option", "onnxruntime:provider_options=device_type=GPU.9")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the provider OpenVINOExecutionProvider cannot be used here", done.stderr)

    @unittest.skipUnless((BIN / "xsp-worker-openvino").exists(), "no OpenVINO worker")
    def test_accelerator_of_openvino_that_is_not_there_is_an_error(self):
        for device in ("npu.9", "gpu.9"):
            done = self.run_tiny("--backend", "openvino", "--device", device)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"no device {device} (it has cpu", done.stderr)


if __name__ == "__main__":
    if not LIBRARIES or not (BIN / "xsp-worker-onnxruntime").exists():
        print("skipped: no ONNX Runtime with a second provider (tools/setup --test), or no ONNX Runtime worker")
        sys.exit(77)
    unittest.main()
