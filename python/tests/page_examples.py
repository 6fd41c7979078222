"""Runs the Python examples of docs/python.md, one after another, as a reader would."""
import importlib.util
import os
import pathlib
import re
import tempfile
import traceback
import unittest
import warnings

PAGE = pathlib.Path(os.environ["XSP_TEST_TREE"]) / "docs/python.md"
BLOCK = re.compile(r"```python\n(?:<!-- (.*?) -->\n)?(.*?)```", re.S)


class PageExamplesTest(unittest.TestCase):
    def test_examples(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        warnings.simplefilter("ignore")
        blocks = list(BLOCK.finditer(PAGE.read_text()))
        self.assertGreater(len(blocks), 5)
        names = {}
        ran = 0
        for block in blocks:
            condition, code = block[1] or "", block[2]
            if condition.startswith("not run:"):
                continue
            if condition.startswith("needs:"):
                missing = [name for name in re.split(r"[\s,]+", condition[6:].strip()) if importlib.util.find_spec(name) is None]
                if missing:
                    print(f"skipped: an example that needs {', '.join(missing)}")
                    continue
            line = PAGE.read_text()[:block.start(2)].count("\n")
            try:
                exec(compile("\n" * line + code, str(PAGE), "exec"), names)
            except Exception:
                self.fail(traceback.format_exc())
            ran += 1
        self.assertGreater(ran, 4)
        self.assertEqual(names["p"].experiment.name, "training")
        self.assertEqual(names["experiment"].name, "small")


if __name__ == "__main__":
    unittest.main()
