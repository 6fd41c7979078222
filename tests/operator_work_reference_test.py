#!/usr/bin/env python3
"""Imports PyTorch traces of an H100 and an MI300X and compares FLOPs, traffic and throughput of their operators with the
CSV files of TraceLens beside the traces, row by row. Each difference in definition is named (docs/references.md). A
training trace of ResNet-50 from before PyTorch 2.1, without strides, is compared with the FLOPs that its architecture has.

Needs the reference data folder (../shared/data beside the checkout, or XSP_REFERENCE_DATA); skipped without it.
"""
import collections
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
TRACES = pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces"
LENS = TRACES / "D06_tracelens_h100_vs_mi300"
OLD_RESNET50 = TRACES / "D05_kineto_tb_resnet50_old_schema" / "worker0.1623143089861.pt.trace.json.gz"
TENSOR_BYTES = 2  # Everything in these models is bfloat16.

# Every operator above a kernel, with its shapes; kernels in order of execution, as in table kernel.
OPERATORS = """
WITH RECURSIVE above AS (
  SELECT id AS kernel_id, parent_id FROM span WHERE level = 'kernel'
  UNION ALL
  SELECT a.kernel_id, s.parent_id FROM above a JOIN span s ON s.id = a.parent_id),
operator AS (
  SELECT a.kernel_id, s.id, s.type, shapes.value AS shapes
  FROM above a JOIN span s ON s.id = a.parent_id AND s.level = 'layer'
  JOIN attribute shapes ON shapes.span_id = s.id AND shapes.key = 'input_shapes'),
numbered AS (
  SELECT id, row_number() OVER (ORDER BY start_ns, id) - 1 AS kernel_index FROM span WHERE level = 'kernel')
SELECT kernel_index, o.id, o.type, o.shapes FROM operator o JOIN numbered n ON n.id = o.kernel_id"""


def product(dims):
    return math.prod(dims) if dims else 0


