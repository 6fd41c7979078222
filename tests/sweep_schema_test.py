#!/usr/bin/env python3
"""Compares schema/sweep.schema.json, judged by the PyPI package jsonschema, with what `xsp sweep` reads: both accept and both refuse
the same files. Needs a Python with jsonschema and PyYAML (tests/requirements.txt); skipped without one."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import oracle_python

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"

oracle_python.require("jsonschema", "yaml")

import jsonschema  # noqa: E402
import yaml  # noqa: E402

RIGHT = {
    "name": "s", "models": ["a", "b"], "backends": ["torch"], "batches": [1, 2], "precisions": ["default", "float16"],
    "machines": [{"name": "m", "architecture": "x86_64", "device": "EPYC", "memory_gb": 1.5, "features": ["avx2"]}],
    "settings": {"threads": [1, 2], "graph": "eager", "option": [["a=1"], []], "only": True}, "scenario": "offline",
    "exclude": [{"model": "a", "batch": 1}],
}
ACCEPTED = [
    {}, {"models": "a"}, {"backends": "torch"}, {"batches": 4}, {"name": 3}, {"name": "a.b_c-d"}, {"settings": {}},
    {"scenario": {"kind": "server", "latency_bound": "5ms", "queries": 3}}, {"scenario": None, "dataset": "synthetic:count=3"},
    {"scenario": None, "dataset": {"name": "x", "samples": 3}}, {"machines": [{"name": "m"}]}, {"machines": [{"name": 5, "device": 100}]},
    {"machines": [{"name": "m", "features": "avx"}]}, {"machines": [{"name": "m", "slurm": {"partition": "gpu", "nice": 5}}]},
    {"machines": [{"name": "m", "slurm": {}}]}, {"machines": None, "settings": None, "exclude": None},
]
REFUSED = [
    {"models": None}, {"models": []}, {"models": ["a", "a"]}, {"models": [3]}, {"models": ""}, {"models": {"a": 1}}, {"batch": 1},
    {"backends": []}, {"backends": [[]]}, {"batches": []}, {"batches": [0]}, {"batches": [1, 1]}, {"batches": ["1"]}, {"batches": 1.5},
    {"batches": True}, {"precisions": []}, {"precisions": ["a", "a"]}, {"name": "a b"}, {"name": ""}, {"name": ["a"]}, {"machines": []},
    {"machines": {}}, {"machines": [{"architecture": "x86_64"}]}, {"machines": [{"name": "m", "architecture": "x86"}]},
    {"machines": [{"name": "m", "memory_gb": 0}]}, {"machines": [{"name": "m", "memory": 3}]}, {"machines": ["m"]},
    {"machines": [{"name": "m", "features": [1]}]}, {"machines": [{"name": "m", "slurm": "gpu"}]}, {"machines": [{"name": "m", "slurm": {"a": ""}}]},
    {"machines": [{"name": "m", "slurm": {"a": True}}]},
    {"machines": [{"name": "m", "slurm": {"gres": ["a"]}}]}, {"settings": []}, {"settings": {"threads": []}}, {"settings": {"threads": [1, 1]}},
    {"settings": {"threads": {"a": 1}}}, {"settings": {"threads": [{"a": 1}]}}, {"scenario": "none"}, {"scenario": {"queries": 3}},
    {"scenario": {"kind": "offline", "more": 3}}, {"dataset": "x"}, {"scenario": None, "dataset": {"samples": 3}},
    {"scenario": None, "dataset": 3}, {"exclude": []}, {"exclude": [{}]}, {"exclude": ["a"]}, {"exclude": {"model": "a"}},
]


class SweepSchemaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = json.loads((ROOT / "schema" / "sweep.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        cls.schema = jsonschema.Draft202012Validator(schema)

    def judge(self, changes):
        """Whether the schema and whether the program takes a sweep, and what the program prints."""
        sweep = {key: value for key, value in {**RIGHT, **changes}.items() if value is not None}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "s.yaml"
            file.write_text(yaml.safe_dump(sweep, sort_keys=False))
            done = subprocess.run([str(XSP), "sweep", str(file), "--plan", "--store", folder + "/store"], capture_output=True, text=True)
        # These models and workers need not be here: what is asked is whether the file could be read.
        return self.schema.is_valid(sweep), "sweep is wrong" not in done.stderr, done.stderr

    def test_both_accept(self):
        for changes in ACCEPTED:
            with self.subTest(str(changes)):
                schema, reader, err = self.judge(changes)
                self.assertEqual((schema, reader), (True, True), err)

    def test_both_refuse(self):
        for changes in REFUSED:
            with self.subTest(str(changes)):
                schema, reader, err = self.judge(changes)
                self.assertEqual((schema, reader), (False, False), err)

    def test_the_example_of_the_page_is_right(self):
        page = (ROOT / "docs" / "sweeps.md").read_text()
        example = page.split("```yaml\n")[1].split("```")[0]
        self.schema.validate(yaml.safe_load(example))

    def test_they_know_the_same_keys(self):
        self.assertEqual(set(RIGHT) | {"dataset"}, set(self.schema.schema["properties"]))


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: {XSP} is not built")
        sys.exit(77)
    unittest.main()
