"""`xsp model check`, `xsp zoo` and what `xsp doctor` says of the zoo, as a user runs them, in a zoo of their own whose makers
need nothing but Python."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
USAGE, BAD_INPUT, NOT_POSSIBLE, ENVIRONMENT = 2, 3, 4, 5

WRONG = """\
name: net
tsak: classification
inputs:
  - {name: image, dtype: float, shape: [batch, 0, 3]}
preprocess:
  - {step: normalize}
"""
WHAT_IS_WRONG = """\
net.yaml:2:1: error: unknown key: tsak (did you mean task?)
net.yaml:4:26: error: unknown inputs[0].dtype: float (did you mean float32?)
net.yaml:4:48: error: inputs[0].shape[1] is not a positive number or batch: 0
net.yaml:6:12: error: unknown preprocess[0].step: normalize (did you mean normalise?)
"""
RIGHT = """\
name: net
version: 2
files: {plain: {file: net.plain}, pair: {file: net}}
inputs: [{name: ids, dtype: int64, shape: [batch, 8], range: [0, 10]}]
preprocess: [{step: tokenise, vocabulary: words.txt, max_length: 8}]
flops: {count: 1000000, source: a paper}
"""
WHAT_IT_MEANS = """\
net.yaml: nothing wrong found
  name     net
  version  2
  file     net.plain as plain
  file     net as pair
  input    ids int64 [batch, 8], 0 to 9
  before   tokenise: max_length 8, vocabulary words.txt
  FLOPs    1000000 (a paper)
"""
WRONG_STEPS = """\
name: net
preprocess:
  - {step: decode, color: rgb}
  - {step: resize, width: 224}
postprocess:
  - step: top_k
    labels: names.txt
  - {step: top_k, labels: more.txt}
