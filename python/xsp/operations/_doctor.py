"""The operation `xsp doctor`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class DoctorResultFacts(TypedDict, total=False):
    """Of a worker: the same in words."""
    devices: str
    graphs: str
    models: List[str]
    options: List[str]
    precisions: str
    rungs: str


class DoctorResult(TypedDict, total=False):
    #: Of a worker: what it reports of itself
    describe: Dict[str, Any]
    #: Of a worker: the same in words
    facts: DoctorResultFacts
    found: bool
    #: Of a format of zoo models: versions of Python modules; null: missing
    modules: Dict[str, Any]
    part: str
    version: str
    #: Path if found, else how to get it
    where_or_how: str
    #: Of a worker that is found: its name
    worker: str


def doctor(
    worker: Optional[Union[str, Sequence[str]]] = None,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[DoctorResult]:
    """Lists optional parts, found (version, path) or missing (with the command that installs them), and the capabilities of workers.

    Reads the store and changes nothing.

    Args:
        worker: Show the capabilities of these workers instead of the parts; all: every worker
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp doctor --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp doctor all
    """
    document = perform("doctor", {
        "worker": listed(worker),
    }, store=store, progress=progress)
    return cast("List[DoctorResult]", document)
