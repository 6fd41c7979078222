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
    backend: Optional[str] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    since: Optional[str] = None,
    sweep: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[ListResult]:
    """Lists the experiments in the store, or those that fit.

    Reads the store and changes nothing.

    Args:
        backend: Only backends whose name contains this
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        sweep: Show only experiments of this sweep (xsp sweep)
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp list --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp list
        xsp list --model resnet50 --since 30d --tag gpu=a100
    """
    document = perform("list", {
        "backend": backend,
        "machine": machine,
        "model": model,
        "since": since,
        "sweep": sweep,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("List[ListResult]", document)
