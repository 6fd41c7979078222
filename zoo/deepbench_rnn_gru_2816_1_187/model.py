"""A recurrent layer of DeepBench's inference list: gru, 2816 hidden units, batch 1, 187 steps."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench


def build():
    return deepbench.recurrent("gru", 2816)
