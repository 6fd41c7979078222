"""Model files as strangers bring them: each is run without a manifest. The files are made here, with the frameworks that are
there; a case whose framework is not there is skipped."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
PYTHON = os.environ.get("XSP_PYTHON", "python3")
BAD_INPUT = 3

MODELS = """
import warnings; warnings.simplefilter("ignore")
import sys, torch, torch.nn as nn
folder = sys.argv[1]

class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.last = nn.LSTM(16, 32), nn.Linear(32, 4)
    def forward(self, x): return self.last(self.lstm(x)[0])

class Speech(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 3)
    def forward(self, x, sr: int):
        if sr != 16000: raise ValueError("unknown rate")
        return self.conv(x).sum()

class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places, self.kinds = nn.Embedding(200, 16), nn.Embedding(256, 16), nn.Embedding(2, 16)
    def forward(self, input_ids, attention_mask, token_type_ids):
        ids = input_ids.view(-1, input_ids.size(-1))
        places = torch.arange(ids.size(-1))
        return (self.words(ids) + self.places(places) + self.kinds(token_type_ids)) * attention_mask[..., None]

class Lines(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
    def forward(self, x):
        return torch.relu(self.conv((x - 0.5) / 0.25)).mean((2, 3))

class Short(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(200, 16), nn.Embedding(16, 16)
    def forward(self, input_ids):
        return self.words(input_ids) + self.places(torch.arange(input_ids.size(-1)))

class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(nn.Conv1d(4, 6, 1) for _ in range(3))
    def forward(self, x): return torch.cat([part(x) for part in self.parts], 1)

ids = tuple(torch.zeros(1, 8, dtype=torch.int64) for _ in range(3))
names = ["input_ids", "attention_mask", "token_type_ids"]
torch.jit.trace(Recurrent().eval(), torch.randn(7, 2, 16)).save(f"{folder}/recurrent.jit")
torch.jit.script(Speech().eval()).save(f"{folder}/speech.bin")
torch.jit.trace(Lines().eval(), torch.randn(1, 3, 32, 32)).save(f"{folder}/lines.torchscript")
torch.jit.script(Short().eval()).save(f"{folder}/short.torchscript")
torch.jit.trace(Listed().eval(), torch.randn(1, 4, 5)).save(f"{folder}/listed.torchscript")
torch.save(Lines().state_dict(), f"{folder}/weights.pt")
torch.onnx.export(Lines().eval(), (torch.randn(1, 3, 48, 320),), f"{folder}/lines.onnx", dynamo=False, input_names=["x"],
                  dynamic_axes={"x": {0: "batch", 3: "width"}})
torch.onnx.export(Tokens().eval(), ids, f"{folder}/tokens.onnx", dynamo=False, input_names=names,
                  dynamic_axes={name: {0: "batch", 1: "sequence"} for name in names})
"""


# A Loop whose body is a matrix product and a Tanh, run five times.
LOOP = """
import sys, numpy
from onnx import TensorProto as T, helper as make, numpy_helper, save
def value(name, kind, shape): return make.make_tensor_value_info(name, kind, shape)
body = make.make_graph(
    [make.make_node("MatMul", ["s", "w"], ["m"], name="mm"), make.make_node("Tanh", ["m"], ["s_out"], name="tanh"),
     make.make_node("Identity", ["c"], ["c_out"], name="keep")], "body",
    [value("i", T.INT64, []), value("c", T.BOOL, []), value("s", T.FLOAT, ["batch", 64])],
    [value("c_out", T.BOOL, []), value("s_out", T.FLOAT, ["batch", 64])])
graph = make.make_graph(
    [make.make_node("Relu", ["x"], ["r"], name="relu"), make.make_node("Loop", ["n", "go", "r"], ["y"], name="loop", body=body)],
    "graph", [value("x", T.FLOAT, ["batch", 64])], [value("y", T.FLOAT, ["batch", 64])],
    [numpy_helper.from_array(numpy.eye(64, dtype=numpy.float32), "w"),
     numpy_helper.from_array(numpy.array(5), "n"), numpy_helper.from_array(numpy.array(True), "go")])
model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)])
model.ir_version = 9
save(model, f"{sys.argv[1]}/loop.onnx")
"""


class ModelFilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.has_torch = not python_modules.missing(PYTHON, "torch", "onnx")
        if not cls.has_torch:
            return
        (cls.folder / "make.py").write_text(MODELS)  # torch.jit.script reads its source.
        subprocess.run([PYTHON, cls.folder / "make.py", cls.folder], check=True)
        subprocess.run([PYTHON, "-c", LOOP, cls.folder], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def xsp(self, *arguments, status=0):
        done = subprocess.run([XSP, "--store", self.folder / "store", *map(str, arguments)], capture_output=True, text=True,
                              timeout=900)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout, done.stderr

    def file(self, name, worker):
        if not self.has_torch:
            self.skipTest("no Python with PyTorch and onnx")
        if not (BUILD / "bin" / f"xsp-worker-{worker}").exists():
            self.skipTest(f"worker {worker} is not built")
        return self.folder / name

    def run_model(self, file, *more, status=0):
        out, err = self.xsp("run", file, "--depth", "model", "--iterations", "2", "--monitor-rate", "0", "--format", "json", *more,
                            status=status)
        return json.loads(out) if out else None, err

    def inputs(self, file, *more):
        document = json.loads(self.xsp("model", "describe", file, "--format", "json", *more)[0])
        return document["manifest"]["inputs"], document["guessed"]

    def test_a_traced_lstm_has_its_sequence_first(self):
        file = self.file("recurrent.jit", "torch")
        inputs, guessed = self.inputs(file)
        self.assertEqual(inputs, [{"name": "x", "dtype": "float32", "shape": [128, "batch", 16]}])
        _, err = self.run_model(file, "--batch", "2")
        self.assertIn("guessed of input x: size 0 (sequence) = 128", err)
        self.assertEqual(err.count("guessed of input x"), 1)
        self.assertEqual(guessed, ["x: size 0 (sequence) = 128"])

    def test_a_number_is_an_argument_and_the_ending_does_not_matter(self):
        file = self.file("speech.bin", "torch")
        self.run_model(file)
        _, err = self.run_model(file, "--input", "x=1x1x512", "--input", "sr=scalar:value=8000", status=BAD_INPUT)
        self.assertIn("unknown rate", err)

    def test_a_convolution_behind_arithmetic_tells_an_image(self):
        inputs, _ = self.inputs(self.file("lines.torchscript", "torch"))
        self.assertEqual(inputs[0]["shape"], ["batch", 3, 224, 224])

    def test_every_backend_guesses_the_same_and_a_given_shape_comes_first(self):
        file = self.file("lines.onnx", "onnxruntime")
        for backend in ("onnxruntime", "openvino", "opencv"):
            if (BUILD / "bin" / f"xsp-worker-{backend}").exists():
                inputs, guessed = self.inputs(file, "--backend", backend)
                self.assertEqual(inputs[0]["shape"], ["batch", 3, 48, 320], backend)
                self.assertEqual(guessed, ["x: size 3 (width) = 320"], backend)
        inputs, guessed = self.inputs(file, "--input", "1x3x48x160")
        self.assertEqual((inputs[0]["shape"], guessed), (["batch", 3, 48, 160], []))

    def test_masks_and_types_get_values_that_the_model_can_run_with(self):
        file = self.file("tokens.onnx", "onnxruntime")
        inputs, guessed = self.inputs(file)
        self.assertEqual([one.get("fill") for one in inputs], [None, "ones", "zeros"])
        self.assertIn("attention_mask: size 1 (sequence) = 128, values 1", guessed)
        self.run_model(file)

    def test_what_is_described_runs_as_a_manifest(self):
        file = self.file("tokens.onnx", "onnxruntime")
        manifest = self.folder / "elsewhere" / "tokens.yaml"
        manifest.parent.mkdir(exist_ok=True)
        manifest.write_text(self.xsp("model", "describe", file, "--input", "input_ids=Nx16")[0])
        self.xsp("model", "check", manifest)
        document, err = self.run_model(manifest)
        self.assertNotIn("guessed", err)
        run = json.loads((pathlib.Path(document["runs"][0]) / "run.json").read_text())
        self.assertEqual([one["shape"] for one in run["job"]["model"]["inputs"]], [["batch", 16]] * 3)

    def test_backends_of_all_that_cannot_run_it_are_left_out(self):
        file = self.file("tokens.onnx", "onnxruntime")
        self.file("tokens.onnx", "opencv")  # OpenCV 4.6 reads no integer inputs.
        document, err = self.run_model(file, "--backend", "all")
        self.assertEqual([line.split(":")[0] for line in document["left_out"]], ["opencv"])
        self.assertEqual((document["status"], document["failures"]), ("done", []))
        self.assertEqual(err.count("cannot load the model"), 1, err)
        # By its name it was asked for, so that is a failure.
        document, _ = self.run_model(file, "--backend", "onnxruntime,opencv", status=BAD_INPUT)
        self.assertEqual(document["status"], "partial")

    def test_the_nodes_of_a_loops_body_are_layers_in_each_iteration(self):
        file = self.file("loop.onnx", "onnxruntime")
        for backend in ("onnxruntime", "openvino"):
            if not (BUILD / "bin" / f"xsp-worker-{backend}").exists():
                continue
            self.xsp("run", file, "--backend", backend, "--iterations", "3", "--monitor-rate", "0", "--name", f"loop-{backend}")
            layers = json.loads(self.xsp("query", f"loop-{backend}", "SELECT name, type, flops FROM layer ORDER BY layer_index",
                                         "--format", "json")[0])
            products = [one for one in layers if one["name"].startswith("mm")]
            self.assertEqual(len(products), 5, layers)
            self.assertEqual([one for one in layers if one["type"] in ("Loop", "TensorIterator")], [], backend)
            if backend == "onnxruntime":
                self.assertEqual([one["flops"] for one in products], [2 * 64 * 64] * 5)

    def test_shapes_are_those_of_the_operator_and_not_of_what_else_the_interpreter_holds(self):
        file = self.file("listed.torchscript", "torch")
        self.xsp("run", file, "--input", "1x4x5", "--iterations", "3", "--monitor-rate", "0", "--depth", "layer", "--name", "listed")
        layers = json.loads(self.xsp("query", "listed", "SELECT type, shape FROM layer ORDER BY layer_index", "--format", "json")[0])
        self.assertEqual([one["shape"] for one in layers if one["type"] == "aten::_convolution"], ["[1,6,5]"] * 3, layers)

    def test_files_without_a_model_say_how_to_get_one(self):
        _, err = self.run_model(self.file("weights.pt", "torch"), status=BAD_INPUT)
        self.assertIn("a checkpoint of torch.save", err)
        self.assertIn("torch.jit.trace", err)

    def test_a_model_that_refuses_the_first_guess_gets_another(self):
        file = self.file("short.torchscript", "torch")  # It knows 16 places.
        inputs, guessed = self.inputs(file)
        self.assertEqual(inputs[0]["shape"], ["batch", 16])
        self.assertEqual(guessed, ["input_ids: size 1 (sequence) = 16"])
        _, err = self.run_model(file)
        self.assertIn("guessed of input input_ids: size 1 (sequence) = 16", err)

    def test_guesses_that_do_not_fit_are_named(self):
        file = self.file("tokens.onnx", "onnxruntime")
        _, err = self.run_model(file, "--input", "input_ids=1x300", status=BAD_INPUT)  # It knows 256 places.
        self.assertIn("these guesses may not fit it: ", err)
        self.assertIn("--input input_ids=1x300", err)

    def test_a_saved_model_runs_in_tensorflow_by_its_folder_or_file(self):
        if not (BUILD / "bin" / "xsp-worker-tensorflow").exists():
            self.skipTest("worker tensorflow is not built")
        folder = self.xsp("zoo", "make", "tiny", "--format", "tensorflow")[0].split()[-1]
        for model in (folder, os.path.join(folder, "saved_model.pb")):
            document, _ = self.run_model(model)
            run = json.loads((pathlib.Path(document["runs"][0]) / "run.json").read_text())
            self.assertTrue(run["worker"]["program"].endswith("xsp-worker-tensorflow"))


if __name__ == "__main__":
    program = unittest.main(exit=False, argv=sys.argv)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun == len(result.skipped) else 0)
