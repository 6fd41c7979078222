"""The operations `xsp baseline ...`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class BaselineListResult(TypedDict, total=False):
    experiment: str
    name: str
    #: Of a point; empty: none
    selector: str
    #: When, RFC 3339, UTC
    set: str
    #: ok, removed or replaced (its experiment), or unreadable: why
    status: str


class BaselineRemoveResult(TypedDict, total=False):
    removed: List[str]


class BaselineSetResult(TypedDict, total=False):
    experiment: str
    name: str
    #: The experiment that it was before; null: none
    replaced: Union[str, None]
    #: Of a point; empty: none
    selector: str
    #: When, RFC 3339, UTC
    set: str


def list(
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[BaselineListResult]:
    """Lists the baselines of the store.

    Reads the store and changes nothing.

    Args:
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp baseline list --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp baseline list --format json
    """
    document = perform("baseline/list", {
    }, store=store, progress=progress)
    return cast("List[BaselineListResult]", document)


def remove(
    name: Union[str, Sequence[str]],
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> BaselineRemoveResult:
    """Removes baselines; their experiments stay.

    Changes the store or writes files; measures nothing.

    Args:
        name: Baselines of the store; their experiments stay
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp baseline remove --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp baseline remove main
    """
    document = perform("baseline/remove", {
        "name": listed(name),
    }, store=store, progress=progress)
    return cast("BaselineRemoveResult", document)


def set(
    name: str,
    experiment: Path,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> BaselineSetResult:
    """Names an experiment, or a point of it, as a baseline.

    Changes the store or writes files; measures nothing.

    Args:
        name: The baseline's name, which `xsp compare --baseline` takes; one that exists is replaced
        experiment: An experiment of the store, or `latest`; EXPERIMENT#batch=8,backend=torch is one point of it (also
            device, precision, model, point)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp baseline set --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp baseline set main resnet50-20260101-120000
    """
    document = perform("baseline/set", {
        "name": name,
        "experiment": experiment,
    }, store=store, progress=progress)
    return cast("BaselineSetResult", document)
