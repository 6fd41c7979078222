#!/usr/bin/env python3
"""The application of `xsp serve` in a Chromium (application_browser.mjs): a store with an imported trace and a model
that the form measures with the toy framework of workers/example. Skipped by name without Chromium, node's packages or
that worker."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from served import ROOT, Server, WORKERS, XSP

TOY = "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n"
SAMPLE = ROOT / "src" / "ingest" / "importers" / "kineto" / "sample"
BROWSERS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")


def chromium():
    named = [os.environ.get("CHROMIUM"), *BROWSERS]
    return next((path for path in named if path and os.path.exists(path)), None)


class ApplicationTest(unittest.TestCase):
    maxDiff = None

    @unittest.skipUnless(chromium(), "no Chromium here: install it, or set CHROMIUM to its path")
    @unittest.skipUnless(shutil.which("node"), "no node here")
    @unittest.skipUnless((ROOT / "web" / "node_modules" / "playwright-core").exists(), "no packages: npm ci in web/")
    @unittest.skipUnless((pathlib.Path(WORKERS.split(":")[0]) / "xsp-worker-example").exists(), "the worker of workers/example is not built")
    def test_every_page_works_in_a_browser(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            models = folder / "models"
            models.mkdir()
            (models / "net.toy").write_text(TOY)
            sample = next(path for path in sorted(SAMPLE.iterdir()) if path.suffix == ".json")
            subprocess.run([str(XSP), "--store", str(folder / "store"), "import", str(sample), "--name", "imported"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900)
            server = Server(folder / "store", folder / "log", "--models", str(models), environment={"XSP_CACHE": str(folder / "cache")})
            try:
                done = subprocess.run(
                    ["node", str(ROOT / "tests" / "application_browser.mjs"), f"http://127.0.0.1:{server.port}", server.token,
                     str(models / "net.toy"), "imported", chromium(), str(folder / "profile")],
                    capture_output=True, text=True, timeout=900)
            finally:
                server.stop()
            self.assertEqual(done.stdout, "", done.stderr)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