def resnet50_convolutions(size=224):
    """FLOPs of each convolution of ResNet-50 v1.5 for one image, in order (He et al. 2016, table 1)."""
    def convolution(inputs, outputs, kernel, out):
        return 2 * inputs * outputs * kernel**2 * out**2

    flops = [convolution(3, 64, 7, size // 2)]
    channels, out = 64, size // 4
    for width, blocks in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for block in range(blocks):
            before = out
            out = out // 2 if block == 0 and width > 64 else out
            flops.append(convolution(channels, width, 1, before))
            flops.append(convolution(width, width, 3, out))
            flops.append(convolution(width, 4 * width, 1, out))
            if block == 0:
                flops.append(convolution(channels, 4 * width, 1, out))
            channels = 4 * width
    return flops


class Row:
    """A row of TraceLens, and what XSP is expected to say of the same operator."""

    def __init__(self, table, row):
        self.table, self.name = table, row["name"]
        self.dims = json.loads(row["Input Dims_first"])
        self.count = int(row["name_count"])
        self.flops = round(float(row["GFLOPS_first"]) * 1e9)
        self.bytes = round(float(row["Data Moved (MB)_first"]) * 2**20)
        self.tflops = float(row["TFLOPS/s_mean"])

    def expected(self, is_miopen):
        """FLOPs and bytes by XSP's definitions."""
        if self.table == "SDPA_fwd":  # XSP counts the softmax, 5 a score.
            query, key = self.dims[:2]
            return self.flops + 5 * product(query[:-1]) * key[-2], self.bytes
        if self.table == "Normalization":  # 8 an element; weight and bias are read, no statistics are moved.
            elements, channels = product(self.dims[0]), self.dims[0][-1]
            assert self.flops == 5 * elements + 6 * channels
            return 8 * elements, self.bytes - 4 * channels * TENSOR_BYTES
        if self.table == "CONV_fwd":  # The bias is added by an operator of its own, which the layer holds too.
            channels = self.dims[1][0]
            output = self.flops // (2 * product(self.dims[1][1:]))
            moved = (2 * output + channels) * TENSOR_BYTES
            # miopen_convolution lists the bias among its operands.
            return self.flops + output, self.bytes + moved + is_miopen * channels * TENSOR_BYTES
        return self.flops, self.bytes


@unittest.skipUnless(LENS.is_dir(), f"no reference data: {LENS}")
class OperatorWorkReferenceTest(unittest.TestCase):
    def answers(self, trace):
        with tempfile.TemporaryDirectory() as store:
            def xsp(*arguments):
                done = subprocess.run([str(XSP), *map(str, arguments), "--format", "json"], capture_output=True,
                                      text=True, env={**os.environ, "XSP_STORE": store})
                self.assertEqual(done.returncode, 0, done.stderr)
                return json.loads(done.stdout)

            experiment = xsp("import", trace)["run"]
            return {"operators": xsp("query", experiment, OPERATORS),
                    "kernels": xsp("query", experiment, "SELECT * FROM kernel ORDER BY kernel_index"),
                    "roofs": xsp("query", experiment, "SELECT * FROM roof"),
                    "layers": xsp("query", experiment, "SELECT type, flops FROM layer ORDER BY layer_index"),
                    "models": xsp("query", experiment, "SELECT sum(flops) AS flops FROM layer")}

    def check(self, device, model):
        folder = LENS / device
        answers = self.answers(folder / f"{model}.json.gz")
        kernels = answers["kernels"]
        calls = collections.defaultdict(lambda: collections.defaultdict(list))  # Operator, span: kernels.
        for row in answers["operators"]:
            key = (row["type"], row["shapes"].replace(" ", ""))
            calls[key][row["id"]].append(kernels[row["kernel_index"]])
        compared = collections.Counter()
        for path in sorted((folder / "reference" / f"{model}_perf_report_csvs").glob("*.csv")):
            if path.stem not in ("GEMM", "CONV_fwd", "SDPA_fwd", "Normalization", "BinaryElementwise"):
                continue
            with path.open(newline="") as file:
                rows = [Row(path.stem, row) for row in csv.DictReader(file)]
            for row in rows:
                with self.subTest(table=row.table, name=row.name, dims=row.dims):
                    ours = calls[(row.name, json.dumps(row.dims).replace(" ", ""))]
                    self.assertEqual(len(ours), row.count)
                    flops, moved = row.expected(is_miopen=device == "mi300")
                    rates = []
                    for parts in ours.values():
                        self.assertEqual(sum(part["flops"] or 0 for part in parts), flops)
                        self.assertEqual(sum((part["read_bytes"] or 0) + (part["write_bytes"] or 0) for part in parts), moved)
                        rates.append(row.flops / sum(part["duration_ns"] for part in parts) / 1000)
                    self.assertAlmostEqual(sum(rates) / len(rates) / row.tflops, 1, 3)
                    compared[row.table] += 1
        self.assertGreaterEqual(compared["GEMM"], 4)
        self.assertGreaterEqual(compared["SDPA_fwd"], 1)
        self.assertGreaterEqual(compared["BinaryElementwise"], 2)
        self.assertGreaterEqual(compared["Normalization"], 2)
        busy = sum(kernel["duration_ns"] for kernel in kernels)
        known = sum(kernel["duration_ns"] for kernel in kernels if kernel["flops"] is not None)
        self.assertGreater(known / busy, 0.97)
        # Nothing is counted twice up the tree, and nothing is lost on the way.
        self.assertEqual(answers["models"][0]["flops"], sum(kernel["flops"] or 0 for kernel in kernels))
        peaks = {(roof["dtype"], roof["unit"]): roof["value"] for roof in answers["roofs"]}
        self.assertEqual({roof["provenance"] for roof in answers["roofs"]}, {"data_sheet"})
        self.assertEqual(peaks[("bfloat16", "tensor")], {"h100": 989.4e12, "mi300": 1307.4e12}[device])
        products = [kernel for kernel in kernels if kernel["unit"] == "tensor"]
        for kernel in products:
            self.assertLess(kernel["flops"] / kernel["duration_ns"] * 1e9, peaks[(kernel["dtype"], "tensor")])
        self.assertGreater(sum(kernel["duration_ns"] for kernel in products) / busy, 0.6)
        return compared

    def test_a_vision_transformer(self):
        for device in ("h100", "mi300"):
            with self.subTest(device=device):
                self.assertEqual(self.check(device, "Falconsai_nsfw_image_detection__1016002")["CONV_fwd"], 1)

    def test_a_bert(self):
        for device in ("h100", "mi300"):
            with self.subTest(device=device):
                self.check(device, "gaunernst_bert-small-uncased__1016001")

    @unittest.skipUnless(OLD_RESNET50.exists(), f"no reference data: {OLD_RESNET50}")
    def test_convolutions_of_an_old_trace_have_the_flops_of_the_architecture(self):
        answers = self.answers(OLD_RESNET50)
        images = 32
        expected = [images * flops for flops in resnet50_convolutions()]
        forward = [layer["flops"] for layer in answers["layers"] if layer["type"] == "aten::conv2d"]
        self.assertEqual(forward, expected)
        backward = [layer["flops"] for layer in answers["layers"] if layer["type"] == "CudnnConvolutionBackward"]
        # The image needs no gradient.
        self.assertEqual(sorted(backward), sorted([expected[0]] + [2 * flops for flops in expected[1:]]))
        kernels = answers["kernels"]
        known = sum(kernel["duration_ns"] for kernel in kernels if kernel["flops"] is not None)
        self.assertGreater(known / sum(kernel["duration_ns"] for kernel in kernels), 0.85)


if __name__ == "__main__":
    if not LENS.is_dir():
        print(f"skipped: no reference data: {LENS}")
        sys.exit(77)
    unittest.main()
