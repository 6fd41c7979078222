#!/usr/bin/env python3
"""Holds schema/manifest.schema.json and `xsp model check` against each other: both accept every manifest of the zoo, and both refuse
each of a list of wrong ones.

The schema is judged by the PyPI package jsonschema, and YAML is read by PyYAML; needs a Python that has them
(tests/requirements.txt): the one named by XSP_ORACLE_PYTHON, else .deps/oracles/bin/python. Skipped without one.
"""
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

# A manifest that is right; the others are made of it by exchanging a top-level key (or adding it).
RIGHT = {
    "name": "net", "version": "1.0", "framework": {"name": "torch", "version": ">=2, <3"},
    "files": {"torchscript": {"file": "net.pt"}, "onnx": {"file": "sub/net.onnx", "sha256": "0" * 64}},
    "inputs": [{"name": "x", "dtype": "float32", "shape": ["batch", 3, 8, 8], "layout": "NCHW", "fill": "uniform"},
               {"name": "ids", "dtype": "int64", "shape": ["batch", 8], "range": [0, 10]}],
    "outputs": [{"name": "y", "dtype": "float32", "shape": ["batch", 10]}],
    "preprocess": [{"step": "decode"}, {"step": "normalise", "mean": [1, 2, 3]}], "postprocess": [{"step": "softmax"}],
    "parameters": 12, "flops": {"count": 13, "source": "a paper"}, "reference": ["one", "two"], "needs": ["torch", "a.b"],
}
NOTHING = object()


def with_input(**changes):
    changed = {**RIGHT["inputs"][0], **changes}
    return {"inputs": [{key: value for key, value in changed.items() if value is not NOTHING}]}


def with_framework(version):
    return {"framework": {"name": "torch", "version": version}}


ALSO_RIGHT = [
    {}, {"title": "T"}, {"version": 1.5}, {"framework": "torch"}, {"files": {}}, {"reference": "one"}, {"reference": []},
    {"files": NOTHING, "file": "a.pt", "sha256": "f" * 64}, {"flops": 5}, {"flops": {"count": 5}}, {"needs": []},
    {"preprocess": []}, {"outputs": [{"name": "y"}]}, {"name": "0.a_b+c-d"}, {"task": "two words"},
    {"files": {"onnx": {"file": "a..b/...c"}}}, {"files": {"tf2": {"file": "folder"}}},
    {"files": {"onnx": {"file": "/a"}}}, {"files": {"onnx": {"file": "../a"}}}, with_input(fill=NOTHING, value=16000),
    with_input(fill=NOTHING, value=0.5),
    with_input(shape=[], layout=NOTHING), with_input(name=NOTHING), with_input(layout=NOTHING, fill=NOTHING),
    with_input(dtype="bool", fill="zeros"), with_input(dtype="int8", fill="range", range=[-5, 5]),
    *[with_framework(version) for version in (2, 1.15, "2", "==1.*", "!= 1.2.3.4", ">1,<2 , !=1.5", " >= 1 ")],
]

WRONG = [
    {"name": NOTHING}, {"name": ""}, {"name": 3}, {"name": "a/b"}, {"name": ".hidden"}, {"name": ["a"]}, {"name": "two words"},
    {"tsak": "x"}, {"title": ""}, {"title": 3}, {"version": ""}, {"version": [1]}, {"version": True}, {"description": None},
    {"framework": ""}, {"framework": 3}, {"framework": {}}, {"framework": {"version": "1"}},
    {"framework": {"name": "torch", "note": "x"}}, {"framework": ["torch"]},
    *[with_framework(version) for version in ("", "1.x", ">=", ">=1,", "=>1", ">=1.*", "new", "1 2", "1.2.3.4.5", -1, [1], ",")],
    {"file": "a.pt"}, {"sha256": "0" * 64}, {"files": []}, {"files": "a.pt"}, {"files": {"Onnx": {"file": "a"}}},
    {"files": {"onnx": {}}}, {"files": {"onnx": "a"}}, {"files": {"onnx": {"file": ""}}},
    {"files": {"onnx": {"file": "a", "sha256": "abc"}}}, {"files": {"onnx": {"file": "a", "sha256": "F" * 64}}},
    {"files": {"onnx": {"file": "a", "size": 3}}}, {"files": {"": {"file": "a"}}}, {"files": {"1a": {"file": "a"}}},
    {"inputs": []}, {"inputs": {}}, {"inputs": [3]}, {"inputs": "x"},
    with_input(dtype=NOTHING), with_input(dtype="float"), with_input(dtype=32), with_input(shape=NOTHING), with_input(shape=3),
    with_input(shape=[0], layout=NOTHING), with_input(shape=[-1], layout=NOTHING), with_input(shape=["n"], layout=NOTHING),
    with_input(shape=[1.5], layout=NOTHING), with_input(shape=[True], layout=NOTHING), with_input(shape=[1] * 9, layout=NOTHING),
    with_input(shape=[2 ** 41], layout=NOTHING), with_input(layout="nchw"), with_input(layout=""), with_input(name=""),
    with_input(fill="one"), with_input(fill=1), with_input(fill="ones", value=1), with_input(fill=NOTHING, value="x"), with_input(dtype="int8", range=3), with_input(dtype="int8", range=[1]),
    with_input(dtype="int8", range=[1, 2, 3]), with_input(dtype="int8", range=[0.5, 2]), with_input(colour="red"),
    {"outputs": []}, {"outputs": [{}]}, {"outputs": [{"name": "y", "fill": "ones"}]}, {"outputs": [{"name": "y", "dtype": "f"}]},
    {"outputs": [{"name": "y", "shape": ["x"]}]}, {"outputs": 3},
    {"preprocess": {}}, {"preprocess": ["decode"]}, {"preprocess": [{}]}, {"preprocess": [{"step": "normalize"}]},
    {"preprocess": [{"step": "softmax"}]}, {"postprocess": [{"step": "decode"}]}, {"postprocess": [{"step": 3}]},
    {"parameters": 0}, {"parameters": -1}, {"parameters": "many"}, {"parameters": 1.5}, {"flops": {}}, {"flops": {"count": "x"}},
    {"flops": {"count": 3, "by": "x"}}, {"flops": {"count": 3, "source": ""}}, {"flops": []}, {"flops": True},
    {"reference": 3}, {"reference": [""]}, {"reference": [3]}, {"needs": "torch"}, {"needs": ["import os"]}, {"needs": ["a."]},
    {"needs": [""]}, {"weights": 0}, {"source": False}, {"licence": []},
]

