"""A matrix product of DeepBench's inference list: m = 5124, n = 700, k = 2048."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench


def build():
    return deepbench.Gemm(m=5124, k=2048)
