"""The operations `xsp zoo ...`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class ZooListResult(TypedDict, total=False):
    #: Installed backends that can run the model
    backends: str
    #: Of one sample
    flops: Union[int, None]
    #: Separated by commas, as backends and made are
    formats: str
    #: Formats that are in the cache
    made: str
    name: str
    parameters: Union[int, None]
    #: By format: the installed backends that read it
    readers: Dict[str, Any]
    task: str
    title: str


class ZooMakeResult(TypedDict, total=False):
    format: str
    name: str
    #: Null: it could not be built
    path: Union[str, None]
    state: Literal["made", "was made", "failed"]


def list(
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[ZooListResult]:
    """Lists the models, with the installed backends that can run each.

    Reads the store and changes nothing.

    Args:
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp zoo list --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp zoo list --format json
    """
    document = perform("zoo/list", {
    }, store=store, progress=progress)
    return cast("List[ZooListResult]", document)


def make(
    name: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    all: Optional[bool] = None,
    as_: Optional[Union[str, Sequence[str]]] = None,
    backend: Optional[Union[str, Sequence[str]]] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[ZooMakeResult]:
    """Builds models without measuring them.

    Changes the store or writes files; measures nothing.

    Args:
        name: Models of the zoo
        all: Use every format; without NAME build every model (default: false)
        as_: Formats (default: each model's first)
        backend: Use the formats that these backends read
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp zoo make --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp zoo make resnet50 --backend onnxruntime
    """
    document = perform("zoo/make", {
        "name": listed(name),
        "all": all,
        "as": listed(as_),
        "backend": listed(backend),
    }, store=store, progress=progress)
    return cast("List[ZooMakeResult]", document)
