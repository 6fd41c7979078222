"""The models of the zoo: parameters and FLOPs against published figures, the same weights every time and in every format.

XSP_ZOO=all runs every model in every format; otherwise a part that takes less than two minutes on two cores.
"""
import functools
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

import python_modules
import warm_python

ROOT = pathlib.Path(__file__).resolve().parent.parent
ZOO, TESTS = ROOT / "zoo", ROOT / "tests"
ALL = os.environ.get("XSP_ZOO") == "all"
MODELS = sorted(folder.parent.name for folder in ZOO.glob("*/model.py"))

# Counting them takes values and half a minute each (non-maximum suppression).
SLOW_TO_COUNT = {"faster_rcnn_resnet50", "mask_rcnn_resnet50"}
# Built and run in every test.
QUICK = ["tiny", "mobilenet_v1", "ssd_mobilenet_v1_300", "dlrm", "drqa_reader", "deepbench_rnn_lstm_512_1_25"]
# Made in their formats in every test: together they have every operator that the translators know.
QUICK_FORMATS = {"mobilenet_v1": {"torchscript", "onnx", "tensorflow", "mxnet"},
                 "dlrm": {"torchscript", "onnx"}, "deepbench_rnn_lstm_512_1_25": {"torchscript", "onnx"}}
# The number of candidates that pass a threshold changes with the last digits of a score.
UNSTABLE = {"faster_rcnn_resnet50", "mask_rcnn_resnet50"}

# How far parameters may be from the published figure, where that is rounded or of a close relative.
PARAMETERS_DELTA = {
    "mobilenet_v1": 0.01,          # 4.2 million: rounded.
    "ssd_mobilenet_v1_300": 0.02,  # 6.91 million: those of the TensorFlow graph, which holds more than weights.
    "ssd_resnet34_1200": 0.01,     # 80.4 MB of file, with its constants and names.
    "transformer": 0.035,          # 65 million: rounded up by its authors; 37000 tokens are "about".
    "gnmt": 0.02,                  # 210 million: rounded, biases of the output and all.
}
FLOPS_DELTA = 0.01
# Computed beyond what the published figure counts: 100 masks of four convolutions 256 to 256 of 3 x 3 at 14 x 14,
# a transposed one of 2 x 2, and 91 classes at 28 x 28.
FLOPS_BEYOND = {"mask_rcnn_resnet50": 100 * 2 * 256 * 14 * 14 * (4 * 256 * 9 + 256 * 4 + 91 * 4)}


def lstm(inputs, hidden, directions=1):
    return directions * 4 * ((inputs + hidden) * hidden + 2 * hidden)


