"""The operation `xsp api`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, cast

from xsp._perform import Path, perform, Progress


class ApiResultOperations(TypedDict, total=False):
    effect: Literal["reads", "measures", "changes"]
    example: str
    name: str
    #: JSON Schema
    request: Dict[str, Any]
    #: JSON Schema
    result: Dict[str, Any]
    summary: str


class ApiResult(TypedDict, total=False):
    operations: List[ApiResultOperations]


def api(
    operation: Optional[str] = None,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> ApiResult:
    """Lists the operations, with the schemas of their requests and results.

    Reads the store and changes nothing.

    Args:
        operation: Only this operation, with the fields of its request: run, suite/similarity
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp api --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp api run && xsp api --format json
    """
    document = perform("api", {
        "operation": operation,
    }, store=store, progress=progress)
    return cast("ApiResult", document)
