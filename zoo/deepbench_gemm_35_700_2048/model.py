"""A matrix product of DeepBench's inference list: m = 35, n = 700, k = 2048."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench


def build():
    return deepbench.Gemm(m=35, k=2048)
