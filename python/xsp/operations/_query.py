"""The operation `xsp query`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, cast

from xsp._perform import Path, perform, Progress


def query(
    sql: str,
    run: Optional[Path] = None,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[Dict[str, Any]]:
    """Read-only SQL over an experiment or a run (tables: docs/schema.md).

    Reads the store and changes nothing.

    Args:
        sql: One SELECT
        run: A directory, a name in the store, or latest (default)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp query --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp query "SELECT type, count(*), sum(latency_ns) FROM layer GROUP BY type"
    """
    document = perform("query", {
        "sql": sql,
        "run": run,
    }, store=store, progress=progress)
    return cast("List[Dict[str, Any]]", document)
