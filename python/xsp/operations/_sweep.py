"""The operation `xsp sweep`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union, cast

from xsp._perform import Path, perform, Progress


class SweepResultPoints(TypedDict, total=False):
    #: Null: the model's own
    backend: Union[str, None]
    #: Of a plan: what the estimate rests on
    basis: Literal["measured", "similar", "upper bound", "unknown"]
    batch: int
    #: Its name in the store
    experiment: Union[str, None]
    #: What to do about it
    hint: Union[str, None]
    latency_high_ns: Union[float, None]
    #: Of its 95 % interval
    latency_low_ns: Union[float, None]
    #: Per model call; not of a plan
    latency_ns: Union[float, None]
    #: Null: any
    machine: Union[str, None]
    model: str
    name: str
    precision: str
    #: Of a plan: estimate; else what measuring took in this call
    seconds: Union[float, None]
    settings: Dict[str, Any]
    #: stored: by an earlier experiment; elsewhere: for another machine
    status: Literal["missing", "stored", "measured", "partial", "failed", "interrupted", "elsewhere"]
    #: Items per second: batch / latency
    throughput: Union[float, None]
    #: Why it failed or is elsewhere, or why what is stored does not count
    why: Union[str, None]


class SweepResult(TypedDict, total=False):
    points: List[SweepResultPoints]
    #: Of a plan: estimate of what is missing, without what is not known
    seconds: float
    #: Of a plan: missing points whose time is not known
    seconds_unknown: int
    #: Not of a plan
    status: Literal["done", "partial", "interrupted"]
    sweep: str
    #: Of a plan: missing points whose time is an upper bound
    upper_bounds: int


def sweep(
    file: Path,
    *,
    again: Optional[bool] = None,
    plan: Optional[bool] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> SweepResult:
    """Measures every combination of models, backends, batch sizes, precisions and settings; continues after an interruption.

    Measures on this machine and adds to the store.

    Args:
        file: A YAML file that says what to measure (docs/sweeps.md)
        again: Measure what the store has, too; earlier experiments are kept (default: false)
        plan: Measure nothing: list the points, how long each will take, and what the store has (default: false)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with each step of long work (xsp.Progress).

    Returns:
        The document of `xsp sweep --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp sweep sweep.yaml --plan
        xsp sweep sweep.yaml && xsp list --sweep sweep
    """
    document = perform("sweep", {
        "file": file,
        "again": again,
        "plan": plan,
    }, store=store, progress=progress)
    return cast("SweepResult", document)
