"""Packages that are needed only by whoever asks for what they make."""
from __future__ import annotations

import importlib
from types import ModuleType

from xsp._errors import NotPossibleError


def need(module: str, what: str, package: str = "") -> ModuleType:
    """Imports `module`. Errors: NotPossibleError, which says how to install it for `what`."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        # A package that is there but broken says so itself.
        if getattr(error, "name", None) not in (module, module.split(".")[0]):
            raise
        raise NotPossibleError(f"{what} needs the Python package {package or module}, which is not installed",
                               f"pip install {package or module}") from None
