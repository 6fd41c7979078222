"""The operation `xsp record`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class RecordResultProgram(TypedDict, total=False):
    exit_code: int
    signal: int


class RecordResult(TypedDict, total=False):
    #: Path of the experiment; null: it could not be stored
    experiment: Union[str, None]
    notes: List[str]
    #: With overhead
    overhead: Union[Dict[str, Any], None]
    #: Processes that were recorded
    processes: int
    program: RecordResultProgram
    #: With report: path of the page
    report: str
    #: Duration of the program
    seconds: float
    #: Number of spans by level
    spans: Dict[str, Any]


def record(
    *,
    cuda_metrics: Optional[str] = None,
    delay: Optional[float] = None,
    depth: Optional[str] = None,
    duration: Optional[float] = None,
    monitor_rate: Optional[float] = None,
    name: Optional[str] = None,
    no_roofs: Optional[bool] = None,
    otlp: Optional[Path] = None,
    overhead: Optional[int] = None,
    program: Optional[Union[Path, Sequence[Path]]] = None,
    program_output: Optional[Path] = None,
    python_stacks: Optional[float] = None,
    range: Optional[str] = None,
    report: Optional[bool] = None,
    stacks: Optional[float] = None,
    start_off: Optional[bool] = None,
    stream: Optional[Path] = None,
    toggle_signal: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> RecordResult:
    """Records any program without changing it.

    Measures on this machine and adds to the store.

    Args:
        cuda_metrics: Run the program once more and measure its CUDA kernels by replaying each: flops, dram, l2,
            occupancy, roofline (flops and dram), or raw names, separated by commas; times come from the first run
            (docs/cuda.md)
        delay: Start recording after this many seconds of the program (default: 0.0), s
        depth: Deepest level: model (steps, phases, calls), layer (framework operators), library, or kernel (default:
            all)
        duration: Stop recording after this duration; the program continues (default: 0.0), s
        monitor_rate: Samples of the whole machine per second (see xsp monitor); 0: none (default: 10.0), Hz
        name: Name of the experiment in the store (default: COMMAND's name and the time)
        no_roofs: Do not measure this machine's roofs (default: false)
        otlp: Send spans to an OpenTelemetry server while the program runs, over OTLP/HTTP; headers from
            OTEL_EXPORTER_OTLP_HEADERS (docs/otlp.md)
        overhead: Run the program N times bare and N times recorded, alternately, and print the overhead of recording.
            Ctrl-C ends it with the result so far, exit status 130 (default: 0)
        program: After `--`: any program and its arguments, unchanged. Its input, output, exit status and signals do
            not change. Processes that it starts are recorded, too
        program_output: Append what the program writes to this file; it reads nothing then
        python_stacks: Sample call stacks of Python only, which needs no kernel support (default: as --stacks), Hz
        range: Record only inside ranges (NVTX, ITT, record_function) with this name
        report: Also write the HTML report (default: false)
        stacks: Sample call stacks of native code and of Python at this rate per second (99 without a number; see xsp
            analyze flame_graph), Hz
        start_off: Record nothing before the first --toggle-signal (default: false)
        stream: Append spans, tracks, metrics and attributes to Parquet tables in this folder while the program runs
            (docs/otlp.md)
        toggle_signal: Signal that, sent to xsp, stops and starts recording; xsp does not forward it
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp record --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp record -- python3 train.py
        xsp record --stacks --report -- python3 serve.py
        xsp record --delay 60 --duration 10 --depth layer -- torchrun train.py
        xsp record --overhead 5 -- ./inference
        xsp record --otlp http://localhost:4318 --stream live -- python3 serve.py
        xsp record --cuda-metrics roofline,occupancy -- ./inference
    """
    document = perform("record", {
        "cuda_metrics": cuda_metrics,
        "delay": delay,
        "depth": depth,
        "duration": duration,
        "monitor_rate": monitor_rate,
        "name": name,
        "no_roofs": no_roofs,
        "otlp": otlp,
        "overhead": overhead,
        "program": listed(program),
        "program_output": program_output,
        "python_stacks": python_stacks,
        "range": range,
        "report": report,
        "stacks": stacks,
        "start_off": start_off,
        "stream": stream,
        "toggle_signal": toggle_signal,
    }, store=store, progress=progress)
    return cast("RecordResult", document)
