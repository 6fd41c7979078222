#!/usr/bin/env python3
"""Recordings of a real GPU (NVIDIA H100, driver 580.159.04, PyTorch 2.11; tools/gpu_check, step samples): two calls of ResNet-50 after
two for warm-up, eager and as replays of a CUDA graph. A call has 218 kernels."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
KERNELS, CALLS = 218, 2
WAYS = """SELECT coalesce(k.placed_by, 'none') AS way, k.layer_id IS NOT NULL AS tied, count(*) AS kernels
          FROM kernel_layer k JOIN span s ON s.id = k.kernel_id AND s.run_id = k.run_id WHERE s.type = 'kernel' GROUP BY ALL"""


class GpuRecordingsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.environment = {**os.environ, "XSP_STORE": folder.name}

    def xsp(self, *arguments):
        return json.loads(subprocess.run([BUILD / "bin" / "xsp", *arguments, "--format", "json"], check=True, capture_output=True,
                                         text=True, timeout=900, env=self.environment).stdout)

    def kernels(self, mode):
        self.xsp("import", ROOT / "tests" / "recordings" / f"h100_resnet50_{mode}.xspr", "--name", mode)
        self.assertEqual(self.xsp("query", mode, "SELECT count(*) AS n FROM span WHERE level = 'model'")[0]["n"], CALLS)
        self.assertEqual(self.xsp("query", mode, "SELECT * FROM diagnostic"), [])
        return {(row["way"], row["tied"]): row["kernels"] for row in self.xsp("query", mode, WAYS)}

    def test_each_kernel_of_an_eager_call_belongs_to_the_layer_that_launched_it(self):
        self.assertEqual(self.kernels("eager"), {("launch", True): 4 * KERNELS})

    def test_kernels_of_a_replay_belong_to_the_layers_in_which_the_graph_was_captured(self):
        # The two that belong to no layer are of the capture itself.
        self.assertEqual(self.kernels("graph"), {("launch", True): 2 * KERNELS, ("launch", False): 2,
                                                 ("graph_node", True): CALLS * KERNELS})


if __name__ == "__main__":
    unittest.main()
