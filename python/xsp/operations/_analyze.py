"""The operation `xsp analyze`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class AnalyzeResultColumns(TypedDict, total=False):
    name: str
    provenance: str
    unit: str


class AnalyzeResultMissing(TypedDict, total=False):
    #: What is missing and how to get it
    how: str
    level: str


class AnalyzeResult(TypedDict, total=False):
    """An array of such objects where the id is all."""
    analysis: str
    columns: List[AnalyzeResultColumns]
    missing: List[AnalyzeResultMissing]
    question: str
    rows: List[Dict[str, Any]]
    #: Rows after those that were asked for
    rows_left_out: int
    run: str
    title: str


def analyze(
    id: str,
    run: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    batch: Optional[int] = None,
    rows: Optional[int] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Union[AnalyzeResult, List[Any]]:
    """Answers one question about an experiment, or all of them.

    Reads the store and changes nothing.

    Args:
        id: A1 ... A15, a name such as steps or critical_path, an analysis of your own, or all
        run: Directories, names in the store, or latest (default)
        batch: Show only this batch size
        rows: Maximum number of rows of a table (0: all) (default: 0)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp analyze --format json`. An array of such objects where the id is all.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp analyze A10 latest --batch 8
    """
    document = perform("analyze", {
        "id": id,
        "run": listed(run),
        "batch": batch,
        "rows": rows,
    }, store=store, progress=progress)
    return cast("Union[AnalyzeResult, List[Any]]", document)
