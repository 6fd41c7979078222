"""A recurrent layer of DeepBench's training list: vanilla, 1760 hidden units, batch 16, 50 steps."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import deepbench


def build():
    return deepbench.recurrent("vanilla", 1760)
