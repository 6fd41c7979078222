"""The operation `xsp tag`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class TagResult(TypedDict, total=False):
    tag: str
    value: str


def tag(
    name: Path,
    tags: Optional[Union[str, Sequence[str]]] = None,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[TagResult]:
    """Sets and shows tags of an experiment; `xsp list` shows and selects by tags.

    Changes the store or writes files; measures nothing.

    Args:
        name: An experiment of the store
        tags: Tags to set, KEY=VALUE each; KEY= removes one; without tags: shows them
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp tag --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp tag before git=a1b2c3 purpose=baseline && xsp list --tag purpose=baseline
    """
    document = perform("tag", {
        "name": name,
        "tags": listed(tags),
    }, store=store, progress=progress)
    return cast("List[TagResult]", document)
