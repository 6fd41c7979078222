"""A small language model, phase prefill (see makers/blocks/llm.py): the same weights as in the other phase."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import llm


def build():
    return llm.initialised(llm.Prefill())
