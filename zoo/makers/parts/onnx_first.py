"""The ONNX file of a model of the zoo, for makers whose Python has no PyTorch: another Python makes it.

Their formats are translated from ONNX, so that the weights are the same in all formats.
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml

MAKERS = pathlib.Path(__file__).resolve().parents[1]


@contextlib.contextmanager
def onnx_file(folder):
    """The path of the model's ONNX file, which is gone at the end of the block. Ends the program with a line that
    says what is missing if no Python can make it."""
    folder = pathlib.Path(folder).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        path = pathlib.Path(temporary) / (folder.name + ".onnx")
        done = subprocess.run([_python(folder), MAKERS / "onnx.py", folder, path], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("the model's ONNX file could not be made first: " + (done.stderr.strip().splitlines() or ["?"])[-1])
        yield path


def _python(folder):
    """The first Python that has what the ONNX maker and the model need, searched as XSP does."""
    manifest = yaml.safe_load((folder / "manifest.yaml").read_text(encoding="utf-8"))
    modules = ["torch", "onnx", "yaml", *manifest.get("needs", [])]
    # Looked for, not imported, which takes seconds.
    program = f"import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in {modules}))"
    for python in [os.environ.get("XSP_PYTHON"), "python3", *sorted(MAKERS.parents[1].glob(".deps/*/bin/python"))]:
        if python and subprocess.run([python, "-c", program], capture_output=True).returncode == 0:
            return str(python)
    sys.exit(f"no Python can make the model's ONNX file first; it needs: {', '.join(modules)}")
