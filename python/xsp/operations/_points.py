"""The operation `xsp points`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import List, Literal, Optional, TypedDict, Union, cast

from xsp._perform import Path, perform, Progress


class PointsResult(TypedDict, total=False):
    backend: str
    batch: Union[int, None]
    created: str
    device: str
    experiment: str
    latency_high_ns: Union[float, None]
    #: Of its 95 % interval
    latency_low_ns: Union[float, None]
    #: Per model call
    latency_ns: Union[float, None]
    #: Its processor and GPUs, as histories name it; null: its run cannot be read
    machine: Union[str, None]
    model: str
    #: Peak of memory allocated by the framework
    peak_bytes: Union[float, None]
    point_id: int
    precision: str
    #: The run of its latency: a folder of the experiment
    run: Union[str, None]
    status: Literal["done", "partial", "failed"]
    #: Items per second: batch / latency
    throughput: Union[float, None]
    #: As `xsp run --backend` names it; null: the point was imported or recorded
    worker: Union[str, None]


def points(
    *,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[PointsResult]:
    """Lists the points of all experiments with their latencies and machines.

    Reads the store and changes nothing.

    Args:
        machine: Only points that were measured on this machine, as the column machine names it
        model: Only points of this model
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp points --format json`. Of the newest experiment first.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp points --model resnet50
    """
    document = perform("points", {
        "machine": machine,
        "model": model,
    }, store=store, progress=progress)
    return cast("List[PointsResult]", document)
