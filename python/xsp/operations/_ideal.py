"""The operation `xsp ideal`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict, Union, cast

from xsp._perform import Path, perform, Progress


class IdealResultExperiments(TypedDict, total=False):
    """Others in the store."""
    #: Of another, or an unknown one
    other_machine: int
    #: Same CPU or GPU: they were searched
    same_machine: int
    unreadable: int


class IdealResultPointsAlternatives(TypedDict, total=False):
    """Numbers of distinct primitives."""
    known: int
    #: Not measured yet
    left: int
    measured_now: int
    #: By the library
    refused: int


class IdealResultPointsBusiest(TypedDict, total=False):
    """The resource with the largest sum of bounds: holds if layers overlap."""
    bound_ns: float
    resource: str


class IdealResultPointsCriticalPath(TypedDict, total=False):
    """Of the mean step; null: no timeline of a device."""
    #: Its kernels take the best known time of their layers, all else as measured
    best_known_ns: float
    #: Its kernels take the bound of their layers, all else nothing
    bound_ns: Union[float, None]
    #: Kernels on it
    compute_ns: float
    measured_ns: float


class IdealResultPointsLayersBestKnown(TypedDict, total=False):
    """null: the layer itself."""
    algorithm: Union[str, None]
    #: Or the library of the alternative
    backend: str
    #: null: an alternative of a primitive
    experiment: Union[str, None]
    format: Union[str, None]
    implementation: Union[str, None]
    layer: Union[str, None]
    point_id: Union[int, None]


class IdealResultPointsLayers(TypedDict, total=False):
    #: null: the layer itself
    best_known: Union[IdealResultPointsLayersBestKnown, None]
    #: At most measured_ns
    best_known_ns: float
    #: null: no cost is known
    bound_ns: Union[float, None]
    exceeded: bool
    layer_index: int
    measured_ns: float
    name: str
    #: What bounds it
    resource: Union[str, None]
    type: str


class IdealResultPointsPrimitivesAlternatives(TypedDict, total=False):
    algorithm: str
    best_ns: float
    dtype: str
    #: Of source and result: plain, channels_last, transposed (weights), any
    format: str
    implementation: str
    median_ns: float
    repeats: int
    result_layout: str
    source_layout: str
    #: measured_ns / median_ns
    speedup: float
    weights_layout: str


class IdealResultPointsPrimitives(TypedDict, total=False):
    alternatives: Union[List[IdealResultPointsPrimitivesAlternatives], None]
    #: false: the time did not suffice for every alternative
    complete: Union[bool, None]
    dtype: str
    #: Of the same data type
    fastest: Union[Dict[str, Any], None]
    #: That ran
    implementation: str
    #: How often it was computed
    kernels: int
    kind: str
    #: Of the longest
    layer: str
    #: null: not measured
    library: Union[str, None]
    measured_at: Union[str, None]
    #: Mean of these
    measured_ns: float
    post_ops: Union[List[str], None]
    problem: str
    #: Why no alternatives can be measured
    reason: Union[str, None]
    total_ns: float


class IdealResultPoints(TypedDict, total=False):
    #: Numbers of distinct primitives
    alternatives: IdealResultPointsAlternatives
    backend: str
    batch: Union[int, None]
    best_known_ns: float
    #: Sum of the known bounds
    bound_ns: Union[float, None]
    #: Measured time of the layers with a bound
    bounded_ns: float
    #: The resource with the largest sum of bounds: holds if layers overlap
    busiest: Union[IdealResultPointsBusiest, None]
    #: Of the mean step; null: no timeline of a device
    critical_path: Union[IdealResultPointsCriticalPath, None]
    #: Faster than their bound: a cost, a roof or a time is wrong
    exceeded_layers: int
    #: Of these, by an alternative of a primitive
    improved_by_alternatives: int
    #: Faster elsewhere
    improved_layers: int
    #: Of a model call
    latency_ns: Union[float, None]
    layers: List[IdealResultPointsLayers]
    #: Sum of all layers, as are the next two
    measured_ns: float
    model: str
    #: Times are those of a device
    on_device: bool
    point_id: int
    precision: str
    #: Distinct ones, on a GPU with their helpers
    primitives: List[IdealResultPointsPrimitives]
    #: Of a layer; those of best_known have at most as many
    threads: Union[int, None]


class IdealResult(TypedDict, total=False):
    #: null: not known
    cpu: Union[str, None]
    experiment: str
    #: Others in the store
    experiments: IdealResultExperiments
    gpu: Union[str, None]
    points: List[IdealResultPoints]
    #: As asked for
    with_disturbed: bool


def ideal(
    run: Optional[Path] = None,
    *,
    again: Optional[bool] = None,
    alternatives: Optional[bool] = None,
    output: Optional[Path] = None,
    time_limit: Optional[float] = None,
    with_disturbed: Optional[bool] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> IdealResult:
    """Compares each layer with the limits of the machine and with the best time known.

    Measures on this machine and adds to the store.

    Args:
        run: A directory, a name in the store, or latest (default)
        again: Measure alternatives again even if they are cached (default: false)
        alternatives: First measure the alternatives of primitives on this machine: memory formats, algorithms,
            implementations and data types, of oneDNN and MKL on a CPU, of cuBLAS and cuDNN on a GPU (default: false)
        output: Write a chart of the longest layers: measured, best known, bound
        time_limit: Limit of seconds for measuring alternatives; what is left is measured next time (default: 300.0),
            s
        with_disturbed: Also take times of runs of whose calls more than half had interference (other programs took
            more than 5 % of them) (default: false)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp ideal --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp ideal latest --alternatives
        xsp ideal latest -o ideal.svg
    """
    document = perform("ideal", {
        "run": run,
        "again": again,
        "alternatives": alternatives,
        "output": output,
        "time_limit": time_limit,
        "with_disturbed": with_disturbed,
    }, store=store, progress=progress)
    return cast("IdealResult", document)
