"""The operation `xsp suggest`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class SuggestResultBounds(TypedDict, total=False):
    bound: str
    #: Measured candidates
    excludes: int
    #: In the unit of the metric's key
    limit: float
    metric: str


class SuggestResultCandidates(TypedDict, total=False):
    accuracy: Any
    backend: str
    batch: Union[int, None]
    cost_per_million: Any
    created: str
    device: str
    disturbed: bool
    dominated_by: Union[int, None]
    energy_joules: Any
    energy_of: Union[str, None]
    #: Of the latency
    experiment: str
    #: To all bounds
    fit: Literal["yes", "maybe", "no", "not known"]
    #: To each of `bounds`
    fits: List[str]
    latency_ns: Any
    latency_p99_ns: Any
    machine: str
    #: Experiments that measured it
    measurements: int
    memory_bytes: Any
    memory_of: Union[str, None]
    model: str
    point_id: int
    precision: str
    predicted: bool
    prediction: Union[str, None]
    reason: Union[str, None]
    settings: str
    standing: Literal["front", "dominated", "excluded", "not compared", "predicted"]
    task: Union[str, None]
    throughput_per_s: Any
    #: Others of the front, equal within the noise
    tied_with: List[int]


class SuggestResult(TypedDict, total=False):
    accuracy_metric: Union[str, None]
    bounds: List[SuggestResultBounds]
    #: The front first
    candidates: List[SuggestResultCandidates]
    dataset: Union[str, None]
    #: How it was judged, and what was left out
    method: List[str]
    #: Accuracy is an objective, or compare_models was asked for
    models_compete: bool
    objectives: List[str]
    #: With output: path of the page
    page: str
    #: Indices of candidates: one, or one of each model where models do not compete; none: nothing keeps the
    #: bounds
    recommended: List[int]
    #: Most important first
    sentences: List[str]


def suggest(
    *,
    backend: Optional[Union[str, Sequence[str]]] = None,
    bound: Optional[Union[str, Sequence[str]]] = None,
    compare_models: Optional[bool] = None,
    dataset: Optional[str] = None,
    device: Optional[Union[str, Sequence[str]]] = None,
    include_predicted: Optional[bool] = None,
    machine: Optional[Union[str, Sequence[str]]] = None,
    model: Optional[Union[str, Sequence[str]]] = None,
    objective: Optional[Union[str, Sequence[str]]] = None,
    output: Optional[Path] = None,
    precision: Optional[Union[str, Sequence[str]]] = None,
    predict: Optional[str] = None,
    price: Optional[Union[str, Sequence[str]]] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    task: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> SuggestResult:
    """Suggests a model, backend, precision, batch size and machine from what was measured.

    Reads the store and changes nothing.

    Args:
        backend: Only these backends, such as torch
        bound: What a candidate has to keep; may be repeated: latency=50ms, latency.p99=80ms, throughput=100/s,
            memory=2GB, energy=1J, accuracy=75%, cost=2.5 (per million items)
        compare_models: Models compete with each other although no accuracy is known: they are interchangeable
            (default: false)
        dataset: The data set of accuracy, as it was named when it was measured
        device: Only these devices, such as cpu or cuda
        include_predicted: Predicted candidates compete with measured ones (default: false)
        machine: Only this machine, by words of its name; `this` is this one; may be repeated
        model: Only these models
        objective: What the front is over, and the first what is recommended by: metrics as in --bound (default:
            latency,throughput,memory and what all candidates have)
        output: Also write a page with charts to this file
        precision: Only these precisions, such as bfloat16
        predict: Also predict every candidate on this GPU or CPU, by its data sheet
        price: Price of a machine-hour, for all machines or for one by words of its name; may be repeated
        since: Only experiments of this time or later (UTC)
        tag: Only experiments with this tag; may be repeated
        task: Only models with this task, by words of it: classification, detection
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suggest --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suggest --task classification --bound latency=50ms
    """
    document = perform("suggest", {
        "backend": listed(backend),
        "bound": listed(bound),
        "compare_models": compare_models,
        "dataset": dataset,
        "device": listed(device),
        "include_predicted": include_predicted,
        "machine": listed(machine),
        "model": listed(model),
        "objective": listed(objective),
        "output": output,
        "precision": listed(precision),
        "predict": predict,
        "price": listed(price),
        "since": since,
        "tag": listed(tag),
        "task": task,
    }, store=store, progress=progress)
    return cast("SuggestResult", document)
