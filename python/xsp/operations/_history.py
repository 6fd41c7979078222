"""The operation `xsp history`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class HistoryResultLeftOut(TypedDict, total=False):
    created: Union[str, None]
    experiment: str
    reason: str


class HistoryResultSeriesChangesStack(TypedDict, total=False):
    after: Union[str, None]
    before: Union[str, None]
    key: str
    #: In all experiments of both segments
    lasts: bool


class HistoryResultSeriesChanges(TypedDict, total=False):
    after: str
    before: str
    command: str
    high: Union[float, None]
    #: Of its 95 % interval
    low: Union[float, None]
    #: Of the permutation test
    p: float
    #: Level after / before
    ratio: float
    #: null: one side has no stack
    stack: Union[List[HistoryResultSeriesChangesStack], None]
    verdict: Literal["worse", "better", "spread", "busy"]


class HistoryResultSeriesEntries(TypedDict, total=False):
    #: Relative to the level of the previous segment
    change: Union[float, None]
    created: str
    experiment: str
    flags: List[Literal["busy", "date_of_file", "date_in_future"]]
    high: Union[float, None]
    #: Of its 95 % interval
    low: Union[float, None]
    point: int
    #: Without profiling
    processes: int
    #: From 1
    segment: int
    value: float


class HistoryResultSeriesLastTwo(TypedDict, total=False):
    """Of a short series."""
    after: str
    before: str
    command: str
    high: Union[float, None]
    low: Union[float, None]
    ratio: Union[float, None]
    verdict: Literal["higher", "lower", "no_difference", "inconclusive", "unknown_noise"]


HistoryResultSeriesSegments = TypedDict("HistoryResultSeriesSegments", {"busy": int, "experiments": int, "from": str, "high": Union[float, None], "level": float, "low": Union[float, None], "to": str}, total=False)


class HistoryResultSeries(TypedDict, total=False):
    #: Its name
    backend: str
    batch: Union[int, None]
    #: Between the segments
    changes: List[HistoryResultSeriesChanges]
    device: str
    #: Oldest first
    entries: List[HistoryResultSeriesEntries]
    #: Until a change point can be found
    experiments_missing: int
    #: Of a short series
    last_two: Union[HistoryResultSeriesLastTwo, None]
    machine: str
    precision: str
    segments: List[HistoryResultSeriesSegments]
    settings: Any
    title: str


class HistoryResult(TypedDict, total=False):
    left_out: List[HistoryResultLeftOut]
    lower_is_better: bool
    metric: str
    model: str
    #: With output: path of the page, and nothing else
    page: str
    #: Of experiments that differ in time alone
    series: List[HistoryResultSeries]
    unit: Literal["ns", "items/s", "byte"]


def history(
    model: str,
    *,
    backend: Optional[Union[str, Sequence[str]]] = None,
    batch: Optional[Union[int, Sequence[int]]] = None,
    device: Optional[Union[str, Sequence[str]]] = None,
    metric: Optional[str] = None,
    output: Optional[Path] = None,
    precision: Optional[Union[str, Sequence[str]]] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> HistoryResult:
    """Shows every experiment of a model over time, and where its times changed.

    Reads the store and changes nothing.

    Args:
        model: The model, as `xsp list` names it
        backend: Only backends whose name contains this
        batch: Only these batch sizes
        device: Only these devices
        metric: latency, throughput, memory (peak of the framework's allocations), device (sum of device work) or
            layer:NAME (default: latency)
        output: Write a page with charts to this file
        precision: Only these precisions
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp history --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp history resnet50 --batch 1
    """
    document = perform("history", {
        "model": model,
        "backend": listed(backend),
        "batch": listed(batch),
        "device": listed(device),
        "metric": metric,
        "output": output,
        "precision": listed(precision),
        "since": since,
        "tag": listed(tag),
    }, store=store, progress=progress)
    return cast("HistoryResult", document)
