"""The operation `xsp export`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, Literal, Optional, cast

from xsp._perform import Path, perform, Progress


def export(
    run: Optional[Path] = None,
    *,
    format: Optional[Literal["csv", "json", "chrome", "collapsed", "otlp", "perfetto", "speedscope"]] = None,
    output: Optional[Path] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Writes the experiment tables as CSV or JSON, or a run for other trace viewers.

    Changes the store or writes files; measures nothing.

    Args:
        run: A directory, a name in the store, or latest (default)
        format: Formats:
            csv, json: the experiment tables, one file each
            of one run (of an experiment: the run with most levels, or name EXPERIMENT/RUN):
            chrome: Chrome trace events (JSON), for Perfetto, chrome://tracing and scripts
            collapsed: Collapsed stacks (text) for flame graphs: call paths with their self time in ns
            otlp: OpenTelemetry (OTLP/JSON): one trace whose spans keep their parents
            perfetto: Perfetto trace (protobuf), for ui.perfetto.dev and its trace processor
            speedscope: speedscope (JSON): a flame graph over time for each track (default: csv)
        output: Output folder of tables (default: NAME-tables); output file of a run, or the folder for it (default:
            NAME with the extension of the format)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp export --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp export latest --format perfetto -o trace.pftrace
    """
    document = perform("export", {
        "run": run,
        "format": format,
        "output": output,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)
