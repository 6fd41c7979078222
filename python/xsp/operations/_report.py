"""The operation `xsp report`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict, cast

from xsp._perform import Path, perform, Progress


class ReportResult(TypedDict, total=False):
    #: With text
    badges: List[Dict[str, Any]]
    #: With text
    findings: List[str]
    #: Findings after the leading ones
    findings_left_out: int
    #: With text
    points: List[Dict[str, Any]]
    #: Path of the page; not with text
    report: str
    #: Path of the experiment or run
    run: str
    #: With text
    rungs: List[Dict[str, Any]]


def report(
    run: Optional[Path] = None,
    *,
    output: Optional[Path] = None,
    text: Optional[bool] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> ReportResult:
    """Writes one self-contained HTML page about an experiment.

    Changes the store or writes files; measures nothing.

    Args:
        run: A directory, a name in the store, or latest (default)
        output: Output file (default: report.html in the experiment)
        text: Print the summary to the terminal instead (default: false)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp report --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp report latest -o resnet50.html
    """
    document = perform("report", {
        "run": run,
        "output": output,
        "text": text,
    }, store=store, progress=progress)
    return cast("ReportResult", document)
