"""What tools/check_layers.py refuses, on trees of a few files. The real tree must pass it in tools/check."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_layers  # noqa: E402

LAYERS = 'core = []\n"ingest/importers" = ["core"]\n"answer/report" = ["core", "ingest/importers"]\n'
FILES = {"core/a.h": "",
         "ingest/importers/importer.h": '#include "core/a.h"\n',
         "ingest/importers/family.cmake": "xsp_plugin_family(ImporterSpec importer.h AllImporters)\n",
         "ingest/importers/kineto/kineto.h": '#include "ingest/importers/importer.h"\n',
         "answer/report/page.cc": '#include "core/a.h"\n#include "ingest/importers/importer.h"\n#include "source_dir.h"\n'}


class LayersTest(unittest.TestCase):
    def problems(self, files={}, layers=LAYERS):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "layers.toml").write_text(layers)
            for name, text in {**FILES, **files}.items():
                (root / "src" / name).parent.mkdir(parents=True, exist_ok=True)
                (root / "src" / name).write_text(text)
            return check_layers.check(root)

    def refused(self, words, *arguments, **options):
        problems = self.problems(*arguments, **options)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_a_tree_that_keeps_the_rules_passes(self):
        self.assertEqual(self.problems(), [])

    def test_an_include_that_no_line_allows(self):
        self.refused("core may not include ingest/importers", {"core/b.cc": '#include "ingest/importers/importer.h"\n'})

    def test_a_generated_header_counts_as_its_folder(self):
        self.refused("core may not include ingest/importers", {"core/b.cc": '#include "ingest/importers/rows/a_row.h"\n'})
        self.assertEqual(self.problems({"answer/report/page.cc": '#include "core/rows/a_row.h"\n'
                                                                 '#include "ingest/importers/importer.h"\n'}), [])

    def test_an_allowed_folder_that_nothing_includes(self):
        self.refused("nothing in answer/report includes ingest/importers", {"answer/report/page.cc": '#include "core/a.h"\n'})

    def test_an_area_below(self):
        self.refused("may not name answer/report", {"ingest/importers/b.cc": '#include "answer/report/page.h"\n',
                                                    "answer/report/page.h": "", "answer/report/page.cc": '#include "core/a.h"\n'},
                     layers='core = []\n"ingest/importers" = ["core", "answer/report"]\n"answer/report" = ["core"]\n')

    def test_folders_that_include_each_other(self):
        layers = 'core = []\n"a/x" = ["a/y"]\n"a/y" = ["a/x"]\n"ingest/importers" = ["core"]\n"answer/report" = ["core", "ingest/importers"]\n'
        self.refused("has a cycle: a/x -> a/y -> a/x", {"a/x/x.cc": '#include "a/y/y.h"\n', "a/y/y.h": "", "a/x/x.h": "",
                                                        "a/y/y.cc": '#include "a/x/x.h"\n'}, layers=layers)

    def test_parts_of_a_folder_that_include_each_other(self):
        self.refused("folders include each other: core/x -> core/y -> core/x",
                     {"core/x/x.cc": '#include "core/y/y.h"\n', "core/y/y.h": "", "core/x/x.h": "",
                      "core/y/y.cc": '#include "core/x/x.h"\n'})

    def test_plugins_that_include_each_other(self):
        self.refused("plugin 'chrome' may not include plugin 'kineto'",
                     {"ingest/importers/chrome/chrome.cc": '#include "ingest/importers/kineto/kineto.h"\n'})

    def test_integers_of_fixed_width_without_their_header(self):
        counts = "inline std::uint32_t count;\n"
        self.refused("src/core/b.h: names integers of fixed width without <cstdint>", {"core/b.h": "#include <string>\n" + counts})
        self.assertEqual(self.problems({"core/a.h": "#include <cstdint>\n", "core/b.h": '#include "core/a.h"\n' + counts}), [])

    def test_calls_of_the_json_library(self):
        self.refused("core/b.cc: calls the JSON library", {"core/b.cc": "auto a = nlohmann::json::parse(text, nullptr, false);\n"})
        self.refused("core/b.h: calls the JSON library", {"core/b.h": "return document.dump(2);\n"})
        self.assertEqual(self.problems({"core/json_text.cc": "return document.dump(2);\n", "core/b_test.cc": "auto a = json::parse(text);\n",
                                        "core/b.cc": "auto a = core::ParseJson(text);\n"}), [])

    def test_headers_that_include_each_other(self):
        self.refused("headers include each other", {"core/b.h": '#include "core/c.h"\n', "core/c.h": '#include "core/b.h"\n'})

    def test_a_folder_without_a_line(self):
        self.refused("is missing from layers.toml", {"new/part/a.cc": ""})

    def test_an_include_that_is_not_rooted_at_src(self):
        self.refused("rooted at src/", {"core/b.cc": '#include "a.h"\n'})


if __name__ == "__main__":
    unittest.main()
