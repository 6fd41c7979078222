"""Tests that compare with packages of PyPI: run again by a Python that has them."""
import os
import pathlib
import sys

import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSIDE = "XSP_ORACLE_INSIDE"


def find(modules):
    """A Python that has `modules`, or None and why there is none: the one named by XSP_ORACLE_PYTHON, else
    .deps/oracles/bin/python (tests/requirements.txt; tools/setup --test makes it)."""
    tried = []
    for python in (os.environ.get("XSP_ORACLE_PYTHON"), ROOT / ".deps" / "oracles" / "bin" / "python"):
        if not python:
            continue
        if not pathlib.Path(python).exists():
            tried.append(f"{python} does not exist")
            continue
        lacks = python_modules.missing(python, *modules)
        if not lacks:
            return str(python), ""
        tried.append(f"{python} lacks {', '.join(lacks)}")
    return None, "; ".join(tried)


def require(*modules):
    """Goes on in a Python that has `modules`: the script begins again there. Ends it as skipped where there is none."""
    if os.environ.get(INSIDE):
        return
    python, why = find(modules)
    if python is None:
        print(f"skipped: no Python with {', '.join(modules)} (tools/setup --test makes one): {why}")
        sys.exit(77)
    os.execve(python, [python, *sys.argv], {**os.environ, INSIDE: "1"})
