"""The operation `xsp run`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class RunResultAgainst(TypedDict, total=False):
    """With against: the other experiment; with plan also its plan."""
    #: Its path
    experiment: str
    failures: List[Dict[str, Any]]
    runs: List[str]
    status: Literal["done", "partial", "interrupted"]


class RunResultComparisonPairsResults(TypedDict, total=False):
    #: Of the whole outputs as vectors
    cosine: Union[float, None]
    largest_difference: Union[float, None]
    #: Why they cannot be compared; null: they were
    message: Union[str, None]
    #: Values that are infinite or not a number in only one of them
    not_finite_in_one: Union[int, None]
    output: Union[str, None]
    shape: Union[str, None]


class RunResultComparisonPairs(TypedDict, total=False):
    """Each as the document of `compare`, and `results`."""
    #: Results of one call of both, by output
    results: List[RunResultComparisonPairsResults]


class RunResultComparison(TypedDict, total=False):
    """With against: the experiment compared with the other one, at each batch size."""
    #: With report: path of a page about it
    page: str
    pairs: List[RunResultComparisonPairs]


class RunResultEstimate(TypedDict, total=False):
    """With plan: how long starting, warming up and sampling will take."""
    #: By the slowest
    high_s: Union[float, None]
    #: Sum of the limits of warm-up and sampling: an upper bound without loading the models; null: there is none
    limit_s: Union[float, None]
    #: By the fastest of the experiments that it rests on
    low_s: Union[float, None]
    #: null: nothing in the store tells
    seconds: Union[float, None]


class RunResultFailures(TypedDict, total=False):
    hint: str
    what: str


class RunResult(TypedDict, total=False):
    #: With against: the other experiment; with plan also its plan
    against: RunResultAgainst
    badges: List[Dict[str, Any]]
    #: With against: the experiment compared with the other one, at each batch size
    comparison: RunResultComparison
    #: What else the machine did meanwhile
    conditions: str
    #: With plan: how long starting, warming up and sampling will take
    estimate: RunResultEstimate
    #: Path of the experiment
    experiment: str
    failures: List[RunResultFailures]
    findings: List[str]
    #: Findings after the leading ones
    findings_left_out: int
    #: Backends that cannot run the model
    left_out: List[str]
    #: With plan: name of the model
    model: str
    #: Latency with its interval, throughput and peak memory of each point. With plan: model, backend, device,
    #: precision, batch size and rungs of each, each rung with its processes and the seconds that it is expected
    #: to take (null: not known), and the newest experiments in the store with the same settings
    points: List[Dict[str, Any]]
    #: With plan: number of worker processes
    processes: int
    #: With report: path of the page
    report: str
    #: What each level of profiling costs
    rungs: List[Dict[str, Any]]
    #: Paths of its runs
    runs: List[str]
    #: With plan: the estimate in words, and what it rests on
    sentences: List[str]
    status: Literal["done", "partial", "interrupted"]


class RunOptions(TypedDict, total=False):
    """Options of `xsp run`."""
    #: Of Slurm: account that is charged
    account: Optional[str]
    #: Another model, whose processes alternate with those of MODEL, so that what the machine changes meanwhile
    #: is in both. It is stored as NAME-against, and MODEL is compared with it
    against: Optional[Any]
    #: A setting in which the other side differs: backend, device, graph, precision or threads; may be repeated.
    #: Without --against both sides are MODEL
    against_setting: Optional[Union[str, Sequence[str]]]
    #: Frameworks, or all (default: the one that the manifest or the file selects)
    backend: Optional[Union[str, Sequence[str]]]
    #: Batch sizes
    batch: Optional[Union[int, Sequence[int]]]
    #: A data set to run through the model instead of the rungs: a folder of images in folders by class, a YAML
    #: file, a .csv, .tsv or .jsonl of texts, or KIND:NAME=VALUE,... such as synthetic:count=100
    dataset: Optional[Path]
    #: Seconds without an answer after which a worker is killed (0: derived from the model's speed)
    deadline: Optional[float]
    #: Deepest rung: model, layer, kernel or counters (default: kernel). counters: events of CPU and kernel in
    #: calls and layers, in a run whose times are discarded
    depth: Optional[Literal["model", "layer", "library", "kernel", "counters"]]
    #: cpu or cuda:0
    device: Optional[str]
    #: Where this is measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md)
    executor: Optional[Literal["local", "slurm"]]
    #: eager, frozen or optimised; default: what a user's own call would run
    graph: Optional[str]
    #: Shape of an input, and the values that fill it; may be repeated. The name is optional with one input, N is
    #: the batch size. Default: from manifest and file; open sizes are guessed and reported (docs/models.md)
    input: Optional[Union[str, Sequence[str]]]
    #: Exact number of model calls per rung, instead of a precision target
    iterations: Optional[int]
    #: Store the results of each point's first call here, as NPY files
    keep_outputs: Optional[Path]
    #: server: upper bound of the percentile: 500us, 50ms, 2s
    latency_bound: Optional[str]
    #: Times that each process of a timed rung loads the model, for an equal part of its calls: how fast a model
    #: is depends on where it lies in memory, which is part of what processes differ by
    loads: Optional[int]
    #: Inputs of the model (default: model.yaml beside it, else inferred)
    manifest: Optional[Path]
    #: Memory limit of each worker, GB (0: no limit)
    memory_limit: Optional[float]
    #: Samples per second of the system monitor (0: none)
    monitor_rate: Optional[float]
    #: Name of the experiment in the store (default: model and time)
    name: Optional[str]
    #: Do not measure this machine's roofs
    no_roofs: Optional[bool]
    #: Run only that rung, without the shallower ones
    only: Optional[bool]
    #: An option of the framework (docs/workers lists them), such as torch:cuda_graph=1; may be repeated
    option: Optional[Union[Path, Sequence[Path]]]
    #: Send the spans of workers to an OpenTelemetry server while they run, over OTLP/HTTP; headers from
    #: OTEL_EXPORTER_OTLP_HEADERS (docs/otlp.md)
    otlp: Optional[Path]
    #: Of Slurm: partition of the jobs
    partition: Optional[str]
    #: Percentile of latency (default: 90 single-stream, 99 server and multi-stream)
    percentile: Optional[float]
    #: Measure nothing: show what would be measured, an estimate of the time with what it rests on, and what the
    #: store already has
    plan: Optional[bool]
    #: Data type of the arithmetic, if the backend can choose it
    precision: Optional[str]
    #: Sample each rung until the 95 % interval of its latency is as narrow as ± this share of it
    precision_target: Optional[str]
    #: Processes of the rung model and of the rung that times layers (kernels on a GPU), because two processes of
    #: one program differ (default: 5 with --against, 3 with several backends, else 1). From 5 on, rungs whose
    #: profiling cannot be switched within a process are compared in as many pairs of processes
    processes: Optional[int]
    #: Model calls, server: for each rate (default: 256 single-stream, 100 offline, 1000 server, 700
    #: multi-stream)
    queries: Optional[int]
    #: Also write the HTML report (with --against also a page about the comparison)
    report: Optional[bool]
    #: Number of samples of the data set, spread evenly (default: all)
    samples: Optional[int]
    #: A load instead of the rungs: single-stream, offline, server or multi-stream
    scenario: Optional[Literal["single-stream", "offline", "server", "multi-stream"]]
    #: Seed of inputs and of the order of blocks
    seed: Optional[int]
    #: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings
    share_nodes: Optional[bool]
    #: Another option of sbatch, which wins over those that XSP sets: time=60
    slurm_option: Optional[Union[Path, Sequence[Path]]]
    #: Append spans, tracks, metrics and attributes to Parquet tables in this folder while workers run
    #: (docs/otlp.md)
    stream: Optional[Path]
    #: multi-stream: samples per query (default: 8)
    streams: Optional[int]
    #: Threads of the framework (0: its default)
    threads: Optional[int]
    #: Limit of seconds per rung, shared by its processes, after which sampling ends with the interval reached so
    #: far
    time_limit: Optional[float]
    #: Seconds of warm-up per rung, if it has not settled by then (0: no limit)
    warmup_limit: Optional[float]
    #: A worker program to use instead of the one found by name
    worker: Optional[Path]


def run(
    model: Path,
    *,
    account: Optional[str] = None,
    against: Optional[Path] = None,
    against_setting: Optional[Union[str, Sequence[str]]] = None,
    backend: Optional[Union[str, Sequence[str]]] = None,
    batch: Optional[Union[int, Sequence[int]]] = None,
    dataset: Optional[Path] = None,
    deadline: Optional[float] = None,
    depth: Optional[Literal["model", "layer", "library", "kernel", "counters"]] = None,
    device: Optional[str] = None,
    executor: Optional[Literal["local", "slurm"]] = None,
    graph: Optional[str] = None,
    input: Optional[Union[str, Sequence[str]]] = None,
    iterations: Optional[int] = None,
    keep_outputs: Optional[Path] = None,
    latency_bound: Optional[str] = None,
    loads: Optional[int] = None,
    manifest: Optional[Path] = None,
    memory_limit: Optional[float] = None,
    monitor_rate: Optional[float] = None,
    name: Optional[str] = None,
    no_roofs: Optional[bool] = None,
    only: Optional[bool] = None,
    option: Optional[Union[Path, Sequence[Path]]] = None,
    otlp: Optional[Path] = None,
    partition: Optional[str] = None,
    percentile: Optional[float] = None,
    plan: Optional[bool] = None,
    precision: Optional[str] = None,
    precision_target: Optional[str] = None,
    processes: Optional[int] = None,
    queries: Optional[int] = None,
    report: Optional[bool] = None,
    samples: Optional[int] = None,
    scenario: Optional[Literal["single-stream", "offline", "server", "multi-stream"]] = None,
    seed: Optional[int] = None,
    share_nodes: Optional[bool] = None,
    slurm_option: Optional[Union[Path, Sequence[Path]]] = None,
    stream: Optional[Path] = None,
    streams: Optional[int] = None,
    threads: Optional[int] = None,
    time_limit: Optional[float] = None,
    warmup_limit: Optional[float] = None,
    worker: Optional[Path] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> RunResult:
    """Measures a model at several levels and batch sizes.

    Measures on this machine and adds to the store.

    Args:
        model: A model file, or a name of the zoo (built on first use)
        account: Of Slurm: account that is charged
        against: Another model, whose processes alternate with those of MODEL, so that what the machine changes
            meanwhile is in both. It is stored as NAME-against, and MODEL is compared with it
        against_setting: A setting in which the other side differs: backend, device, graph, precision or threads; may
            be repeated. Without --against both sides are MODEL
        backend: Frameworks, or all (default: the one that the manifest or the file selects)
        batch: Batch sizes (default: 1)
        dataset: A data set to run through the model instead of the rungs: a folder of images in folders by class, a
            YAML file, a .csv, .tsv or .jsonl of texts, or KIND:NAME=VALUE,... such as synthetic:count=100
        deadline: Seconds without an answer after which a worker is killed (0: derived from the model's speed)
            (default: 0.0), s
        depth: Deepest rung: model, layer, kernel or counters (default: kernel). counters: events of CPU and kernel in
            calls and layers, in a run whose times are discarded
        device: cpu or cuda:0 (default: cpu)
        executor: Where this is measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md) (default:
            local)
        graph: eager, frozen or optimised; default: what a user's own call would run (default: default)
        input: Shape of an input, and the values that fill it; may be repeated. The name is optional with one input, N
            is the batch size. Default: from manifest and file; open sizes are guessed and reported (docs/models.md)
        iterations: Exact number of model calls per rung, instead of a precision target
        keep_outputs: Store the results of each point's first call here, as NPY files
        latency_bound: server: upper bound of the percentile: 500us, 50ms, 2s
        loads: Times that each process of a timed rung loads the model, for an equal part of its calls: how fast a
            model is depends on where it lies in memory, which is part of what processes differ by (default: 1)
        manifest: Inputs of the model (default: model.yaml beside it, else inferred)
        memory_limit: Memory limit of each worker, GB (0: no limit) (default: 0.0), GB
        monitor_rate: Samples per second of the system monitor (0: none) (default: 10.0), Hz
        name: Name of the experiment in the store (default: model and time)
        no_roofs: Do not measure this machine's roofs (default: false)
        only: Run only that rung, without the shallower ones (default: false)
        option: An option of the framework (docs/workers lists them), such as torch:cuda_graph=1; may be repeated
        otlp: Send the spans of workers to an OpenTelemetry server while they run, over OTLP/HTTP; headers from
            OTEL_EXPORTER_OTLP_HEADERS (docs/otlp.md)
        partition: Of Slurm: partition of the jobs
        percentile: Percentile of latency (default: 90 single-stream, 99 server and multi-stream), %
        plan: Measure nothing: show what would be measured, an estimate of the time with what it rests on, and what
            the store already has (default: false)
        precision: Data type of the arithmetic, if the backend can choose it (default: default)
        precision_target: Sample each rung until the 95 % interval of its latency is as narrow as ± this share of it
            (default: 5%)
        processes: Processes of the rung model and of the rung that times layers (kernels on a GPU), because two
            processes of one program differ (default: 5 with --against, 3 with several backends, else 1). From 5 on, rungs
            whose profiling cannot be switched within a process are compared in as many pairs of processes
        queries: Model calls, server: for each rate (default: 256 single-stream, 100 offline, 1000 server, 700
            multi-stream)
        report: Also write the HTML report (with --against also a page about the comparison) (default: false)
        samples: Number of samples of the data set, spread evenly (default: all)
        scenario: A load instead of the rungs: single-stream, offline, server or multi-stream
        seed: Seed of inputs and of the order of blocks (default: 1)
        share_nodes: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings (default:
            false)
        slurm_option: Another option of sbatch, which wins over those that XSP sets: time=60
        stream: Append spans, tracks, metrics and attributes to Parquet tables in this folder while workers run
            (docs/otlp.md)
        streams: multi-stream: samples per query (default: 8)
        threads: Threads of the framework (0: its default) (default: 0)
        time_limit: Limit of seconds per rung, shared by its processes, after which sampling ends with the interval
            reached so far (default: 15.0), s
        warmup_limit: Seconds of warm-up per rung, if it has not settled by then (0: no limit) (default: 60.0), s
        worker: A worker program to use instead of the one found by name
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp run --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp run resnet50 --batch 1,2,4,8,16 --report
        xsp run ocr.onnx --input x=Nx3x48x320 --batch 1,8
        xsp run resnet50 --scenario server --latency-bound 50ms --backend all
        xsp run resnet50 --otlp http://localhost:4318
        xsp run resnet50 --dataset imagenet/val --samples 500 --batch 8
        xsp run after.onnx --against before.onnx --processes 10
        xsp run resnet50 --executor slurm --partition gpu
        xsp run resnet50 --batch 1,8 --backend all --plan
    """
    document = perform("run", {
        "model": model,
        "account": account,
        "against": against,
        "against_setting": listed(against_setting),
        "backend": listed(backend),
        "batch": listed(batch),
        "dataset": dataset,
        "deadline": deadline,
        "depth": depth,
        "device": device,
        "executor": executor,
        "graph": graph,
        "input": listed(input),
        "iterations": iterations,
        "keep_outputs": keep_outputs,
        "latency_bound": latency_bound,
        "loads": loads,
        "manifest": manifest,
        "memory_limit": memory_limit,
        "monitor_rate": monitor_rate,
        "name": name,
        "no_roofs": no_roofs,
        "only": only,
        "option": listed(option),
        "otlp": otlp,
        "partition": partition,
        "percentile": percentile,
        "plan": plan,
        "precision": precision,
        "precision_target": precision_target,
        "processes": processes,
        "queries": queries,
        "report": report,
        "samples": samples,
        "scenario": scenario,
        "seed": seed,
        "share_nodes": share_nodes,
        "slurm_option": listed(slurm_option),
        "stream": stream,
        "streams": streams,
        "threads": threads,
        "time_limit": time_limit,
        "warmup_limit": warmup_limit,
        "worker": worker,
    }, store=store, progress=progress)
    return cast("RunResult", document)
