"""A matrix product of DeepBench's inference list: m = 7680, n = 1, k = 2560."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench


def build():
    return deepbench.Gemm(m=7680, k=2560)
