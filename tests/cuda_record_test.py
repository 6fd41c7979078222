#!/usr/bin/env python3
"""From a CUDA program to tables: the injected library over a made libcupti (src/capture/record/cuda/testing; no GPU is needed, none is
measured), then `xsp import` and `xsp query`. Compared with what the fake driver did."""
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
CALLS, NODES = 20, 200  # testing/program.cc


@unittest.skipUnless(PROGRAM.exists(), "libxsp-cuda.so or its tests are not built here")
class CudaRecordTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store"), "XSP_CUPTI_LIBRARY": str(CUPTI),
                            "XSP_RECORD_FOLDER": str(self.folder / "recordings")}
        (self.folder / "recordings").mkdir()

    def xsp(self, *arguments):
        done = subprocess.run([BUILD / "bin" / "xsp", *arguments], env=self.environment, capture_output=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return json.loads(done.stdout)

    def record(self, how, mode=""):
        subprocess.run([PROGRAM, LIBRARY, CUPTI, how, DRIVER], env={**self.environment, "FAKE_CUPTI": mode}, check=True,
                       timeout=900)
        recordings = list((self.folder / "recordings").glob("*.xspr"))
        return self.xsp("import", *recordings, "--format", "json")

    def query(self, sql):
        return self.xsp("query", "latest", sql, "--format", "json")

    def test_replayed_graphs_are_attributed_by_node(self):
        document = self.record("graph")
        self.assertEqual(document["spans"]["kernel"], CALLS * NODES)
        ways = self.query("SELECT k.placed_by AS way, k.layer_id IS NOT NULL AS tied, sum(s.duration_ns) AS ns FROM kernel_layer k "
                          "JOIN span s ON s.id = k.kernel_id AND s.run_id = k.run_id GROUP BY ALL")
        total = sum(row["ns"] for row in ways)
        tied = sum(row["ns"] for row in ways if row["tied"] and row["way"] == "graph_node")
        self.assertEqual(total, CALLS * NODES * 900)
        self.assertGreaterEqual(tied / total, 0.99)
        # All kernels have one name: only their nodes can tell that layers alternate.
        layers = self.query("SELECT layer_index, type, device_ns FROM layer ORDER BY layer_index")
        self.assertEqual(len(layers), NODES)
        for row in layers:
            self.assertEqual(row["type"], "aten::relu" if row["layer_index"] % 2 else "aten::linear")
            self.assertEqual(row["device_ns"], 900)

    def test_layers_get_the_kernels_that_external_ids_would_give_them(self):
        # An external id pushed for a layer would come back with the correlation id of each call that the layer's thread makes
        # before it is popped: the program notes just that ("launched"). Two threads launch at the same time, on one stream.
        self.record("threads")
        rows = self.query("SELECT k.layer_id = a.span_id AS same FROM attribute a JOIN span s ON s.run_id = a.run_id AND "
                          "s.correlation_id = TRY_CAST(a.value AS BIGINT) AND s.type = 'kernel' JOIN kernel_layer k ON "
                          "k.kernel_id = s.id AND k.run_id = s.run_id WHERE a.key = 'launched'")
        self.assertEqual(len(rows), 2 * CALLS * 2)
        self.assertTrue(all(row["same"] for row in rows))

    def test_eager_kernels_belong_to_the_layer_that_launched_them(self):
        self.record("exit")
        layers = self.query("SELECT type, device_ns FROM layer ORDER BY layer_index")
        self.assertEqual([row["type"] for row in layers], ["aten::linear", "aten::relu"])
        self.assertEqual([row["device_ns"] for row in layers], [10_000, 10_000])
        copies = self.query("SELECT count(*) AS n, sum(m.value) AS bytes FROM span s JOIN metric m ON m.span_id = s.id AND "
                            "m.run_id = s.run_id WHERE s.type = 'memcpy' AND m.name = 'bytes'")
        self.assertEqual((copies[0]["n"], copies[0]["bytes"]), (CALLS, CALLS * 4096))
        streams = self.query("SELECT DISTINCT device, stream FROM track WHERE kind = 'stream'")
        self.assertEqual([(row["device"], row["stream"]) for row in streams], [(0, 7)])

    def test_what_went_wrong_is_a_diagnostic_with_its_remedy(self):
        document = self.record("exit", "no_permission")
        hints = {entry["name"]: entry["hint"] for entry in document["diagnostics"]}
        self.assertIn("NVreg_RestrictProfilingToAdminUsers=0", hints["cuda_activity_refused"])


if __name__ == "__main__":
    unittest.main()
