"""What tools/check_words.py and tools/check_pages.py refuse, on texts of a few lines. The real tree must pass them in tools/check."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_pages  # noqa: E402
import check_words  # noqa: E402


class WordsTest(unittest.TestCase):
    def problems(self, name, text, check=check_words.check):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return check(pathlib.Path(folder), [name])

    def refused(self, words, *arguments, **options):
        problems = self.problems(*arguments, **options)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_a_page_names_line_word_and_replacement(self):
        self.refused('page.md:3: "held against": write compare with', "page.md", "# Page\n\nResults are held against the first.\n")

    def test_a_phrase_over_the_end_of_a_line(self):
        self.refused('page.md:1: "take turns"', "page.md", "The runs take\nturns.\n")

    def test_code_of_a_page_is_not_prose(self):
        self.assertEqual(self.problems("page.md", "`seat` and\n\n```\nheld against\n```\n\n    wishes\n"), [])

    def test_a_word_that_only_contains_another(self):
        self.assertEqual(self.problems("page.md", "A seated guest; `x` cannot be told apart from y; undisturbed.\n"), [])

    def test_a_comment_but_no_name(self):
        self.assertEqual(self.problems("src/a.cc", "struct Surroundings { Stretch stretch; };  // `stretches` are kept.\n"), [])
        self.refused('src/a.cc:2: "surroundings"', "src/a.cc", "int a;\nint b;  // Its surroundings.\n")

    def test_a_message_over_several_literals(self):
        text = 'Fail("its last "\n     "words: {}");\nconst char* key = "disturbance";\n'
        self.refused('src/app/cli/a.cc:1: "last words"', "src/app/cli/a.cc", text)
        self.assertEqual(self.problems("src/store/a.cc", text), [])

    def test_comments_of_the_schema_and_help_of_an_analysis(self):
        self.refused('schema/a.sql:1: "held against"', "schema/a.sql", "COMMENT ON TABLE a IS 'What b is held against';\n")
        self.refused('a/analysis.yaml:2: "stretch"', "a/analysis.yaml",
                     'id: stretch\ncolumns:\n  - {name: stretch, help: "Of the stretch"}\n'.replace("columns:\n", ""))

    def test_texts_of_a_level(self):
        self.refused('levels/a.yaml:2: "stretch"', "levels/a.yaml", "measure: >-\n  `{command}` measures the stretch.\n")

    def test_a_wide_line_of_prose_but_not_of_a_table(self):
        wide = "word " * 30
        self.refused("page.md:1: 150 columns", "page.md", wide + "\n", check=check_pages.check)
        self.assertEqual(self.problems("page.md", f"| {wide} |\n\n```\n{wide}\n```\n", check=check_pages.check), [])

    def test_a_link_to_no_file_or_no_heading(self):
        self.refused("link to gone.md: no such file", "page.md", "See [this](gone.md).\n", check=check_pages.check)
        self.refused("link to #how: no such heading", "page.md", "# Why `it` is\n\nSee [that](#how).\n", check=check_pages.check)

    def test_links_that_lead_somewhere(self):
        text = "# Why `it` is, so\n\nSee [that](#why-it-is-so), [a link\nover two lines](page.md), [the web](https://example.org/x#y).\n"
        self.assertEqual(self.problems("page.md", text, check=check_pages.check), [])


if __name__ == "__main__":
    unittest.main()
