"""The operation `xsp rename`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Optional, TypedDict, cast

from xsp._perform import Path, perform, Progress


class RenameResult(TypedDict, total=False):
    name: str
    new_name: str


def rename(
    name: Path,
    new_name: str,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> RenameResult:
    """Renames an experiment.

    Changes the store or writes files; measures nothing.

    Args:
        name: An experiment of the store
        new_name: The new name
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp rename --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp rename resnet50-20260101-120000 before
    """
    document = perform("rename", {
        "name": name,
        "new_name": new_name,
    }, store=store, progress=progress)
    return cast("RenameResult", document)
