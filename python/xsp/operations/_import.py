"""The operation `xsp import`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class ImportResultDiagnostics(TypedDict, total=False):
    count: int
    hint: str
    name: str


class ImportResultInputs(TypedDict, total=False):
    file: str
    format: str


class ImportResult(TypedDict, total=False):
    diagnostics: List[ImportResultDiagnostics]
    inputs: List[ImportResultInputs]
    #: Files of no known format
    passed_over: List[str]
    reference_runs: str
    #: Path of the experiment
    run: str
    #: Number of spans by level
    spans: Dict[str, Any]
    #: With timing: wall and CPU seconds
    times: Dict[str, Any]


def import_(
    file: Union[Path, Sequence[Path]],
    *,
    device: Optional[str] = None,
    keep_files: Optional[bool] = None,
    model: Optional[str] = None,
    name: Optional[str] = None,
    reference: Optional[Path] = None,
    roofs: Optional[Path] = None,
    timing: Optional[bool] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> ImportResult:
    """Imports the output of a profiler into the store.

    Changes the store or writes files; measures nothing.

    Args:
        file: Files of one execution, or folders of them; formats:
            chrome: Chrome trace events of any program, JSON or gzip: ranges by thread
            kineto: PyTorch profiler (Kineto) trace, JSON or gzip; several files: ranks
            nvidia_smi_dmon: Log of `nvidia-smi dmon -o DT`: series of GPUs, alone or beside a trace
            otlp: Traces of OpenTelemetry (OTLP as JSON or protobuf), also those that XSP exported
            span_list: Span list, one span a line (text)
            xsp_recording: Recordings of XSP's own recorder and workers (.xspr)
        device: Take the roofs from the data sheet of this GPU or CPU, if the files do not name their device or name
            an unknown one
        keep_files: Copy the files into the run's attachments (default: false)
        model: Name of the model (default: the name in the files, else the first file's name)
        name: Name of the experiment in the store (default: the first file's)
        reference: A run whose operators explain the graphs that these files replay (default: the newest runs of the
            same model, if its name is known and nothing in the files explains them)
        roofs: Take the roofs from this file, which `xsp system --format json` wrote on the machine where the files
            were recorded
        timing: Print on standard error the wall and CPU seconds of each step (steps run concurrently: inflating and
            storing while reading), and the peak of memory so far (default: false)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp import --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp import worker.xspr --name mine
    """
    document = perform("import", {
        "file": listed(file),
        "device": device,
        "keep_files": keep_files,
        "model": model,
        "name": name,
        "reference": reference,
        "roofs": roofs,
        "timing": timing,
    }, store=store, progress=progress)
    return cast("ImportResult", document)
