#!/usr/bin/env python3
"""The Python package as a user has it: the wheel is made, installed in empty virtual environments, and tested there
(python/tests); its functions are those of the operations, its types are checked, its pages' examples run.

Without PyPI or a cache of it (tools/package needs auditwheel) everything is skipped; without PyTorch, or without pandas,
Polars, pyarrow, mypy or nbclient (tests/requirements.txt), what needs them."""
import contextlib
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

import oracle_python
import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
OUTPUT = BUILD / "python_package"
FRAMEWORK_LIBRARIES = r"lib(torch|c10|openvino|tensorflow)\w*\.so.*"
ON_ITS_OWN = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "PYTHONDONTWRITEBYTECODE": "1", "XSP_TEST_TREE": str(ROOT),
              "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive")}


def skip_all(why):
    print(f"skipped: {why}")
    sys.exit(77)


def make_wheel():
    if not XSP.exists() or not (ROOT / "web/dist/report.html").exists():
        skip_all("the program or the pages are not built (tools/build)")
    done = subprocess.run([ROOT / "tools/package", "wheel", "--build", BUILD, "--output", OUTPUT], capture_output=True, text=True)
    if done.returncode == 4 and "error: cannot install" in done.stderr:
        skip_all(done.stderr.strip())
    if done.returncode != 0:
        sys.exit(f"tools/package wheel failed:\n{done.stdout}{done.stderr}")
    return pathlib.Path(done.stdout.strip())


def torch_python():
    """A Python with PyTorch, or None."""
    return python_modules.first_with((os.environ.get("XSP_PYTHON"), ROOT / ".deps/python/bin/python3"), "torch")


class PythonPackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="xsp-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.wheel = make_wheel()

    @classmethod
    @functools.lru_cache(maxsize=None)
    def environment(cls, python, name):
        """A virtual environment of `python` with the wheel alone; its folder of packages."""
        folder = cls.folder / name
        subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
        pip = OUTPUT / "package/environment/bin/python"
        subprocess.run([pip, "-m", "pip", "--python", folder / "bin/python", "install", "-q", "--no-index", "--no-deps",
                        "--disable-pip-version-check", cls.wheel], check=True)
        return next((folder / "lib").glob("python*/site-packages"))

    def empty(self):
        self.environment(sys.executable, "empty")
        return self.folder / "empty/bin/python"

    def with_torch(self, *more):
        """The wheel beside the packages of a Python with PyTorch, and of one with the modules `more`, where there is one, as
        if they were installed in one environment."""
        python = torch_python()
        if python is None:
            self.skipTest("no Python with PyTorch (tools/setup)")
        name = "-".join(("torch", *more))
        packages = self.environment(python, name)
        other = oracle_python.find(more)[0] if more else None
        for python, module in [(python, "torch"), *([(other, more[0])] if other else [])]:
            for entry in python_modules.packages_of(python, module).iterdir():
                with contextlib.suppress(FileExistsError):
                    (packages / entry.name).symlink_to(entry)
        return self.folder / name / "bin/python"

    def oracle(self, *modules):
        """A Python that has `modules`, which sees the wheel, too."""
        python, why = oracle_python.find(modules)
        if python is None:
            self.skipTest(f"no Python with {', '.join(modules)} (tools/setup --test): {why}")
        packages = self.environment(sys.executable, "empty")
        return python, {"PYTHONPATH": str(packages)}

    def passes(self, python, script, extra=None):
        done = subprocess.run([python, script, "-v"], env={**ON_ITS_OWN, **(extra or {})}, cwd=self.folder, capture_output=True,
                              text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-6000:])
        sys.stderr.write("".join(line + "\n" for line in done.stderr.splitlines() if "skipped" in line))

    def test_functions_are_those_of_the_operations(self):
        done = subprocess.run([ROOT / "tools/generate_python", "--check", XSP], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_wheel_is_small_and_says_for_which_systems_it_is(self):
        self.assertRegex(self.wheel.name, r"^xsp-[\d.]+-py3-none-manylinux_2_\d+_\w+\.whl$")
        self.assertLess(self.wheel.stat().st_size, 40_000_000)

    @unittest.skipUnless(os.environ.get("XSP_PACKAGES") == "all", "only with XSP_PACKAGES=all")
    def test_auditwheel_agrees_with_the_name(self):
        shown = subprocess.run([OUTPUT / "package/environment/bin/auditwheel", "show", "--json", self.wheel], capture_output=True,
                               text=True, check=True).stdout
        # The symbols of glibc and of the C++ library are those of the platform that the name promises.
        self.assertIn(json.loads(shown)["sym_tag"], self.wheel.name)

    def test_the_wheel_has_what_it_is_linked_with_and_the_licences(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            files = {name: wheel.read(name) for name in names if ".libs/" in name or "licenses/" in name}
        grafted = {re.sub(r"-[0-9a-f]{8}.*", "", name.split("/")[-1]) for name in files if ".libs/" in name}
        self.assertLessEqual({"libfmt", "libyaml-cpp", "libcrypto", "libdw-0"}, grafted)
        self.assertLessEqual({"xsp/program/lib/libduckdb.so", "xsp/program/share/xsp/lake/ask.py"}, set(names))
        licences = {name.split("/")[-1]: text for name, text in files.items() if "licenses/" in name}
        self.assertIn(b"Apache License", licences["LICENSE"])
        for name in ("duckdb", "libfmt9", "libssl3", "libdw1", "coinor-libclp1"):
            self.assertGreater(len(licences[f"{name}.txt"]), 500, name)
        self.assertFalse([name for name in names if "__pycache__" in name or "/golden/" in name or "fake_cupti" in name])

    def test_the_wheel_has_its_bill_of_materials(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            bill = json.loads(wheel.read("xsp/program/share/xsp/sbom.cdx.json"))
            grafted = {re.sub(r"-[0-9a-f]{8}", "", name.split("/")[-1]) for name in wheel.namelist() if ".libs/lib" in name}
        self.assertEqual(bill, json.loads(self.wheel.with_suffix(".cdx.json").read_text()))
        listed = {re.sub(r"\.so.*", "", part["name"]) for each in bill["components"] for part in each.get("components", [])}
        self.assertLessEqual({re.sub(r"(-[\d.]+)?\.so.*", "", name) for name in grafted}, {re.sub(r"-[\d.]+$", "", name) for name in listed})

    def test_an_older_glibc_is_refused_by_pip(self):
        pip = OUTPUT / "package/environment/bin/python"
        done = subprocess.run([pip, "-m", "pip", "install", "--no-index", "--no-deps", "--only-binary=:all:", "--platform",
                               "manylinux_2_28_x86_64", "--target", self.folder / "old", self.wheel], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is not a supported wheel on this platform", done.stdout + done.stderr)

    def test_in_an_empty_environment(self):
        self.passes(self.empty(), ROOT / "python/tests/empty_environment_test.py")

    def test_tables_in_arrow_pandas_and_polars(self):
        python, extra = self.oracle("pyarrow", "pandas", "polars")
        self.passes(python, ROOT / "python/tests/tables_test.py", extra)

    def test_profiles_and_models_of_pytorch(self):
        self.passes(self.with_torch(), ROOT / "python/tests/torch_test.py")

    def test_the_examples_of_the_page_run(self):
        self.passes(self.with_torch("pandas", "polars", "pyarrow"), ROOT / "python/tests/page_examples.py")

    def test_the_notebook_runs(self):
        python, extra = self.oracle("nbclient", "nbformat", "ipykernel")
        self.with_torch()
        self.passes(python, ROOT / "python/tests/notebook_run.py", {**extra, "XSP_NOTEBOOK_PYTHON": str(self.folder / "torch/bin/python")})

    def test_types_are_checked(self):
        python, _ = self.oracle("mypy")
        mypy = [python, "-m", "mypy", "--python-executable", self.empty(), "--cache-dir", self.folder / "mypy"]
        done = subprocess.run([*mypy, "--config-file", "pyproject.toml"], cwd=ROOT / "python", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # What a user writes is checked against the installed package.
        wrong = self.folder / "wrong.py"
        wrong.write_text("import xsp\nxsp.run('resnet50', bach=8)\nxsp.load('a').layers.to_arow()\n")
        done = subprocess.run([*mypy, wrong], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.count("error:")), (1, 2), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
