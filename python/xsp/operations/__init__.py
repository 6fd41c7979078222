"""Every operation of XSP as a typed function: `xsp.operations.list()`, `xsp.operations.suite.similarity()`.

Each returns the document that the command prints with `--format json`.
"""
# tools/generate_python writes this file.
from xsp.operations import baseline, model, store, suite, zoo
from xsp.operations._analyze import analyze
from xsp.operations._api import api
from xsp.operations._compare import compare
from xsp.operations._doctor import doctor
from xsp.operations._export import export
from xsp.operations._findings import findings
from xsp.operations._history import history
from xsp.operations._ideal import ideal
from xsp.operations._import import import_
from xsp.operations._list import list
from xsp.operations._mark import mark
from xsp.operations._monitor import monitor
from xsp.operations._points import points
from xsp.operations._publish import publish
from xsp.operations._query import query
from xsp.operations._record import record
from xsp.operations._remove import remove
from xsp.operations._rename import rename
from xsp.operations._report import report
from xsp.operations._run import run
from xsp.operations._show import show
from xsp.operations._suggest import suggest
from xsp.operations._sweep import sweep
from xsp.operations._system import system
from xsp.operations._tag import tag
from xsp.operations._timeline import timeline

__all__ = [
    "analyze",
    "api",
    "baseline",
    "compare",
    "doctor",
    "export",
    "findings",
    "history",
    "ideal",
    "import_",
    "list",
    "mark",
    "model",
    "monitor",
    "points",
    "publish",
    "query",
    "record",
    "remove",
    "rename",
    "report",
    "run",
    "show",
    "store",
    "suggest",
    "suite",
    "sweep",
    "system",
    "tag",
    "timeline",
    "zoo",
]
