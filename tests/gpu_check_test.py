#!/usr/bin/env python3
"""How tools/gpu_check judges recordings, with those of a made libcupti (no GPU is needed, none is measured): in a folder with blanks
in its name, with kernels, without any, and where CUPTI had trouble."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
PROGRAM, LIBRARY = BUILD / "bin" / "xsp_cuda_program", BUILD / "lib" / "libxsp-cuda.so"
CUPTI, DRIVER = BUILD / "lib" / "libxsp_fake_cupti.so", BUILD / "fake_driver" / "libcuda.so.1"


@unittest.skipUnless(PROGRAM.exists(), "libxsp-cuda.so or its tests are not built here")
class GpuCheckTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="two words ")
        self.addCleanup(temporary.cleanup)
        self.out = pathlib.Path(temporary.name) / "what came back"

    def record(self, name, how, mode=""):
        folder = self.out / "recordings" / name
        folder.mkdir(parents=True)
        subprocess.run([PROGRAM, LIBRARY, CUPTI, how, DRIVER], check=True, timeout=120,
                       env={**os.environ, "XSP_CUPTI_LIBRARY": str(CUPTI), "XSP_RECORD_FOLDER": str(folder), "FAKE_CUPTI": mode})

    def read(self):
        done = subprocess.run([ROOT / "tools" / "gpu_check", "--read", self.out], capture_output=True, timeout=300,
                              env={**os.environ, "XSP_BUILD": str(BUILD)})
        steps = {step["step"]: step for step in json.loads((self.out / "results.json").read_text())}
        return done.returncode, steps, done.stderr.decode()

    def test_kernels_without_trouble_pass(self):
        self.record("graph", "graph")
        status, steps, said = self.read()
        self.assertEqual(status, 0, said)
        self.assertEqual(list(steps), ["import-graph"])
        self.assertEqual(steps["import-graph"]["result"]["kernels"], 20 * 200)
        self.assertEqual(steps["import-graph"]["result"]["tied_share"], 1)
        self.assertEqual(steps["import-graph"]["result"]["diagnostics"], {})

    def test_a_recording_without_kernels_fails(self):
        self.record("graph", "exit", "gpu_lost")
        status, steps, said = self.read()
        self.assertEqual(status, 5)
        self.assertEqual(steps["import-graph"]["status"], 1)
        self.assertIn("no kernels were recorded", said)

    def test_a_diagnostic_of_cupti_fails_although_there_are_kernels(self):
        self.record("eager", "exit")
        self.record("graph", "exit", "no_memory")
        status, steps, said = self.read()
        self.assertEqual(status, 5)
        self.assertEqual(steps["import-eager"]["status"], 0)
        self.assertIn("no kernels", said)

    def test_nothing_to_read_fails(self):
        self.out.mkdir(parents=True)
        self.assertEqual(self.read()[0], 5)


if __name__ == "__main__":
    unittest.main()
