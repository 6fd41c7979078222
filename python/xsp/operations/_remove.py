"""The operation `xsp remove`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class RemoveResult(TypedDict, total=False):
    removed: List[str]


def remove(
    name: Union[Path, Sequence[Path]],
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> RemoveResult:
    """Removes experiments from the store.

    Changes the store or writes files; measures nothing.

    Args:
        name: Experiments of the store; all their runs are removed, too
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp remove --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp remove resnet50-20260101-120000
    """
    document = perform("remove", {
        "name": listed(name),
    }, store=store, progress=progress)
    return cast("RemoveResult", document)
