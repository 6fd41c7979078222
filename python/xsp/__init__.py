"""XSP profiles machine-learning models across the whole stack and reports where the time goes.

    import xsp

    experiment = xsp.run("resnet50", batch=[1, 8])
    experiment.findings                          # what stands out
    experiment.layers.to_pandas()                # a data frame
    experiment.query("SELECT type, sum(latency_ns) FROM layer GROUP BY type")

`xsp.operations` has a typed function for every command; docs/python.md has examples.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from xsp import callbacks as callbacks, operations as operations
    from xsp._comparison import Comparison
    from xsp._errors import (BadInputError, EnvironmentFailedError, InterruptedByUserError, NotPossibleError, UsageError,
                             XspError)
    from xsp._experiment import Answer, Experiment, Finding, Findings, compare
    from xsp._perform import ProgressStep
    from xsp._profile import Profile, Schedule, profile, schedule
    from xsp._run import import_trace, list_experiments as list, load, run, show_progress
    from xsp._table import Column, Table

# By name the module that has it: nothing is imported before it is used, so that the command `xsp` starts at once.
_PLACES = {
    "_comparison": ("Comparison",),
    "_errors": ("BadInputError", "EnvironmentFailedError", "InterruptedByUserError", "NotPossibleError", "UsageError",
                "XspError"),
    "_experiment": ("Answer", "Experiment", "Finding", "Findings", "compare"),
    "_perform": ("ProgressStep",),
    "_profile": ("Profile", "Schedule", "profile", "schedule"),
    "_run": ("import_trace", "load", "run", "show_progress"),
    "_table": ("Column", "Table"),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [*sorted([*_MODULES, "callbacks", "operations"])]  # Not xsp.list: `from xsp import *` would hide the builtin.


def __getattr__(name: str) -> Any:
    if name == "list":
        value = importlib.import_module("xsp._run").list_experiments
    elif name in _MODULES:
        value = getattr(importlib.import_module(f"xsp.{_MODULES[name]}"), name)
    elif name in ("callbacks", "operations"):
        return importlib.import_module(f"xsp.{name}")
    elif name == "__version__":
        from importlib.metadata import version
        value = version("xsp")
    else:
        raise AttributeError(f"module xsp has no attribute {name}")
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return [*__all__, "__version__", "list"]
