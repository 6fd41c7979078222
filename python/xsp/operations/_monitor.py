"""The operation `xsp monitor`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class MonitorResultHidden(TypedDict, total=False):
    name: str
    why: str


class MonitorResultProgram(TypedDict, total=False):
    exit_code: int
    signal: int


class MonitorResultSummary(TypedDict, total=False):
    mean: Union[float, None]
    most: Union[float, None]
    name: str
    part: str
    unit: str


class MonitorResult(TypedDict, total=False):
    hidden: List[MonitorResultHidden]
    #: Samples that came late
    late: int
    monitor_cost: str
    #: Of one core, for sampling
    monitor_share: float
    program: Union[MonitorResultProgram, None]
    #: Path of the experiment; null: it could not be stored
    run: Union[str, None]
    samples: int
    seconds: float
    summary: List[MonitorResultSummary]


def monitor(
    *,
    name: Optional[str] = None,
    program: Optional[Union[Path, Sequence[Path]]] = None,
    rate: Optional[float] = None,
    seconds: Optional[float] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> MonitorResult:
    """Samples CPUs, memory, disks, network, GPUs and power while a program runs.

    Measures on this machine and adds to the store.

    Args:
        name: Name of the experiment in the store (default: COMMAND's name and the time)
        program: After `--`: a program and its arguments. The machine is sampled while it runs; its input, output,
            exit status and signals do not change, and the summary goes to standard error. Samplers:
            cgroup: Of this process's control group: CPUs used, throttled share, memory and its limit
            cpu: Busy and stolen share of the CPU time, of each core and of all
            disk: Bytes read from and written to each whole disk
            memory: Memory of the machine in use: total less available
            network: Bytes received and sent by each network interface but the loopback
            nvml: Of each NVIDIA GPU: use, memory, clocks, throttling, power, heat, PCIe, NVLink
            pressure: Share of the time in which tasks waited for CPU, memory or disks
            rapl: Power of CPU packages and their parts, from their energy counters
        rate: Samples per second, 0.01 to 1000 (default: 10.0), Hz
        seconds: Without COMMAND: duration (default: until Ctrl-C), s
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp monitor --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp monitor -- python3 train.py
        xsp monitor --rate 20 --format json -o usage.json -- make -j8
        xsp monitor --seconds 10
    """
    document = perform("monitor", {
        "name": name,
        "program": listed(program),
        "rate": rate,
        "seconds": seconds,
    }, store=store, progress=progress)
    return cast("MonitorResult", document)