# What a schema cannot say: only `xsp model check` refuses these.
BEYOND_THE_SCHEMA = [
    with_input(layout="NCHWD"), with_input(range=[0, 2]), with_input(dtype="int8", range=[2, 2]),
    {"inputs": [RIGHT["inputs"][0], RIGHT["inputs"][0]]}, {"outputs": [{"name": "y"}, {"name": "y"}]},
]


def changed(changes):
    return {key: value for key, value in {**RIGHT, **changes}.items() if value is not NOTHING}


class ManifestSchemaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = json.loads((ROOT / "schema" / "manifest.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        cls.schema = jsonschema.Draft202012Validator(schema)

    def check(self, files):
        """What `xsp model check` says of each file."""
        done = subprocess.run([str(XSP), "model", "check", *map(str, files), "--format", "json"], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if all(document["ok"] for document in said) else 3)
        return said

    def judge(self, manifests):
        """For each manifest whether the schema and whether our reader accepts it, and what the reader says."""
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for index, manifest in enumerate(manifests):
                files.append(pathlib.Path(folder) / f"{index}.yaml")
                files[-1].write_text(yaml.safe_dump(manifest, sort_keys=False))
                self.assertEqual(yaml.safe_load(files[-1].read_text()), manifest)
            said = self.check(files)
        return [(self.schema.is_valid(manifest), document["ok"], document["problems"])
                for manifest, document in zip(manifests, said)]

    def test_both_accept_the_zoo(self):
        files = sorted((ROOT / "zoo").glob("*/manifest.yaml"))
        self.assertGreaterEqual(len(files), 2)
        for file, said in zip(files, self.check(files)):
            with self.subTest(file.parent.name):
                self.assertEqual(said["problems"], [])
                manifest = yaml.safe_load(file.read_text())
                self.schema.validate(manifest)
                self.schema.validate(said["manifest"])

    def test_both_accept_what_is_right(self):
        for changes, verdict in zip(ALSO_RIGHT, self.judge([changed(changes) for changes in ALSO_RIGHT])):
            with self.subTest(str(changes)):
                self.assertEqual(verdict, (True, True, []))

    def test_both_refuse_what_is_wrong(self):
        for changes, (schema, reader, problems) in zip(WRONG, self.judge([changed(changes) for changes in WRONG])):
            with self.subTest(str(changes)):
                self.assertEqual((schema, reader), (False, False))
                self.assertTrue(all(problem["line"] > 0 and problem["column"] > 0 for problem in problems), problems)

    def test_the_reader_refuses_more(self):
        for changes, (schema, reader, _) in zip(BEYOND_THE_SCHEMA,
                                                self.judge([changed(changes) for changes in BEYOND_THE_SCHEMA])):
            with self.subTest(str(changes)):
                self.assertEqual((schema, reader), (True, False))

    def test_they_know_the_same_keys(self):
        """Every key of the schema is known to the reader, and what the reader writes out is in the schema."""
        written = self.check([ROOT / "zoo" / "resnet50" / "manifest.yaml"])[0]["manifest"]
        self.assertLessEqual(set(written), set(self.schema.schema["properties"]))
        whole = {**RIGHT, **{key: "x" for key in ("title", "task", "description", "weights", "source", "licence")}}
        self.assertEqual(set(whole) | {"file", "sha256"}, set(self.schema.schema["properties"]))
        self.assertEqual(self.judge([whole]), [(True, True, [])])


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: {XSP} is not built")
        sys.exit(77)
    unittest.main()
