"""A recurrent layer of DeepBench's inference list: gru, 2816 hidden units, batch 1, 187 steps."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench

# The last one where the axes of a Squeeze are attributes, which is all that OpenCV 4.6 reads.
ONNX_OPSET = 12


def build():
    return deepbench.recurrent("gru", 2816)
