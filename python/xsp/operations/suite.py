"""The operations `xsp suite ...`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, Literal, Optional, Sequence, Union, cast

from xsp._perform import listed, Path, perform, Progress


def jobs(
    file: Optional[Path] = None,
    *,
    account: Optional[str] = None,
    copies: Optional[int] = None,
    distributed: Optional[Path] = None,
    executor: Optional[Literal["local", "slurm"]] = None,
    name: Optional[str] = None,
    output: Optional[Path] = None,
    pairs: Optional[bool] = None,
    partition: Optional[str] = None,
    program: Optional[Union[Path, Sequence[Path]]] = None,
    rate: Optional[float] = None,
    rounds: Optional[int] = None,
    rows: Optional[int] = None,
    share_nodes: Optional[bool] = None,
    slurm_option: Optional[Union[Path, Sequence[Path]]] = None,
    table: Optional[str] = None,
    width: Optional[int] = None,
    with_: Optional[Union[Path, Sequence[Path]]] = None,
    work: Optional[float] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Compares one job alone, several at once, and one spread over processes: time and use of the machine.

    Measures on this machine and adds to the store.

    Args:
        file: A jobs.yaml with several jobs (in place of COMMAND)
        account: Of Slurm: account that is charged
        copies: Programs of a uniform run (1: none) (default: 2)
        distributed: The same job spread over processes: a command for the shell
        executor: Where this is measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md) (default:
            local)
        name: Prefix of the names of experiments
        output: Write a page with charts to this file
        pairs: With --with: every two jobs at once, in place of all of them (default: false)
        partition: Of Slurm: partition of the jobs
        program: After `--`: a program and its arguments
        rate: Samples of the machine per second (default: 10.0)
        rounds: Number of rounds, in each of which every kind runs once (default: 3)
        rows: Maximum number of rows of a table (0: all) (default: 0)
        share_nodes: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings (default:
            false)
        slurm_option: Another option of sbatch, which wins over those that XSP sets: time=60
        table: Print only this table of the answer
        width: Devices or nodes of the distributed run, for schedules
        with_: Another job of the mixed run: a command for the shell; may be repeated
        work: Work of the distributed run, in single runs (default: 1)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite jobs --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite jobs --copies 2 --with 'gzip -kc big > /dev/null' -- python3 train.py
    """
    document = perform("suite/jobs", {
        "file": file,
        "account": account,
        "copies": copies,
        "distributed": distributed,
        "executor": executor,
        "name": name,
        "output": output,
        "pairs": pairs,
        "partition": partition,
        "program": listed(program),
        "rate": rate,
        "rounds": rounds,
        "rows": rows,
        "share_nodes": share_nodes,
        "slurm_option": listed(slurm_option),
        "table": table,
        "width": width,
        "with": listed(with_),
        "work": work,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def kernels(
    source: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    output: Optional[Path] = None,
    rows: Optional[int] = None,
    rules: Optional[Path] = None,
    table: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Kernels in classes: matrix products by tile, convolutions, pointwise, copies and others.

    Reads the store and changes nothing.

    Args:
        source: Experiments and runs of the store (default: all), tables of kernels (name, time_ms, ...) or of
            classes, or a data set (mlperf-v0.5)
        output: Write a page with charts to this file
        rows: Maximum number of rows of a table (0: all) (default: 0)
        rules: The rules: a YAML file, or one that ships with XSP (kernel_classes, kernel_classes_mlperf)
        table: Print only this table of the answer
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite kernels --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite kernels mlperf-v0.5 --table classes
    """
    document = perform("suite/kernels", {
        "source": listed(source),
        "output": output,
        "rows": rows,
        "rules": rules,
        "table": table,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def quality(
    source: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    account: Optional[str] = None,
    executor: Optional[Literal["local", "slurm"]] = None,
    lower_is_better: Optional[bool] = None,
    output: Optional[Path] = None,
    partition: Optional[str] = None,
    price_per_hour: Optional[float] = None,
    program: Optional[Union[Path, Sequence[Path]]] = None,
    quality_pattern: Optional[str] = None,
    rows: Optional[int] = None,
    share_nodes: Optional[bool] = None,
    slurm_option: Optional[Union[Path, Sequence[Path]]] = None,
    table: Optional[str] = None,
    target: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Computes time and cost until a training program reaches a quality.

    Measures on this machine and adds to the store.

    Args:
        source: A program's log, a CSV or Parquet table, an experiment of xsp record with marks, or a published data
            set (mlperf-v0.5)
        account: Of Slurm: account that is charged
        executor: Where this is measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md) (default:
            local)
        lower_is_better: Lower is better, as for a loss (default: false)
        output: Write a page with charts to this file
        partition: Of Slurm: partition of the jobs
        price_per_hour: Price of the machine per hour, in any currency
        program: After `--`: a training program, run here
        quality_pattern: Finds the number in a line or mark: a POSIX extended regular expression with a group
        rows: Maximum number of rows of a table (0: all) (default: 0)
        share_nodes: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings (default:
            false)
        slurm_option: Another option of sbatch, which wins over those that XSP sets: time=60
        table: Print only this table of the answer
        target: Target to be reached
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite quality --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite quality --target accuracy=0.75 --price-per-hour 2.5 -- python3 train.py
    """
    document = perform("suite/quality", {
        "source": listed(source),
        "account": account,
        "executor": executor,
        "lower_is_better": lower_is_better,
        "output": output,
        "partition": partition,
        "price_per_hour": price_per_hour,
        "program": listed(program),
        "quality_pattern": quality_pattern,
        "rows": rows,
        "share_nodes": share_nodes,
        "slurm_option": listed(slurm_option),
        "table": table,
        "target": target,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def report(
    run: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    output: Optional[Path] = None,
    published: Optional[Path] = None,
    representatives: Optional[int] = None,
    rows: Optional[int] = None,
    table: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Combines the answers of all other commands on these experiments, sentences first.

    Reads the store and changes nothing.

    Args:
        run: Experiments (default: those of `xsp suite run`, else all of the store)
        output: Write a page with charts to this file
        published: The suite with which they are compared; '' for none (default: mlperf-v0.5)
        representatives: Number of representatives (default: 4)
        rows: Maximum number of rows of a table (0: all) (default: 0)
        table: Print only this table of the answer
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite report --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite report -o suite.html
    """
    document = perform("suite/report", {
        "run": listed(run),
        "output": output,
        "published": published,
        "representatives": representatives,
        "rows": rows,
        "table": table,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def rooflines(
    source: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    bandwidth: Optional[float] = None,
    bytes: Optional[str] = None,
    dtype: Optional[str] = None,
    flops: Optional[str] = None,
    group: Optional[str] = None,
    kind: Optional[str] = None,
    label: Optional[Union[str, Sequence[str]]] = None,
    output: Optional[Path] = None,
    peak: Optional[float] = None,
    roofs: Optional[Union[Path, Sequence[Path]]] = None,
    rows: Optional[int] = None,
    table: Optional[str] = None,
    time: Optional[str] = None,
    where: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Shows all workloads on one roofline, under measured roofs.

    Reads the store and changes nothing.

    Args:
        source: Experiments (names in the store, or folders), CSV or Parquet files, data sets; none: every experiment
            of the store
        bandwidth: Bandwidth in byte/s, instead of measured ones
        bytes: Of tables: bytes read and written (default: bytes)
        dtype: Of tables: the data type whose ceiling counts (default: a column dtype or precision, else float32)
        flops: Of tables: FLOPs, an SQL expression over the columns (default: flops)
        group: Column that sets the colour (experiments: backend, experiment, model or precision)
        kind: Table of a data set, such as vectors or kernel_classes (default: vectors)
        label: Columns that together name a workload
        output: Write a page with charts to this file
        peak: Ceiling in FLOP/s, instead of measured ones
        roofs: Experiments whose measured roofs are drawn, too
        rows: Maximum number of rows of a table (0: all) (default: 0)
        table: Print only this table of the answer
        time: Of tables: time in s (default: time_s)
        where: Only rows of tables for which this is true
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite rooflines --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite rooflines mlperf-v0.5 --kind kernel_classes --bytes 'transactions_32b * 32' --time 'time_ms / 1000' --peak 15.7e12 --bandwidth 900e9
    """
    document = perform("suite/rooflines", {
        "source": listed(source),
        "bandwidth": bandwidth,
        "bytes": bytes,
        "dtype": dtype,
        "flops": flops,
        "group": group,
        "kind": kind,
        "label": listed(label),
        "output": output,
        "peak": peak,
        "roofs": listed(roofs),
        "rows": rows,
        "table": table,
        "time": time,
        "where": where,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def run(
    suite: str,
    *,
    account: Optional[str] = None,
    again: Optional[bool] = None,
    backend: Optional[Union[str, Sequence[str]]] = None,
    batch: Optional[Union[int, Sequence[int]]] = None,
    executor: Optional[Literal["local", "slurm"]] = None,
    iterations: Optional[int] = None,
    kind: Optional[Union[str, Sequence[str]]] = None,
    name: Optional[str] = None,
    only: Optional[Union[str, Sequence[str]]] = None,
    output: Optional[Path] = None,
    partition: Optional[str] = None,
    quick: Optional[bool] = None,
    rows: Optional[int] = None,
    share_nodes: Optional[bool] = None,
    slurm_option: Optional[Union[Path, Sequence[Path]]] = None,
    table: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Measures a suite of workloads on this machine; continues after an interruption.

    Measures on this machine and adds to the store.

    Args:
        suite: zoo: the models and training programs of XSP
        account: Of Slurm: account that is charged
        again: Measure again what is already in the store; the old experiment is kept until the new one is stored
            (default: false)
        backend: Frameworks of the models (default: each one's own)
        batch: Batch sizes (default: 1)
        executor: Where this is measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md) (default:
            local)
        iterations: Model calls per rung (default: 30)
        kind: inference, kernel, training (default: all)
        name: Prefix of the names of experiments (default: zoo)
        only: Only these workloads: names of the zoo, or train_NAME
        output: Write a page with charts to this file
        partition: Of Slurm: partition of the jobs
        quick: A few small workloads with few calls, for continuous integration (default: false)
        rows: Maximum number of rows of a table (0: all) (default: 0)
        share_nodes: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings (default:
            false)
        slurm_option: Another option of sbatch, which wins over those that XSP sets: time=60
        table: Print only this table of the answer
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite run --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite run zoo --quick
    """
    document = perform("suite/run", {
        "suite": suite,
        "account": account,
        "again": again,
        "backend": listed(backend),
        "batch": listed(batch),
        "executor": executor,
        "iterations": iterations,
        "kind": listed(kind),
        "name": name,
        "only": listed(only),
        "output": output,
        "partition": partition,
        "quick": quick,
        "rows": rows,
        "share_nodes": share_nodes,
        "slurm_option": listed(slurm_option),
        "table": table,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def scaling(
    source: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    account: Optional[str] = None,
    backend: Optional[str] = None,
    batch: Optional[int] = None,
    executor: Optional[Literal["local", "slurm"]] = None,
    gain: Optional[str] = None,
    iterations: Optional[int] = None,
    job: Optional[str] = None,
    output: Optional[Path] = None,
    partition: Optional[str] = None,
    processes: Optional[Union[int, Sequence[int]]] = None,
    rows: Optional[int] = None,
    run: Optional[Path] = None,
    share_nodes: Optional[bool] = None,
    slurm_option: Optional[Union[Path, Sequence[Path]]] = None,
    speedup_column: Optional[str] = None,
    steps: Optional[int] = None,
    table: Optional[str] = None,
    threads: Optional[Union[int, Sequence[int]]] = None,
    time_column: Optional[str] = None,
    unit: Optional[Literal["s", "min", "h", "ms", "us", "ns"]] = None,
    width_column: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Computes speed-up and efficiency over devices, processes or threads, and the largest worthwhile width.

    Measures on this machine and adds to the store.

    Args:
        source: A CSV or Parquet table, a data set (mlperf-v0.5), or experiments in the store whose points differ by
            threads (default: all)
        account: Of Slurm: account that is charged
        backend: Of --run
        batch: Of --run (default 1) or --processes (default 32)
        executor: Where this is measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md) (default:
            local)
        gain: Gain per doubling below which a larger width is not worthwhile (default: 5%)
        iterations: Model calls of each --run (default: 30)
        job: The column that names the job
        output: Write a page with charts to this file
        partition: Of Slurm: partition of the jobs
        processes: Measure data-parallel training (PyTorch, gloo) in these numbers of processes
        rows: Maximum number of rows of a table (0: all) (default: 0)
        run: Measure this model with xsp run
        share_nodes: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings (default:
            false)
        slurm_option: Another option of sbatch, which wins over those that XSP sets: time=60
        speedup_column: The speed-up on that width (long form)
        steps: Training steps of --processes (default: 30)
        table: Print only this table of the answer
        threads: Numbers of threads
        time_column: The time on that width (long form)
        unit: Unit of the times, if the table has none
        width_column: Devices, processes or threads (long form)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite scaling --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite scaling mlperf-v0.5 --gain 10%
    """
    document = perform("suite/scaling", {
        "source": listed(source),
        "account": account,
        "backend": backend,
        "batch": batch,
        "executor": executor,
        "gain": gain,
        "iterations": iterations,
        "job": job,
        "output": output,
        "partition": partition,
        "processes": listed(processes),
        "rows": rows,
        "run": run,
        "share_nodes": share_nodes,
        "slurm_option": listed(slurm_option),
        "speedup_column": speedup_column,
        "steps": steps,
        "table": table,
        "threads": listed(threads),
        "time_column": time_column,
        "unit": unit,
        "width_column": width_column,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def schedule(
    devices: int,
    source: Optional[Path] = None,
    *,
    calls: Optional[float] = None,
    device_memory: Optional[float] = None,
    export: Optional[Union[Path, Sequence[Path]]] = None,
    fix: Optional[Union[str, Sequence[str]]] = None,
    gap: Optional[float] = None,
    job: Optional[str] = None,
    output: Optional[Path] = None,
    policy: Optional[Literal["shortest", "exclusive", "first-come", "widest-first"]] = None,
    program: Optional[Union[Path, Sequence[Path]]] = None,
    rows: Optional[int] = None,
    seed: Optional[int] = None,
    slurm: Optional[Literal["gpus", "gres", "nodes", "tasks"]] = None,
    speedup_column: Optional[str] = None,
    stored: Optional[Union[Path, Sequence[Path]]] = None,
    stored_jobs: Optional[Union[str, Sequence[str]]] = None,
    submit: Optional[bool] = None,
    table: Optional[str] = None,
    threads: Optional[int] = None,
    time_column: Optional[str] = None,
    time_limit: Optional[float] = None,
    unit: Optional[Literal["s", "min", "h", "ms", "us", "ns"]] = None,
    width_column: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Computes the shortest plan for jobs that can run on one or several devices.

    Reads the store and changes nothing.

    Args:
        devices: Number of devices
        source: A CSV or Parquet table of times by width, or a data set (mlperf-v0.5)
        calls: With --stored: model calls of a job (default: 1000)
        device_memory: Memory of a device, in the unit of the table's column memory
        export: Write the plan: .csv, .json, or .sh, a batch script for Slurm
        fix: Use only this width of that job
        gap: End the search when the plan is this close to the bound (default: 0.0)
        job: The column that names the job
        output: Write a page with charts to this file
        policy: The plan that is shown, exported and submitted; the others are compared (exclusive: the shortest
            without sharing) (default: shortest)
        program: With --submit: the program that runs a job, with its arguments
        rows: Maximum number of rows of a table (0: all) (default: 0)
        seed: Seed of the search; other seeds may find other plans (default: 1)
        slurm: Option for devices in the batch script, such as --gpus or --gres=gpu (of each node) (default: gpus)
        speedup_column: The speed-up on that width (long form)
        stored: In place of SOURCE: experiments of the store whose points differ by threads, or `all`; a job is a
            model, and a device is a thread
        stored_jobs: In place of SOURCE: measurements of the store by `xsp suite jobs`, by their names, or `all`; jobs
            that were measured beside each other may share a device, and a device is the machine
        submit: Submit the jobs to Slurm, wait for their end, and compare the plan with it: each job runs `PROGRAM
            ARGUMENT... JOB WIDTH` (default: false)
        table: Print only this table of the answer
        threads: Threads that search (default: 2)
        time_column: The time on that width (long form)
        time_limit: Time limit of the search, seconds (default: 30.0)
        unit: Unit of the times, if the table has none
        width_column: Devices, processes or threads (long form)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite schedule --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite schedule mlperf-v0.5 --devices 4 --export plan.csv
        xsp suite schedule --stored all --calls 5000 --devices 2
        xsp suite schedule --stored-jobs all --devices 2
        xsp suite schedule jobs.csv --devices 2 --slurm nodes --submit -- ./job.sh
    """
    document = perform("suite/schedule", {
        "devices": devices,
        "source": source,
        "calls": calls,
        "device_memory": device_memory,
        "export": listed(export),
        "fix": listed(fix),
        "gap": gap,
        "job": job,
        "output": output,
        "policy": policy,
        "program": listed(program),
        "rows": rows,
        "seed": seed,
        "slurm": slurm,
        "speedup_column": speedup_column,
        "stored": listed(stored),
        "stored_jobs": listed(stored_jobs),
        "submit": submit,
        "table": table,
        "threads": threads,
        "time_column": time_column,
        "time_limit": time_limit,
        "unit": unit,
        "width_column": width_column,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def sensitivity(
    model: Path,
    *,
    account: Optional[str] = None,
    again: Optional[bool] = None,
    also: Optional[Union[Path, Sequence[Path]]] = None,
    backend: Optional[Union[str, Sequence[str]]] = None,
    batch: Optional[int] = None,
    executor: Optional[Literal["local", "slurm"]] = None,
    iterations: Optional[int] = None,
    name: Optional[str] = None,
    output: Optional[Path] = None,
    over: Optional[Union[str, Sequence[str]]] = None,
    partition: Optional[str] = None,
    rounds: Optional[int] = None,
    rows: Optional[int] = None,
    seed: Optional[int] = None,
    share_nodes: Optional[bool] = None,
    slurm_option: Optional[Union[Path, Sequence[Path]]] = None,
    table: Optional[str] = None,
    threads: Optional[Union[int, Sequence[int]]] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Compares one model over precisions, compilers, graph modes and threads: speed, outputs, kernels.

    Measures on this machine and adds to the store.

    Args:
        model: A model file, or a name of the zoo
        account: Of Slurm: account that is charged
        again: Measure again what is already in the store (default: false)
        also: The same model in another form, as a quantised one or a compiled .pt2 (default: MODEL_int8 of the zoo,
            where there is one); may be repeated
        backend: Frameworks (default: all installed)
        batch: Batch size (default: 1)
        executor: Where this is measured: on this machine, or on nodes that Slurm chooses (docs/sweeps.md) (default:
            local)
        iterations: Model calls of each variant in each round (default: 30)
        name: Prefix of the names of experiments
        output: Write a page with charts to this file
        over: Kinds of settings: graph, precision, option, threads, model (default: all)
        partition: Of Slurm: partition of the jobs
        rounds: Number of rounds, in each of which every variant is measured once (default: 3)
        rows: Maximum number of rows of a table (0: all) (default: 0)
        seed: Seed of the order of variants (default: 1)
        share_nodes: Of Slurm: other jobs may use a node meanwhile (no --exclusive), which disturbs timings (default:
            false)
        slurm_option: Another option of sbatch, which wins over those that XSP sets: time=60
        table: Print only this table of the answer
        threads: Numbers of threads (default: 1, 2, 4, ... all)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite sensitivity --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite sensitivity resnet50 --backend torch,onnxruntime --over graph,threads
    """
    document = perform("suite/sensitivity", {
        "model": model,
        "account": account,
        "again": again,
        "also": listed(also),
        "backend": listed(backend),
        "batch": batch,
        "executor": executor,
        "iterations": iterations,
        "name": name,
        "output": output,
        "over": listed(over),
        "partition": partition,
        "rounds": rounds,
        "rows": rows,
        "seed": seed,
        "share_nodes": share_nodes,
        "slurm_option": listed(slurm_option),
        "table": table,
        "threads": listed(threads),
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def similarity(
    source: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    bootstrap: Optional[int] = None,
    clusters: Optional[int] = None,
    components: Optional[Union[int, Sequence[int]]] = None,
    cut: Optional[float] = None,
    group: Optional[str] = None,
    label: Optional[Union[str, Sequence[str]]] = None,
    linkage: Optional[Literal["single", "complete", "average", "ward"]] = None,
    metric: Optional[Union[str, Sequence[str]]] = None,
    metrics: Optional[Union[str, Sequence[str]]] = None,
    missing: Optional[Literal["rows", "metrics", "mean"]] = None,
    on: Optional[Literal["metrics", "components"]] = None,
    output: Optional[Path] = None,
    per: Optional[Literal["experiment", "point"]] = None,
    representatives: Optional[int] = None,
    rows: Optional[int] = None,
    seed: Optional[int] = None,
    share: Optional[float] = None,
    subset: Optional[Union[str, Sequence[str]]] = None,
    table: Optional[str] = None,
    where: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Finds similar workloads, and a subset that represents all.

    Reads the store and changes nothing.

    Args:
        source: CSV or Parquet files, data sets that ship with XSP (mlperf-v0.5), experiments (names in the store, or
            folders); none: every experiment of the store
        bootstrap: Number of resamples for the stability of clusters (default: 1000)
        clusters: Number of clusters (default: by the silhouette)
        components: The two components of the chart (default: [1, 2])
        cut: Cut at this distance
        group: Column with the suite of the workload
        label: Columns that together name a workload (default: the first with text)
        linkage: Linkage: distance between two clusters (default: ward)
        metric: Of experiments, one more metric: an SQL expression of one value over the views of each (repeat for
            more): 'convolutions=count(*) FROM layer'
        metrics: Columns to use (default: all other numeric columns)
        missing: Treatment of unknown values: exclude workloads (rows), exclude metrics (metrics), or use the metric's
            mean (mean) (default: rows)
        on: Distances on standardised metrics, or on components (default: metrics)
        output: Write a page with charts to this file
        per: For experiments: one row per experiment (its point of the largest batch size) or per point (model,
            backend, device, precision, batch size) (default: experiment)
        representatives: Number of clusters, with the workload nearest to the centre of each
        rows: Maximum number of rows of a table (0: all) (default: 0)
        seed: Of the resamples (default: 1)
        share: With --on components: the first that explain this share of the variance (default: 0.9)
        subset: Workloads whose coverage of each metric's range is computed
        table: Print only this table of the answer
        where: Only rows for which this is true, an SQL condition over the columns: 'gpus = 1'
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite similarity --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite similarity mlperf-v0.5 --where 'gpus = 1' --representatives 4
    """
    document = perform("suite/similarity", {
        "source": listed(source),
        "bootstrap": bootstrap,
        "clusters": clusters,
        "components": listed(components),
        "cut": cut,
        "group": group,
        "label": listed(label),
        "linkage": linkage,
        "metric": listed(metric),
        "metrics": listed(metrics),
        "missing": missing,
        "on": on,
        "output": output,
        "per": per,
        "representatives": representatives,
        "rows": rows,
        "seed": seed,
        "share": share,
        "subset": listed(subset),
        "table": table,
        "where": where,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def topology(
    run: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    output: Optional[Path] = None,
    rows: Optional[int] = None,
    table: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Compares the interconnects of machines, and the speed of the same workloads on them.

    Reads the store and changes nothing.

    Args:
        run: Experiments of several machines (default: all of the store)
        output: Write a page with charts to this file
        rows: Maximum number of rows of a table (0: all) (default: 0)
        table: Print only this table of the answer
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite topology --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite topology resnet50-on-a resnet50-on-b
    """
    document = perform("suite/topology", {
        "run": listed(run),
        "output": output,
        "rows": rows,
        "table": table,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)


def vectors(
    source: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    group: Optional[str] = None,
    label: Optional[Union[str, Sequence[str]]] = None,
    metric: Optional[Union[str, Sequence[str]]] = None,
    metrics: Optional[Union[str, Sequence[str]]] = None,
    missing: Optional[Literal["show", "rows", "metrics", "mean"]] = None,
    output: Optional[Path] = None,
    per: Optional[Literal["experiment", "point"]] = None,
    rows: Optional[int] = None,
    table: Optional[str] = None,
    where: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """Shows one row per workload: the resources that it uses, or any metric.

    Reads the store and changes nothing.

    Args:
        source: CSV or Parquet files, data sets that ship with XSP (mlperf-v0.5), experiments (names in the store, or
            folders); none: every experiment of the store
        group: Column with the suite of the workload
        label: Columns that together name a workload (default: the first with text)
        metric: Of experiments, one more metric: an SQL expression of one value over the views of each (repeat for
            more): 'convolutions=count(*) FROM layer'
        metrics: Columns to use (default: all other numeric columns)
        missing: Treatment of unknown values: show, rows (exclude workloads), metrics (exclude metrics) or mean
            (default: show)
        output: Write a page with charts to this file
        per: For experiments: one row per experiment (its point of the largest batch size) or per point (model,
            backend, device, precision, batch size) (default: experiment)
        rows: Maximum number of rows of a table (0: all) (default: 0)
        table: Print only this table of the answer
        where: Only rows for which this is true, an SQL condition over the columns: 'gpus = 1'
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp suite vectors --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp suite vectors mlperf-v0.5 --metrics cpu_pct,gpu_pct_sum --format csv
    """
    document = perform("suite/vectors", {
        "source": listed(source),
        "group": group,
        "label": listed(label),
        "metric": listed(metric),
        "metrics": listed(metrics),
        "missing": missing,
        "output": output,
        "per": per,
        "rows": rows,
        "table": table,
        "where": where,
    }, store=store, progress=progress)
    return cast("Dict[str, Any]", document)
