"""The operation `xsp sweep`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class SweepResultJobs(TypedDict, total=False):
    #: Its id
    job: str
    #: Null: any
    machine: Union[str, None]
    points: int


class SweepResultPoints(TypedDict, total=False):
    #: Null: the model's own
    backend: Union[str, None]
    #: Of a plan: what the estimate rests on
    basis: Literal["measured", "similar", "upper bound", "unknown"]
    batch: int
    #: Of a point that failed, in whole or in part: as of `xsp run`
    exit_status: Union[int, None]
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
    status: Literal["missing", "stored", "measured", "partial", "failed", "interrupted", "elsewhere", "queued", "running"]
    #: Items per second: batch / latency
    throughput: Union[float, None]
    #: Why it failed or is elsewhere, or why what is stored does not count
    why: Union[str, None]


class SweepResult(TypedDict, total=False):
    #: Job arrays of Slurm that have points of the sweep
    jobs: List[SweepResultJobs]
    points: List[SweepResultPoints]
    #: Of a plan: estimate of what is missing, without what is not known
    seconds: float
    #: Of a plan: missing points whose time is not known
    seconds_unknown: int
    #: Not of a plan; submitted: with --detach
    status: Literal["done", "partial", "interrupted", "submitted"]
    sweep: str
    #: Of a plan: missing points whose time is an upper bound
    upper_bounds: int


def sweep(
    file: Path,
    *,
    account: Optional[str] = None,
    again: Optional[bool] = None,
    detach: Optional[bool] = None,
    executor: Optional[Literal["local", "slurm"]] = None,
    limit: Optional[int] = None,
    partition: Optional[str] = None,
    plan: Optional[bool] = None,
    share_nodes: Optional[bool] = None,
    slurm_option: Optional[Union[Path, Sequence[Path]]] = None,
    task: Optional[Path] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> SweepResult:
    """Measures every combination of models, backends, batch sizes, precisions and settings; continues after an interruption.

    Measures on this machine and adds to the store.

    Args:
        file: A YAML file that says what to measure (docs/sweeps.md)
        account: Of Slurm: account that is charged
        again: Measure what the store has, too; earlier experiments are kept (default: false)
        detach: Of Slurm: end once the jobs are submitted; the same command without it follows them (default: false)
        executor: Where points are measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md)
            (default: local)
        limit: Of Slurm: how many points of a job array (one for each machine of the sweep) are measured at once; 0:
            as many as the cluster allows (default: 0)
        partition: Of Slurm: partition of the jobs
        plan: Measure nothing: list the points, how long each will take, and what the store has (default: false)
        share_nodes: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings (default:
            false)
        slurm_option: Another option of sbatch, which wins over those that XSP sets: time=60
        task: The description of a job array that this process is a task of
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp sweep --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp sweep sweep.yaml --plan
        xsp sweep sweep.yaml && xsp list --sweep sweep
        xsp sweep sweep.yaml --executor slurm --partition gpu --limit 8
        xsp sweep sweep.yaml --executor slurm --detach
    """
    document = perform("sweep", {
        "file": file,
        "account": account,
        "again": again,
        "detach": detach,
        "executor": executor,
        "limit": limit,
        "partition": partition,
        "plan": plan,
        "share_nodes": share_nodes,
        "slurm_option": listed(slurm_option),
        "task": task,
    }, store=store, progress=progress)
    return cast("SweepResult", document)
