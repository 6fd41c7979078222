"""The operation `xsp system`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class SystemResultDifferences(TypedDict, total=False):
    a: Union[str, None]
    a_hidden: Union[str, None]
    b: Union[str, None]
    b_hidden: Union[str, None]
    key: str


class SystemResultRoofs(TypedDict, total=False):
    cores: int
    dtype: str
    explanation: str
    how: str
    kind: Literal["flops", "bandwidth"]
    name: str
    provenance: str
    share_of_data_sheet: float
    unit: str
    used: bool
    #: FLOP/s (int8: op/s) or byte/s
    value: float


class SystemResultStackFacts(TypedDict, total=False):
    key: str
    value: Union[str, None]
    why: str


class SystemResult(TypedDict, total=False):
    a: Dict[str, Any]
    b: Dict[str, Any]
    conditions: str
    data_sheet: List[Dict[str, Any]]
    differences: List[SystemResultDifferences]
    #: Each as the processor
    gpus: List[Dict[str, Any]]
    left_out: int
    measured_at: str
    #: Why there is none
    no_data_sheet: str
    only_in_a: List[str]
    only_in_b: List[str]
    #: Empty: without roofs
    processor: str
    #: As measured
    roofs: List[SystemResultRoofs]
    same: int
    #: Facts by part; hidden: why a fact has no value
    stack: Dict[str, Any]
    #: The same in the order of capture
    stack_facts: List[SystemResultStackFacts]


def system(
    *,
    again: Optional[bool] = None,
    all: Optional[bool] = None,
    cores: Optional[int] = None,
    device: Optional[str] = None,
    diff: Optional[Union[Path, Sequence[Path]]] = None,
    no_roofs: Optional[bool] = None,
    output: Optional[Path] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> SystemResult:
    """Shows this machine's stack and its roofs, with how they were measured.

    Measures on this machine and adds to the store.

    Args:
        again: Measure the roofs again even if they are cached (default: false)
        all: With --diff: also compare momentary facts (load, uptime, ...) (default: false)
        cores: Number of cores that a job may use (0: all) (default: 0)
        device: Show the data sheet of this GPU or CPU instead of this machine
        diff: Show the differences between the stacks A and B, each a file that `xsp system --format json` wrote, an
            experiment or a run; without B, this machine now
        no_roofs: Omit the roofs (default: false)
        output: Write a chart of the roofs: slopes of bandwidth and ceilings of data types, with ridges
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp system --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp system -o roofs.svg
        xsp system --device "NVIDIA H100 80GB HBM3" -o h100.html
    """
    document = perform("system", {
        "again": again,
        "all": all,
        "cores": cores,
        "device": device,
        "diff": listed(diff),
        "no_roofs": no_roofs,
        "output": output,
    }, store=store, progress=progress)
    return cast("SystemResult", document)
