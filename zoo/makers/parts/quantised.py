"""A model of the zoo in 8-bit integers: its ONNX file, quantised by the tools of the Python package onnxruntime.

For a model's own make_onnx.py. Post-training, static: what the values between layers span is measured on seeded samples
like those that are measured with, weights are quantised channel by channel. The file holds QuantizeLinear and
DequantizeLinear around each operator (QDQ), which every backend joins to operators on integers by itself.
"""
import logging
import pathlib
import tempfile

import numpy
import onnx
import onnx_first
import yaml
from onnxruntime import quantization
from onnxruntime.quantization import shape_inference

SEED = 0
SAMPLES = 16


def make(folder, output):
    """Writes the model of `folder`, which may be made by another Python, to `output`. All its inputs are float32."""
    # Advice for its user, which is taken.
    logging.disable(logging.WARNING)
    inputs = yaml.safe_load((pathlib.Path(folder) / "manifest.yaml").read_text(encoding="utf-8"))["inputs"]
    with onnx_first.onnx_file(folder) as original, tempfile.TemporaryDirectory() as temporary:
        # Batch normalisation goes into the convolutions first: between them there would be nothing to quantise.
        prepared = pathlib.Path(temporary) / "prepared.onnx"
        shape_inference.quant_pre_process(original, prepared, skip_symbolic_shape=True)
        quantization.quantize_static(
            prepared, output, _Samples(inputs), quant_format=quantization.QuantFormat.QDQ, per_channel=True,
            activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8)
    onnx.checker.check_model(output)


class _Samples(quantization.CalibrationDataReader):
    """One seeded sample after the other, standard normal."""

    def __init__(self, inputs):
        self._inputs, self._left = inputs, SAMPLES
        self._random = numpy.random.default_rng(SEED)

    def get_next(self):
        if self._left == 0:
            return None
        self._left -= 1
        return {item["name"]: self._random.standard_normal(
            [1 if size == "batch" else size for size in item["shape"]], dtype=numpy.float32) for item in self._inputs}
