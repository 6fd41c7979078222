"""A matrix product of DeepBench's training list: m = 1760, n = 128, k = 1760."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench


def build():
    return deepbench.Gemm(m=1760, k=1760)
