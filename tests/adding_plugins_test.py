"""A new member of each family builds, passes its tests and is found: one of each is made by tools/new in a copy of the
tree, which is then configured, built and run. What needs no compiler is in tools_new_test.py."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import plugin_tree
from plugin_tree import ROOT, run

# The rules that a family's test has for all, then those of its new member.
TESTS = ("importers_test", "importers_plugins_test", "collect_test", "collect_plugins_test", "monitor_test",
         "monitor_plugins_test", "timeline_test", "timeline_plugins_test", "suite_plugins_test", "operations_test")
CHOSEN = {"operations_test": ["--gtest_filter=AllOperations.*:AllGroups.*:ZzAddedOperation*"],
          **{name: ["--gtest_filter=ZzAdded*"] for name in TESTS if name.endswith("_plugins_test")}}
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
PAGE_PACKAGES = ROOT / "web" / "node_modules"


class AddingPluginsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The same place each time: the compiler cache then has what names it, too.
        cls.tree = BUILD / "added-plugins"
        shutil.rmtree(cls.tree, ignore_errors=True)
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        plugin_tree.make(cls.tree)
        os.symlink(ROOT / ".deps", cls.tree / ".deps")
        # The same compiler calls as in this tree, so the cache has most of the objects.
        cls.cache = {"CCACHE_BASEDIR": str(cls.tree), "CCACHE_NOHASHDIR": "1"}
        cls.build = cls.tree / "build" / "release"
        run("cmake", "--preset", "release", "-DXSP_BENCHES=OFF", cwd=cls.tree, **cls.cache)
        run("ninja", "-C", cls.build, "xsp", *TESTS, "analyze_test", "worker_conformance_test", cwd=cls.tree, **cls.cache)

    def xsp(self, *arguments):
        return run(self.build / "bin" / "xsp", *arguments, cwd=self.tree, XSP_STORE=str(self.tree / "store"),
                   XSP_HOME=str(self.tree), XSP_WORKER_PATH=str(self.build / "bin"))

    def test_their_own_tests_and_the_rules_for_all_pass(self):
        for name in TESTS:
            with self.subTest(name):
                self.assertRegex(run(self.build / "bin" / name, *CHOSEN.get(name, []), cwd=self.tree), r"PASSED  \] [1-9]")

    def test_the_importer_is_found_by_content(self):
        sample = next((self.tree / "src/ingest/importers/zz_added_importer/sample").iterdir())
        imported = json.loads(self.xsp("import", sample, "--format", "json"))
        self.assertEqual(imported["inputs"][0]["format"], "zz_added_importer")

    def test_the_collector_is_asked(self):
        stack = json.loads(self.xsp("system", "--no-roofs", "--format", "json"))["stack"]
        self.assertIn("zz_added_collector", stack)

    def test_the_sampler_is_read(self):
        self.assertIn("zz_added_sampler: ", self.xsp("monitor", "--help"))

    def test_the_timeline_fills_its_table(self):
        self.xsp("import", self.tree / "src/ingest/importers/kineto/sample/two_kernels.json")
        (row,) = json.loads(self.xsp("query", "SELECT count(*) AS n FROM zz_added_timeline", "--format", "json"))
        self.assertGreater(row["n"], 0)

    def test_the_commands_are_listed(self):
        self.assertIn("zz_added_operation", self.xsp("--help"))
        self.assertIn("zz_added_suite", self.xsp("suite", "--help"))

    def test_the_model_is_in_the_zoo(self):
        self.xsp("model", "check", "zoo/zz_added_model/manifest.yaml")
        self.assertIn("zz_added_model", self.xsp("zoo", "list"))

    def test_the_analysis_runs(self):
        run(self.build / "bin" / "analyze_test", "--gtest_filter=AllAnalyses.*", cwd=self.tree)
        sample = next((self.tree / "src/ingest/importers/span_list/sample").iterdir())
        self.xsp("import", sample)
        result = json.loads(self.xsp("analyze", "zz_added_analysis", "--format", "json"))
        self.assertEqual(result["analysis"], "zz_added_analysis")

    def test_the_worker_is_found_by_name_and_does_what_every_worker_owes(self):
        # As tools/build does it, so that the cache has what all workers are made of.
        built = self.build / "workers/zz_added_worker"
        run("cmake", "-S", "workers/zz_added_worker", "-B", built, "-G", "Ninja", f"-DXSP_WORKER_OUTPUT={self.build / 'bin'}",
            "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG",
            "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", cwd=self.tree, **self.cache)
        run("ninja", "-C", built, cwd=self.tree, **self.cache)
        parts = json.loads(self.xsp("doctor", "--format", "json"))
        found = [part["part"] for part in parts if part["found"]]
        self.assertTrue(any(name in found for name in ("worker zz-added-worker", "worker zz_added_worker")), found)
        tried = run(self.build / "bin" / "worker_conformance_test", "--gtest_filter=*zz_added_worker", cwd=self.tree,
                    XSP_CONFORMANCE_FOLDER=str(self.build / "bin"))
        self.assertRegex(tried, r"PASSED  \] 1[0-9] tests")

    @unittest.skipUnless(PAGE_PACKAGES.is_dir(), "the page's packages are not installed (npm ci in web/)")
    def test_the_section_is_on_the_page(self):
        web = self.tree / "web"
        os.symlink(PAGE_PACKAGES, web / "node_modules")
        run("node_modules/.bin/tsc", "-p", "tsconfig.json", "--outDir", "dist/test", cwd=web)
        run("node", "--test", "dist/test/tests/zz_added_section_section.test.js", "dist/test/tests/every_section.test.js", cwd=web)
        run("node", "tools/build.mjs", cwd=web)
        self.assertIn("Zz added section", (web / "dist" / "report.html").read_text())

    def test_a_build_of_some_folders_compiles_them_as_the_whole_build_does(self):
        preset = next(each for each in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
                      if each["name"] == "ppc64le")
        some = self.tree / "build" / "some"
        run("cmake", "--preset", "release", "-B", some, f"-DXSP_MODULES={preset['cacheVariables']['XSP_MODULES']}", "-DXSP_TESTS=OFF",
            "-DXSP_BENCHES=OFF", cwd=self.tree, **self.cache)
        flags = [{(re.search(r"/([\w-]+)\.dir/", call["command"])[1], option)
                  for call in json.loads((build / "compile_commands.json").read_text())
                  for option in call["command"].split() if option.startswith(("-O", "-f", "-std", "-W"))} for build in (some, self.build)]
        self.assertGreater(len(flags[0]), 50)
        self.assertEqual(flags[0] - flags[1], set())

    # The last by its name: the others need what it leaves out.
    def test_what_a_quick_build_leaves_out_says_so(self):
        left_out = re.search(r"--quick\) without='(.+)'", (ROOT / "tools/build").read_text())[1]
        run("cmake", "--preset", "release", f"-DXSP_WITHOUT={left_out}", "-DXSP_TESTS=OFF", cwd=self.tree, **self.cache)
        run("ninja", "-C", self.build, "xsp", cwd=self.tree, **self.cache)
        self.assertNotIn("  serve ", self.xsp("--help"))
        for name in ("serve", "mcp", "suite"):
            done = subprocess.run([self.build / "bin/xsp", name], cwd=self.tree, capture_output=True, text=True)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(f"XSP_WITHOUT={name}", done.stderr)
            self.assertIn("tools/build", done.stderr)


if __name__ == "__main__":
    unittest.main()
