"""ResNet-50 through the whole stack on a CPU with PyTorch: counts, FLOPs and sums that are known."""
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
WORKERS = os.environ.get("XSP_WORKER_PATH") or str(ROOT / "build" / "release" / "bin")


class ResNet50Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.environment = {**os.environ, "XSP_STORE": cls.temporary.name, "XSP_WORKER_PATH": WORKERS}
        cls.experiment = json.loads(cls.xsp("run", "resnet50", "--backend", "torch", "--batch", "1,2",
                                            "--time-limit", "2", "--warmup-limit", "1", "--format", "json", "--report"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def xsp(cls, *arguments):
        done = subprocess.run([str(XSP), *arguments], env=cls.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: status {done.returncode}\n{done.stderr[-3000:]}")
        return done.stdout

    def query(self, sql, *run):
        return json.loads(self.xsp("query", *run, sql, "--format", "json"))

    def test_has_the_layers_of_a_resnet50(self):
        counts = {row["type"]: row["n"] for row in self.query(
            "SELECT type, count(*) AS n FROM layer WHERE point_id = 1 GROUP BY type")}
        grouped = {"conv": 0, "norm": 0, "relu": 0, "add": 0, "pool": 0, "linear": 0}
        for kind, n in counts.items():
            for word in grouped:
                if word in kind or (word == "linear" and "addmm" in kind):
                    grouped[word] += n
                    break
        self.assertEqual(grouped, {"conv": 53, "norm": 53, "relu": 49, "add": 16, "pool": 2, "linear": 1}, counts)

    def test_counts_the_known_flops(self):
        # 2 x MACs of convolutions and the linear layer: 8.18 GFLOP an image.
        for point, batch in ((1, 1), (2, 2)):
            flops = self.query("SELECT sum(k.flops) AS flops FROM kernel k JOIN layer l USING (point_id, layer_index) "
                               f"WHERE k.point_id = {point} AND (l.type LIKE '%conv%' OR l.type LIKE '%linear%' OR l.type LIKE '%addmm%')")[0]["flops"]
            self.assertAlmostEqual(flops / batch / 8.18e9, 1, delta=0.005)

    def test_every_layer_has_kernels_traffic_and_a_place_on_the_roofline(self):
        bare = self.query("""SELECT l.layer_index, l.type FROM layer l LEFT JOIN kernel k USING (point_id, layer_index)
            WHERE l.point_id = 1 GROUP BY ALL HAVING count(k.kernel_index) = 0 OR sum(k.read_bytes + k.write_bytes) IS NULL
            OR bool_or(k.duration_ns IS NULL)""")
        self.assertEqual([row for row in bare if not row["type"].endswith("flatten")], [])

    def test_kernel_time_inside_a_layer_never_exceeds_it(self):
        run = next(path for path in self.experiment["runs"] if path.endswith("b1-kernel"))
        over = self.query("""
            WITH inside AS (SELECT outermost_layer_id AS id, sum(s.duration_ns) AS kernels_ns
              FROM kernel_layer kl JOIN span s ON s.id = kl.kernel_id WHERE outermost_layer_id IS NOT NULL GROUP BY 1)
            SELECT s.name, s.duration_ns, kernels_ns FROM inside JOIN span s USING (id) WHERE kernels_ns > s.duration_ns""", run)
        self.assertEqual(over, [])

    def test_layers_and_gaps_make_up_the_model(self):
        run = next(path for path in self.experiment["runs"] if path.endswith("b1-layer"))
        rows = self.query("""
            WITH RECURSIVE below(call, id, depth) AS (
              SELECT id, id, 0 FROM span WHERE level = 'model'
              UNION ALL SELECT b.call, s.id, 0 FROM span s JOIN below b ON s.parent_id = b.id
                WHERE NOT EXISTS (SELECT 1 FROM span p WHERE p.id = b.id AND p.level = 'layer' AND p.type NOT IN ('module', 'function'))),
            layer AS (SELECT call, s.* FROM below b JOIN span s ON s.id = b.id WHERE s.level = 'layer' AND s.type NOT IN ('module', 'function')),
            gap AS (SELECT call, start_ns - coalesce(lag(start_ns + duration_ns) OVER (PARTITION BY call ORDER BY start_ns),
                (SELECT start_ns FROM span m WHERE m.id = call)) AS gap_ns, duration_ns, start_ns + duration_ns AS end_ns FROM layer)
            SELECT m.duration_ns AS model_ns, sum(g.duration_ns) + sum(g.gap_ns) + (m.start_ns + m.duration_ns - max(g.end_ns)) AS sum_ns,
              min(g.gap_ns) AS least_gap_ns
            FROM gap g JOIN span m ON m.id = g.call GROUP BY m.id, m.duration_ns, m.start_ns""", run)
        self.assertGreater(len(rows), 5)  # Calls of warm-up, too; on a slow machine the time limit ends sampling early.
        for row in rows:
            self.assertEqual(row["model_ns"], row["sum_ns"])
            self.assertGreaterEqual(row["least_gap_ns"], 0)

    def test_all_analyses_answer_that_can_on_a_cpu(self):
        # A CPU has no streams and no collectives; the allocator's calls are not recorded one by one.
        # One backend has nothing to compare with, and rungs are neither load scenario nor data set. The machine's series are there where calls fill its rows.
        # Counters are a rung that must be asked for; power is not visible in a virtual machine.
        impossible = {"device", "communication", "allocations", "comparison", "scenario", "evaluation", "system", "training", "stacks",
                      "counters", "energy"}
        results = json.loads(self.xsp("analyze", "all", "--format", "json"))
        answered = set()
        for result in results:
            with self.subTest(result["analysis"]):
                missing = {level["level"] for level in result["missing"]}
                self.assertLessEqual(missing, impossible)
                self.assertEqual(len(result["rows"]) == 0, bool(missing))
                if not missing:
                    answered.add(result["analysis"])
        self.assertGreaterEqual(answered, {*(f"A{i}" for i in range(1, 16)), "models", "stages", "steps", "top_down"})

    def test_the_report_is_small_and_whole(self):
        page = pathlib.Path(self.experiment["report"])
        self.assertLess(page.stat().st_size, 3_000_000)


if __name__ == "__main__":
    if not XSP.exists() or not (pathlib.Path(WORKERS) / "xsp-worker-torch").exists():
        print("skipped: xsp or xsp-worker-torch is not built (tools/setup && tools/build)")
        sys.exit(77)
    unittest.main()
