"""A matrix product of DeepBench's inference list: m = 3072, n = 1, k = 1024."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench


def build():
    return deepbench.Gemm(m=3072, k=1024)
