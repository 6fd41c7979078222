"""The operation `xsp compare`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class CompareResultComparableDifferences(TypedDict, total=False):
    a: str
    b: str
    #: It can by itself explain a difference in time
    matters: bool
    what: str


class CompareResultComparable(TypedDict, total=False):
    differences: List[CompareResultComparableDifferences]
    verdict: Literal["yes", "partly", "no"]
    #: Which side has no layers while the other has, and how to get them
    without_layers: Union[str, None]


class CompareResultGatesNodes(TypedDict, total=False):
    a_ns: Union[float, None]
    b_ns: Union[float, None]
    difference_ns: float
    kind: str
    path: str
    #: Of the difference
    share: float


class CompareResultGates(TypedDict, total=False):
    a: Union[float, None]
    b: Union[float, None]
    #: As given
    gate: str
    high: Union[float, None]
    #: Share of the first side
    limit: float
    #: Of its 95 % interval, measured or with the assumed noise
    low: Union[float, None]
    metric: Literal["latency", "throughput", "memory", "device", "energy", "layer", "module", "kernel"]
    #: Unless it passed: what took more time
    nodes: List[CompareResultGatesNodes]
    #: Which value it is, where the metric does not say
    of: Union[str, None]
    outcome: Literal["pass", "regression", "inconclusive"]
    reason: Union[str, None]
    #: Of a and b
    unit: str
    #: Second side / first
    value: Union[float, None]


class CompareResultRows(TypedDict, total=False):
    #: null: not in this side
    a_ns: Union[float, None]
    b_ns: Union[float, None]
    #: In the second side, if it differs
    b_path: str
    difference_ns: float
    high: Union[float, None]
    kind: Literal["module", "operator", "kernel", "communication", "copy", "set", "between"]
    #: Its time is in no other row
    leaf: bool
    #: Of its own 95 % interval
    low: Union[float, None]
    path: str
    #: Second / first over all processes; absent: noise not known
    ratio: Union[float, None]
    #: Likewise relative to the rest, where the verdict uses it
    relative: Dict[str, Any]
    verdict: str


class CompareResultSessions(TypedDict, total=False):
    """Of two sessions; null: the sides were measured alternately."""
    #: Whether intervals include the spread
    included: bool
    #: Other sessions of the same programs in the store
    others: int
    #: Standard deviation of the logarithms of their latencies
    spread: Union[float, None]


class CompareResultSides(TypedDict, total=False):
    #: Its union, by device
    busy_ns: Union[float, None]
    calls: int
    #: Sum of the durations of device work; null: none
    device_ns: Union[float, None]
    #: How devices spent their time: mean per step
    device_time: Union[Dict[str, Any], None]
    #: In no model call or step
    kernels_outside: int
    name: str
    #: With unprofiled calls
    processes: int
    #: Of the basis, mean per model call
    total_ns: float
    #: Duration of a model call
    wall_ns: float


class CompareResult(TypedDict, total=False):
    """One pair of sides; of several the object {pairs: [...]}, against the first."""
    #: Share of the time of both in leaves that both have
    aligned_share: Union[float, None]
    #: device: device work; host: layers and the time between them
    basis: Literal["device", "host"]
    comparable: CompareResultComparable
    #: Of total_ns
    difference_ns: float
    #: Where gates were given
    gates: List[CompareResultGates]
    high: Union[float, None]
    #: Of its 95 % interval
    low: Union[float, None]
    #: The worst of all gates of all pairs
    outcome: Literal["pass", "regression", "inconclusive"]
    #: With output: path of the page
    page: str
    #: Where there are several; each an object as this one
    pairs: List[Dict[str, Any]]
    #: Second side / first
    ratio: Union[float, None]
    #: latency: of calls without profiling; total: of total_ns
    ratio_of: Literal["latency", "total"]
    reason: Union[str, None]
    #: Part of it that is in no leaf
    residual_ns: float
    rows: List[CompareResultRows]
    #: Of two sessions; null: the sides were measured alternately
    sessions: Union[CompareResultSessions, None]
    sides: List[CompareResultSides]
    #: Of the second side
    verdict: Literal["faster", "slower", "no_difference", "equivalent", "inconclusive", "unknown_noise"]


def compare(
    side: Union[Path, Sequence[Path]],
    *,
    baseline: Optional[str] = None,
    bound: Optional[str] = None,
    gate: Optional[Union[str, Sequence[str]]] = None,
    gate_noise: Optional[str] = None,
    junit: Optional[Path] = None,
    output: Optional[Path] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> CompareResult:
    """Compares two or more experiments, runs or traces: which is faster, and where.

    Reads the store and changes nothing.

    Args:
        side: What to compare, the base first: names in the store, NAME/RUN, directories, or files of a profiler (or a
            folder of one execution's), which are not stored. NAME#batch=8,backend=torch is one point (also device,
            precision, model, point)
        baseline: Compare with this baseline (`xsp baseline set`): its experiment is the first side
        bound: The verdict is `equivalent` if the whole interval of the ratio lies within this relative difference,
            such as 2%
        gate: How much worse the other side may be: latency, throughput, memory, device (time), energy, or the rows
            layer:GLOB, module:GLOB, kernel:GLOB together. Exit status 6: a gate is not met, 7: that cannot be known
        gate_noise: The difference between two runs of one program that gates assume where it is not known (one
            process or trace of a side) or the machine was busy, such as 5%. Without it they are inconclusive; 0% compares
            the numbers as they are
        junit: Also write the gates to this file, as JUnit XML
        output: Also write a page with charts to this file
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp compare --format json`. One pair of sides; of several the object {pairs: [...]}, against
        the first.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp compare before after --bound 2%
    """
    document = perform("compare", {
        "side": listed(side),
        "baseline": baseline,
        "bound": bound,
        "gate": listed(gate),
        "gate_noise": gate_noise,
        "junit": junit,
        "output": output,
    }, store=store, progress=progress)
    return cast("CompareResult", document)