"""
WHAT_IS_WRONG_WITH_STEPS = """\
sub/net.yaml:3:20: error: pre-processing step 1, decode: there is no parameter of this name: "color" (it takes: colour, orientation)
sub/net.yaml:4:5: error: pre-processing step 2, resize: height is missing
sub/net.yaml:8:19: error: post-processing step 2, top_k: cannot open a file: sub/more.txt: No such file or directory
"""
OLD = """\
name: net
framework: {name: MXNet, version: 1.x}
container: {}
model: {graph_path: net-symbol.json}
"""


class CommandTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.write("home/zoo/makers/plain.py", "# needs: sys\nimport sys\nopen(sys.argv[2], 'w').write(sys.argv[1])\n")
        self.write("home/zoo/makers/pair.py",
                   "# needs: os, sys\nimport os, sys\nos.mkdir(sys.argv[2])\nopen(sys.argv[2] + '/part', 'w').write('part')\n")
        self.write("home/zoo/net/manifest.yaml", RIGHT)
        self.write("home/zoo/net/model.py", "")
        self.write("words.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nword\n")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def xsp(self, *arguments, status=0):
        environment = {**os.environ, "XSP_HOME": str(self.folder / "home"), "XSP_CACHE": str(self.folder / "cache"),
                       "XSP_PYTHON": sys.executable, "XSP_WORKER_PATH": str(self.folder), "PATH": "/usr/bin:/bin"}
        done = subprocess.run([str(XSP), *arguments], env=environment, cwd=self.folder, capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done.stdout, done.stderr

    def test_check_names_everything_that_is_wrong(self):
        self.write("net.yaml", WRONG)
        self.assertEqual(self.xsp("model", "check", "net.yaml", status=BAD_INPUT), (WHAT_IS_WRONG, ""))

    def test_check_names_what_is_wrong_with_steps(self):
        """Files that they name lie beside the manifest."""
        self.write("sub/net.yaml", WRONG_STEPS)
        self.write("sub/names.txt", "cat\ndog\n")
        self.assertEqual(self.xsp("model", "check", "sub/net.yaml", status=BAD_INPUT), (WHAT_IS_WRONG_WITH_STEPS, ""))

    def test_check_says_what_a_manifest_means(self):
        self.write("net.yaml", RIGHT)
        self.assertEqual(self.xsp("model", "check", "net.yaml"), (WHAT_IT_MEANS, ""))

    def test_check_takes_several_files_in_several_forms(self):
        self.write("right.yaml", RIGHT)
        self.write("wrong.yaml", WRONG)
        self.write("old.yaml", OLD)
        files = ["right.yaml", "wrong.yaml", "old.yaml", "missing.yaml"]
        said = json.loads(self.xsp("model", "check", *files, "--format", "json", status=BAD_INPUT)[0])
        self.assertEqual([(document["file"], document["ok"]) for document in said], list(zip(files, [True, False, True, False])))
        self.assertEqual([document.get("form") for document in said], ["xsp", None, "mlmodelscope", None])
        self.assertEqual(said[0]["manifest"]["inputs"], [{"name": "ids", "dtype": "int64", "shape": ["batch", 8], "range": [0, 10]}])
        self.assertEqual(said[2]["problems"], [{"line": 3, "column": 1, "kind": "note", "what": "not converted: container",
                                                "hint": "models run in workers, not in containers"}])
        self.assertEqual(said[2]["manifest"]["framework"], {"name": "mxnet", "version": "==1.*"})
        self.assertIn("no such file", said[3]["problems"][0]["what"])
        rows = list(csv.DictReader(io.StringIO(self.xsp("model", "check", *files, "--format", "csv", status=BAD_INPUT)[0])))
        self.assertEqual(len(rows), 6)
        self.assertEqual((rows[0]["file"], rows[0]["line"], rows[0]["column"]), ("wrong.yaml", "2", "1"))

    def test_check_wants_a_file(self):
        self.xsp("model", status=USAGE)
        self.xsp("model", "check", status=USAGE)

    def listed(self):
        return json.loads(self.xsp("zoo", "list", "--format", "json")[0])

    def test_the_zoo_says_what_is_made(self):
        self.assertEqual(self.listed(), [{"name": "net", "title": "", "task": "", "formats": "plain, pair", "backends": "",
                                          "parameters": None, "flops": 1000000, "made": "",
                                          "readers": {"plain": "", "pair": ""}}])
        out, err = self.xsp("zoo", "make", "net", "--format", "json")
        made = json.loads(out)
        self.assertEqual([(row["name"], row["format"], row["state"]) for row in made], [("net", "plain", "made")])
        self.assertEqual(pathlib.Path(made[0]["path"]).read_text(), str(self.folder / "home/zoo/net"))
        self.assertIn("building net as plain with", err)
        self.assertEqual(self.listed()[0]["made"], "plain")
        again = json.loads(self.xsp("zoo", "make", "net", "--all", "--format", "json")[0])
        self.assertEqual([(row["format"], row["state"]) for row in again], [("plain", "was made"), ("pair", "made")])
        self.assertEqual((pathlib.Path(again[1]["path"]) / "part").read_text(), "part")
        self.assertIn("plain*, pair*", self.xsp("zoo")[0])

    def test_formats_are_chosen(self):
        for option in ("--as", "--format"):
            out, _ = self.xsp("zoo", "make", "net", option, "pair")
            self.assertIn("pair", out)
        self.assertEqual(self.listed()[0]["made"], "pair")
        _, err = self.xsp("zoo", "make", "net", "--as", "onnx", status=NOT_POSSIBLE)
        self.assertIn("model net cannot be built as onnx (available: plain, pair)", err)
        _, err = self.xsp("zoo", "make", "net", "--backend", "none", status=NOT_POSSIBLE)
        self.assertIn("no worker for backend none", err)

    def test_the_other_models_are_made_when_one_fails(self):
        self.write("home/zoo/bad/manifest.yaml", "name: bad\nfiles: {plain: {file: bad.plain}}\n")
        self.write("home/zoo/bad/make_plain.py", "import sys\nsys.exit('no weights today')\n")
        out, err = self.xsp("zoo", "make", "bad", "net", status=ENVIRONMENT)
        self.assertIn("cannot build the model bad as plain: exit status 1: no weights today", err)
        self.assertIn("make_plain.py bad.plain", err)
        self.assertIn("net.plain", out)
        self.assertEqual([path.name for path in (self.folder / "cache/zoo").rglob("*") if path.is_file()], ["net.plain"])

    def test_what_is_not_there_is_said(self):
        _, err = self.xsp("zoo", "make", "nett", status=BAD_INPUT)
        self.assertIn("Did you mean net?", err)
        self.xsp("zoo", "make", status=USAGE)
        self.write("home/zoo/broken/manifest.yaml", "nane: broken\n")
        out, err = self.xsp("zoo", status=BAD_INPUT)
        self.assertIn("broken/manifest.yaml:1:1: unknown key: nane", err)
        self.assertIn("net", out)

    def test_doctor_passes_on_what_a_worker_that_is_not_built_lacks(self):
        for name, says in (("slow", "echo 'no Slow found: workers/slow/install.sh installs one' >&2\nexit 4"), ("quick", "exit 0")):
            self.write(f"home/workers/{name}/requires.sh", f"#!/bin/sh\n{says}\n")
            (self.folder / f"home/workers/{name}/requires.sh").chmod(0o755)
        parts = {part["part"]: part["where_or_how"] for part in json.loads(self.xsp("doctor", "--format", "json")[0])}
        self.assertEqual(parts["worker slow"], "no Slow found: workers/slow/install.sh installs one")
        self.assertEqual(parts["worker quick"], "not built: tools/build")
        self.assertRegex(self.xsp("doctor")[0], r"\n  worker slow +no Slow found: workers/slow/install.sh installs one\n")

    def test_doctor_names_the_modules_that_makers_lack(self):
        self.write("home/zoo/net/manifest.yaml", RIGHT + "needs: [os, no_such_module]\n")
        self.write("home/zoo/makers/plain.py", "# needs: sys\n# imports: model.py\n")
        parts = {part["part"]: part for part in json.loads(self.xsp("doctor", "--format", "json")[0])}
        plain, pair = parts["zoo models as plain"], parts["zoo models as pair"]
        self.assertEqual((plain["found"], plain["modules"]), (False, {"no_such_module": None, "os": "", "sys": ""}))
        self.assertEqual(plain["where_or_how"], f"no no_such_module in {sys.executable}: tools/setup, or install it there")
        self.assertEqual((pair["found"], pair["where_or_how"]), (True, sys.executable))


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: {XSP} is not built")
        sys.exit(77)
    unittest.main()
