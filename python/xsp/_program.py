"""The program `xsp`: where it is, and the environment that it runs in."""
from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import pathlib
import sys
from typing import Dict, List, Optional

from xsp._errors import NotPossibleError

_PACKAGE = pathlib.Path(__file__).resolve().parent
PACKAGED = _PACKAGE / "program"
_SOURCE_TREE = _PACKAGE.parent.parent


@functools.lru_cache(maxsize=None)
def _found(chosen: Optional[str]) -> str:
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise NotPossibleError(f"XSP_PROGRAM is not a program: {chosen}", "Name the program xsp, or unset it.")
        return chosen
    for candidate in (PACKAGED / "bin" / "xsp", _SOURCE_TREE / "build" / "release" / "bin" / "xsp"):
        if os.access(candidate, os.X_OK):
            return str(candidate)
    raise NotPossibleError("this installation of the package has no program xsp",
                           "Install the wheel that `tools/package wheel` makes, run tools/build in the source tree, or name "
                           "the program in XSP_PROGRAM.")


def program() -> str:
    """The program: $XSP_PROGRAM, else that of the wheel, else that of the source tree this package lies in.

    Errors: NotPossibleError.
    """
    return _found(os.environ.get("XSP_PROGRAM") or None)


def environment() -> Dict[str, str]:
    """The environment of the program: zoo models are made by this Python, and the frameworks that are installed beside
    this package are found, as far as the variables of docs/command-line.md do not say otherwise."""
    made = dict(os.environ)
    if not made.get("XSP_PYTHON") and sys.executable:
        made["XSP_PYTHON"] = sys.executable
    if _is_packaged():
        workers = [folder for folder in [made.get("XSP_WORKER_PATH", "")] if folder] + _framework_workers()
        if workers:
            made["XSP_WORKER_PATH"] = os.pathsep.join(workers)
        if not made.get("XSP_ONNXRUNTIME_LIBRARY"):
            library = _onnxruntime_library()
            if library:
                made["XSP_ONNXRUNTIME_LIBRARY"] = library
    return made


def _is_packaged() -> bool:
    return program() == str(PACKAGED / "bin" / "xsp")


@functools.lru_cache(maxsize=None)
def _framework_workers() -> List[str]:
    """Folders of workers that are linked with a framework whose version is installed here: workers/MODULE-VERSION."""
    folders = []
    for folder in sorted((PACKAGED / "workers").glob("*-*")):
        module, _, version = folder.name.rpartition("-")
        installed = _version(module)
        if installed and (installed + ".").startswith(version + ".") and importlib.util.find_spec(module) is not None:
            folders.append(str(folder))
    return folders


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


@functools.lru_cache(maxsize=None)
def _onnxruntime_library() -> str:
    """The library of the installed package onnxruntime; empty: there is none."""
    spec = importlib.util.find_spec("onnxruntime")
    if spec is None or not spec.submodule_search_locations:
        return ""
    for folder in spec.submodule_search_locations:
        for library in sorted((pathlib.Path(folder) / "capi").glob("libonnxruntime.so*")):
            return str(library)
    return ""
