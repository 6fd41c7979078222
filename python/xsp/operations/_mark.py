"""The operation `xsp mark`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class MarkResult(TypedDict, total=False):
    mark: str
    #: False: nothing is being recorded
    recorded: bool


def mark(
    mark: Union[str, Sequence[str]],
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> MarkResult:
    """Adds a mark to the recording of the enclosing xsp record; without one it does nothing.

    Changes the store or writes files; measures nothing.

    Args:
        mark: Text of the mark, such as epoch=3 accuracy=0.71
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp mark --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp mark epoch=3 accuracy=0.71
    """
    document = perform("mark", {
        "mark": listed(mark),
    }, store=store, progress=progress)
    return cast("MarkResult", document)
