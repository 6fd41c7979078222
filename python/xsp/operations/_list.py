"""The operation `xsp list`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class ListResult(TypedDict, total=False):
    backend: str
    created: str
    model: str
    name: str
    runs: int
    status: str
    tags: str


def list(
    *,
    sweep: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[ListResult]:
    """Lists the experiments in the store.

    Reads the store and changes nothing.

    Args:
        sweep: Show only experiments of this sweep (xsp sweep)
        tag: Show only experiments with this tag; may be repeated
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp list --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp list --format json
    """
    document = perform("list", {
        "sweep": sweep,
        "tag": listed(tag),
    }, store=store, progress=progress)
    return cast("List[ListResult]", document)
