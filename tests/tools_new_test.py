"""tools/new adds a member of each family as new files alone, which keep the rules of the house and which the generators
find. That they build and work is tested by adding_plugins_test.py."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import plugin_tree
from plugin_tree import run

FAMILIES = {"importer", "collector", "sampler", "timeline", "analysis", "finding", "suite", "operation", "worker", "model",
            "section"}


class ToolsNewTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.tree = pathlib.Path(cls.folder.name) / "tree"
        plugin_tree.make(cls.tree)
        cls.added = run("git", "ls-files", "--others", "--exclude-standard", cwd=cls.tree).splitlines()

    def test_help_names_every_family(self):
        self.assertEqual(set(plugin_tree.kinds()), FAMILIES)

    def test_no_shared_file_was_edited(self):
        self.assertEqual(run("git", "diff", "--name-only", cwd=self.tree), "")
        for kind in plugin_tree.kinds():
            self.assertTrue(any(f"zz_added_{kind}" in name for name in self.added), kind)
        self.assertEqual([name for name in self.added if "zz_added_" not in name], [])

    def test_the_new_files_keep_the_rules(self):
        for rule in ("check_layers.py", "check_words.py", "check_pages.py"):
            run(sys.executable, f"tools/{rule}", cwd=self.tree)

    @unittest.skipUnless(shutil.which("clang-format"), "no clang-format here")
    def test_the_new_files_are_formatted(self):
        run("clang-format", "--dry-run", "--Werror", *(name for name in self.added if name.endswith((".h", ".cc", ".c"))),
            cwd=self.tree)

    def test_nothing_of_the_example_is_declared_twice(self):
        for old in ("MemorySampler", "namespace xsp::monitor::memory", "DeviceStripRow", "DEVICE_STRIP", "VectorsTest",
                    "RemoveOperationTest", "id: A2", "'kernels'"):
            found = [name for name in self.added if old in (self.tree / name).read_text()]
            self.assertEqual(found, [], old)

    def test_the_generators_find_the_table(self):
        with tempfile.TemporaryDirectory() as out:
            run(sys.executable, "tools/generate_rows.py", "schema/schema.sql", out, cwd=self.tree)
            header = (pathlib.Path(out) / "store/rows/zz_added_timeline_row.h").read_text()
        self.assertIn("struct ZzAddedTimelineRow {", header)

    def test_the_pages_that_are_generated_name_them(self):
        pages = {"docs/schema.md": "## zz_added_timeline", "docs/analyses.md": "zz_added_analysis",
                 "docs/collectors.md": "`zz_added_collector`", "docs/monitor.md": "`zz_added_sampler."}
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "tree"
            shutil.copytree(self.tree, copy, ignore=shutil.ignore_patterns(".git"))
            run(sys.executable, "tools/generate", cwd=copy)
            for page, words in pages.items():
                self.assertIn(words, (copy / page).read_text(), page)

    def refused(self, kind, name):
        done = subprocess.run(["tools/new", kind, name], cwd=self.tree, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def test_a_name_that_is_taken_is_refused(self):
        for kind in plugin_tree.kinds():
            self.assertIn("exists already", self.refused(kind, f"zz_added_{kind}"))

    def test_a_name_of_another_form_is_refused(self):
        for name in ("Upper", "a-b", "../a", "a__b", "1a"):
            self.assertIn("not snake_case", self.refused("importer", name))

    def test_an_unknown_kind_is_refused_with_the_kinds(self):
        self.assertIn("importer", self.refused("nothing", "a"))


if __name__ == "__main__":
    unittest.main()
