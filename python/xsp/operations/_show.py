"""The operation `xsp show`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict, cast

from xsp._perform import Path, perform, Progress


class ShowResult(TypedDict, total=False):
    #: Table diagnostic
    diagnostics: List[Dict[str, Any]]
    #: experiment.json of the folder
    experiment: Dict[str, Any]
    path: str
    #: Table point
    points: List[Dict[str, Any]]
    #: run.json of the folder
    run: Dict[str, Any]
    #: Table run
    runs: List[Dict[str, Any]]


def show(
    run: Optional[Path] = None,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> ShowResult:
    """Shows an experiment or run: its summary, recorded events and problems.

    Reads the store and changes nothing.

    Args:
        run: A directory, a name in the store, or latest (default)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp show --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp show latest
    """
    document = perform("show", {
        "run": run,
    }, store=store, progress=progress)
    return cast("ShowResult", document)