# Where nobody published a figure: the same by hand, from the paper's sizes.
PARAMETERS_BY_HAND = {
    "dlrm": 16 * sum(min(n, 100_000) for n in (
        1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992, 5461306, 10, 5652,
        2173, 4, 7046547, 18, 15, 286181, 105, 142572))
        + 13 * 512 + 512 + 512 * 256 + 256 + 256 * 64 + 64 + 64 * 16 + 16
        + (16 + 27 * 26 // 2) * 512 + 512 + 512 * 256 + 256 + 256 + 1,
    "drqa_reader": 50_000 * 300 + 300 * 300 + 300 + lstm(673, 128, 2) + lstm(300, 128, 2) + 4 * lstm(256, 128, 2)
        + 768 + 1 + 2 * (768 * 768 + 768),
}


def llm_flops(tokens, keys, results):
    """2 FLOP for each weight of 30 layers and token, attention of 9 heads of 64 to all keys, and the output."""
    layer = 576 * (576 + 2 * 192) + 576 * 576 + 3 * 576 * 1536
    return 2 * (30 * (tokens * layer + 2 * tokens * keys * 9 * 64) + results * 576 * 49152)


# Of 32 source and 32 target tokens; attention of 8 heads of 64; six layers and six with two attentions.
TRANSFORMER = 2 * (6 * (32 * (4 * 512 ** 2 + 2 * 512 * 2048) + 2 * 32 * 32 * 512)
                   + 6 * (32 * (8 * 512 ** 2 + 2 * 512 * 2048) + 2 * 2 * 32 * 32 * 512) + 32 * 512 * 37000)
FLOPS_BY_HAND = {
    "transformer": TRANSFORMER,
    "llm_prefill": llm_flops(128, 128, 1),
    "llm_decode": llm_flops(1, 129, 1),
    "ncf": 2 * (256 * 256 + 256 * 128 + 128 * 64 + 128),
    "dlrm": 2 * (13 * 512 + 512 * 256 + 256 * 64 + 64 * 16 + 27 * 27 * 16 + 367 * 512 + 512 * 256 + 256),
}


@functools.cache
def python_with(*modules):
    """The first Python that has the modules, searched as XSP does for makers (zoo/README.md), or None."""
    candidates = [os.environ.get("XSP_PYTHON"), "python3", *sorted(ROOT.glob(".deps/*/bin/python")),
                  *os.environ.get("XSP_TEST_PYTHONS", "").split(":")]
    return python_modules.first_with(candidates, *modules)


TORCH = python_with("torch", "torchvision", "yaml")
RUNTIMES = {"torchscript": "torch", "onnx": "onnxruntime", "tensorflow": "tensorflow", "mxnet": "mxnet"}
NEEDS = re.compile(r"^# needs: (.*)$", re.MULTILINE)


@functools.cache
def warm(python):
    """That Python, which imports its framework once for all scripts."""
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    framework = next((name for name in ("torch", "tensorflow", "mxnet") if not python_modules.missing(python, name)), "sys")
    started = warm_python.WarmPython(python, framework)
    unittest.addModuleCleanup(started.close)
    return started


def run(python, script, *arguments):
    status, out, err = warm(python).run(script, *arguments)
    if status != 0:
        raise AssertionError(f"{script} {arguments}: status {status}\n{err[-3000:]}")
    return out


def figures(what, names):
    lines = run(TORCH, TESTS / "zoo_figures.py", what, *names).splitlines()
    return {figure["name"]: figure for figure in map(json.loads, lines)}


def chosen(names, part, why):
    """All of the names, or the part that runs by default, and then a line that says what was left out."""
    left = [name for name in names if name not in part]
    if ALL or not left:
        return list(names)
    print(f"\nleft out without XSP_ZOO=all ({why}): {', '.join(left)}", file=sys.stderr)
    return [name for name in names if name in part]


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.counted = figures("count", chosen(MODELS, set(MODELS) - SLOW_TO_COUNT, "counting"))

    def test_parameters_are_those_published(self):
        for name, figure in self.counted.items():
            with self.subTest(name):
                published = figure["manifest"].get("parameters", {}).get("count") or PARAMETERS_BY_HAND[name]
                delta = PARAMETERS_DELTA.get(name, 0) * published
                self.assertAlmostEqual(figure["parameters"], published, delta=delta)

    def test_flops_are_those_published(self):
        compared = 0
        for name, figure in self.counted.items():
            published = figure["manifest"].get("flops", {}).get("count") or FLOPS_BY_HAND.get(name)
            if published is None:
                continue
            compared += 1
            with self.subTest(name):
                own = figure["flops"] - FLOPS_BEYOND.get(name, 0)
                self.assertAlmostEqual(own / published, 1, delta=0 if name in FLOPS_BY_HAND else FLOPS_DELTA)
        self.assertGreater(compared, 20)

    def test_every_figure_has_a_source(self):
        for name, figure in self.counted.items():
            for key in ("parameters", "flops"):
                if key in figure["manifest"]:
                    self.assertTrue(figure["manifest"][key].get("source"), f"{name}: {key}")
            self.assertTrue(figure["manifest"].get("licence"), name)

    def test_whole_tables_of_dlrm_are_540_million_parameters(self):
        # Naumov et al. 2019, section 5.1; here without memory for them.
        figure, = map(json.loads, run(TORCH, TESTS / "zoo_figures.py", "whole_tables").splitlines())
        self.assertAlmostEqual(figure["parameters"] / 540e6, 1, delta=0.01)


class Weights(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = figures("run", chosen(MODELS, QUICK, "building and running"))

    def test_two_makes_give_the_same_weights(self):
        for name, figure in self.made.items():
            self.assertEqual(len(set(figure["hashes"])), 1, name)

    def test_both_phases_of_the_language_model_have_the_same_weights(self):
        if "llm_decode" not in self.made:
            self.skipTest("only with XSP_ZOO=all")
        self.assertEqual(self.made["llm_prefill"]["hashes"], self.made["llm_decode"]["hashes"])

    def test_results_are_as_the_manifest_says_and_worth_comparing(self):
        for name, figure in self.made.items():
            with self.subTest(name):
                outputs = figure["manifest"]["outputs"]
                self.assertEqual(len(outputs), len(figure["results"]))
                for output, result in zip(outputs, figure["results"]):
                    self.assertEqual(output["dtype"], result["dtype"])
                    if "shape" in output:
                        shape = [2 if size == "batch" else size for size in output["shape"]]
                        self.assertEqual(shape, result["shape"])
                    self.assertTrue(result["finite"])
                    # Neither all the same nor beyond half precision.
                    if result["dtype"] == "float32":
                        self.assertGreater(result["spread"], 1e-4 * result["largest"])
                        self.assertLess(result["largest"], 6e4)


class Formats(unittest.TestCase):
    """Files that the makers write compute what the module computes."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def reference(self, name):
        """Inputs and the module's results: computed once for all formats, since the large models take minutes."""
        tensors = pathlib.Path(self.folder.name) / f"{name}.npz"
        if not tensors.exists():
            run(TORCH, TESTS / "zoo_formats.py", "reference", ZOO / name, tensors)
        return tensors

    def compare(self, format_name):
        maker = (ZOO / "makers" / f"{format_name}.py").read_text(encoding="utf-8")
        modules = NEEDS.search(maker)[1].split(", ")
        if "import zoo_model" in maker:
            modules += ["torchvision"]
        maker_python, runtime = python_with(*modules), python_with(RUNTIMES[format_name], "numpy")
        for python, needed in ((maker_python, modules), (runtime, [RUNTIMES[format_name]])):
            if python is None:
                self.skipTest(f"no Python has {', '.join(needed)}")
        names = [name for name in MODELS if name not in UNSTABLE
                 and re.search(rf"^  {format_name}:", (ZOO / name / "manifest.yaml").read_text(), re.MULTILINE)]
        part = {name for name, formats in QUICK_FORMATS.items() if format_name in formats}
        for name in chosen(names, part, format_name):
            with self.subTest(name), tempfile.TemporaryDirectory() as temporary:
                file, tensors = pathlib.Path(temporary) / "model", self.reference(name)
                run(maker_python, ZOO / "makers" / f"{format_name}.py", ZOO / name, file)
                results = json.loads(run(runtime, TESTS / "zoo_formats.py", format_name, file, tensors).splitlines()[-1])
                print(f"\n{format_name} {name}: largest difference, largest value: " + ", ".join(
                    f"{r['difference']:.2g} of {r['largest']:.3g}" for r in results), file=sys.stderr)
                for result in results:
                    self.assertLess(result["difference"], 1e-4 * result["largest"])

    def test_onnx_runs_in_the_library_of_the_worker(self):
        installed = re.search(r"^ONNXRUNTIME_VERSION=(.+)$", (ROOT / "workers/onnxruntime/versions.env").read_text(), re.MULTILINE)
        self.assertIn(f"onnxruntime=={installed[1]}", (TESTS / "requirements.txt").read_text().splitlines())

    def test_torchscript_agrees_with_the_module(self):
        self.compare("torchscript")

    def test_onnx_agrees_with_the_module(self):
        self.compare("onnx")

    def test_tensorflow_agrees_with_the_module(self):
        self.compare("tensorflow")

    def test_mxnet_agrees_with_the_module(self):
        self.compare("mxnet")


@unittest.skipUnless(ALL, "only with XSP_ZOO=all")
class Quantised(unittest.TestCase):
    def test_resnet50_in_int8_is_near_resnet50_and_made_the_same_every_time(self):
        python = python_with("onnx", "onnxruntime", "numpy", "yaml")
        if python is None:
            self.skipTest("no Python has onnx, onnxruntime, numpy, yaml")
        with tempfile.TemporaryDirectory() as temporary:
            files = [pathlib.Path(temporary) / f"{i}.onnx" for i in range(2)]
            for file in files:
                run(python, ZOO / "resnet50_int8" / "make_onnx.py", file)
            self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
            # A byte a weight.
            self.assertLess(files[0].stat().st_size, 1.1 * 25_557_032)
            tensors = pathlib.Path(temporary) / "tensors.npz"
            run(TORCH, TESTS / "zoo_formats.py", "reference", ZOO / "resnet50", tensors)
            result, = json.loads(run(python, TESTS / "zoo_formats.py", "onnx", files[0], tensors).splitlines()[-1])
            self.assertLess(result["difference"], 0.05 * result["largest"])
            self.assertGreater(result["difference"], 1e-3 * result["largest"], "it was not quantised")


if __name__ == "__main__":
    if TORCH is None:
        print("skipped: no Python has torch, torchvision and yaml (tools/setup)")
        sys.exit(77)
    unittest.main()
