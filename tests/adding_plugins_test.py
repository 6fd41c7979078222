"""Adding a plugin of any family edits no shared file: one of each is made by tools/new in a copy of
the tree, which is then configured, built and run."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ("importer", "collector", "analysis", "worker")


def run(*command, cwd, **environment):
    done = subprocess.run([str(c) for c in command], cwd=cwd, env={**os.environ, **environment},
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n"
                             f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


class AddingPluginsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tree = pathlib.Path(cls.folder.name) / "tree"
        files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
        for name in files:
            if (ROOT / name).is_file():
                (cls.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, cls.tree / name)
        os.symlink(ROOT / ".deps", cls.tree / ".deps")
        run("git", "init", "-q", cwd=cls.tree)
        run("git", "add", "-A", cwd=cls.tree)
        for kind in KINDS:
            run("tools/new", kind, f"added_{kind}", cwd=cls.tree)
        # The same compiler calls as in this tree, so the cache has most of the objects.
        cls.cache = {"CCACHE_BASEDIR": str(cls.tree), "CCACHE_NOHASHDIR": "1"}
        cls.build = cls.tree / "build" / "release"
        run("cmake", "--preset", "release", "-DXSP_BENCHES=OFF", cwd=cls.tree, **cls.cache)
        run("ninja", "-C", cls.build, "xsp", "importers_test", "importers_added_importer_test",
            "collect_test", "collect_added_collector_test", "worker_conformance_test", cwd=cls.tree, **cls.cache)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def xsp(self, *arguments):
        return run(self.build / "bin" / "xsp", *arguments, cwd=self.tree, XSP_STORE=str(self.tree / "store"),
                   XSP_HOME=str(self.tree), XSP_WORKER_PATH=str(self.build / "bin"))

    def test_no_shared_file_was_edited(self):
        changed = run("git", "diff", "--name-only", cwd=self.tree).split()
        self.assertEqual(changed, [])

    def test_their_own_tests_and_the_rules_for_all_pass(self):
        for name in ("importers_added_importer_test", "importers_test", "collect_added_collector_test", "collect_test"):
            run(self.build / "bin" / name, cwd=self.tree)

    def test_the_importer_is_found_by_content(self):
        sample = next((self.tree / "src/ingest/importers/added_importer/sample").iterdir())
        imported = json.loads(self.xsp("import", sample, "--format", "json"))
        self.assertEqual(imported["inputs"][0]["format"], "added_importer")

    def test_the_collector_is_asked(self):
        stack = json.loads(self.xsp("system", "--no-roofs", "--format", "json"))["stack"]
        self.assertIn("added_collector", stack)

    def test_the_analysis_runs(self):
        sample = next((self.tree / "src/ingest/importers/span_list/sample").iterdir())
        self.xsp("import", sample)
        result = json.loads(self.xsp("analyze", "added_analysis", "--format", "json"))
        self.assertEqual(result["analysis"], "added_analysis")

    def test_the_worker_is_found_by_name_and_does_what_every_worker_owes(self):
        run("cmake", "-S", "workers/added_worker", "-B", "build/worker", "-G", "Ninja",
            f"-DXSP_WORKER_OUTPUT={self.build / 'bin'}", cwd=self.tree)
        run("ninja", "-C", "build/worker", cwd=self.tree)
        parts = json.loads(self.xsp("doctor", "--format", "json"))
        found = [part["part"] for part in parts if part["found"]]
        self.assertTrue(any(name in found for name in ("worker added-worker", "worker added_worker")), found)
        tried = run(self.build / "bin" / "worker_conformance_test", "--gtest_filter=*added_worker", cwd=self.tree,
                    XSP_CONFORMANCE_FOLDER=str(self.build / "bin"))
        self.assertRegex(tried, r"PASSED  \] 1[0-9] tests")

    def test_a_name_that_is_taken_is_refused(self):
        done = subprocess.run(["tools/new", "importer", "added_importer"], cwd=self.tree, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is there already", done.stderr)


if __name__ == "__main__":
    unittest.main()
