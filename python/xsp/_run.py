"""xsp.run, load and list."""
from __future__ import annotations

import os
import pathlib
import sys
import tempfile
import warnings
from typing import TYPE_CHECKING, Any, List, Optional, Sequence

from xsp import operations
from xsp._comparison import Comparison
from xsp._errors import UsageError
from xsp._experiment import Experiment
from xsp._model_objects import NATIVE, batch_of, is_object, write
from xsp._perform import Path, Progress, ProgressStep, listed
from xsp._table import Column, Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from xsp.operations._run import RunOptions


def run(model: Any, inputs: Any = None, *, store: Optional[Path] = None, progress: Optional[Progress] = None,
        **options: Unpack[RunOptions]) -> Experiment:
    """Measures a model at several levels and batch sizes, and stores the experiment.

    Args:
        model: A model file, a manifest, a name of the zoo, or an object: a torch.nn.Module, a Keras model, an
            onnx.ModelProto. An object is written into a temporary folder for the time of the measurement.
        inputs: An example of what the object is called with: for a torch.nn.Module a tensor, a tuple, or a dict by the
            names of forward's arguments; for an onnx.ModelProto arrays, if its inputs do not say enough. Its first size is
            the batch size, and the default of `batch`.
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with each step, such as xsp.show_progress.
        **options: Those of `xsp run`, with underscores: see xsp.operations.run. `against` may be an object, too, called
            with the same `inputs`.

    Returns:
        The stored experiment. Where a part failed its status is `partial`, `failures` has the reasons, and a warning is
        given. With `against` or `against_setting` its `comparison` says how it compares with the other side, `against`.

    Raises:
        XspError: with kind, message and hint.
    """
    if options.get("plan"):
        raise UsageError("run() measures: it has no plan to return", "xsp.operations.run(model, plan=True) returns the plan.")
    against = options.get("against")
    models = [model] if against is None else [model, against]
    for one in models:
        if not is_object(one) and not isinstance(one, (str, os.PathLike)):
            write(one, inputs, [], pathlib.Path())  # Says what a model is.
    if not any(is_object(one) for one in models):
        if inputs is not None:
            raise UsageError("inputs are for a model that is an object", 'For a file: input="Nx3x224x224" (docs/models.md).')
        return _measured(model, store, progress, options)
    if options.get("batch") is None and batch_of(inputs) is not None:
        options["batch"] = [batch_of(inputs) or 1]
    backends: List[str] = listed(options.get("backend")) or [NATIVE]
    others = [str(one).partition("=")[2] for one in listed(options.get("against_setting")) or [] if str(one).startswith("backend=")]
    with tempfile.TemporaryDirectory(prefix="xsp-model-") as folder:
        if is_object(model):
            # Without another model both sides read this one.
            model = write(model, inputs, [*backends, *(others if against is None else [])], _made(folder, "model"))
        if is_object(against):
            options["against"] = write(against, inputs, others or backends, _made(folder, "against"))
        return _measured(model, store, progress, options)


def _made(parent: str, name: str) -> pathlib.Path:
    folder = pathlib.Path(parent, name)
    folder.mkdir()
    return folder


def _measured(model: Path, store: Optional[Path], progress: Optional[Progress], options: RunOptions) -> Experiment:
    document = operations.run(model, store=store, progress=progress, **options)
    against = document.get("against")
    failures = document.get("failures", [])
    of_other = against.get("failures", []) if against else []
    for side, failed in (("", failures), ("against: ", of_other)):
        for failure in failed:
            warnings.warn(f"{side}{failure.get('what')} ({failure.get('hint')})", RuntimeWarning, stacklevel=3)
    experiment = Experiment(document["experiment"], store, failures)
    if against:
        experiment.against = Experiment(against["experiment"], store, of_other)
        experiment.comparison = Comparison(document["comparison"])
    return experiment


def load(path_or_name: Path = "latest", *, store: Optional[Path] = None) -> Experiment:
    """Opens an experiment or run: a directory, a name in the store, EXPERIMENT/RUN, or `latest`.

    Errors: BadInputError (there is none of this name), UsageError (no name).
    """
    if not isinstance(path_or_name, (str, os.PathLike)):
        raise UsageError(f"not a name or path of an experiment: {path_or_name!r}", "xsp.load() opens the latest.")
    shown = operations.show(path_or_name, store=store)
    experiment = Experiment(shown["path"], store)
    experiment.document = shown
    return experiment


def list_experiments(*, tag: Optional[Sequence[str]] = None, sweep: Optional[str] = None,
                     store: Optional[Path] = None) -> Table:
    """The experiments in the store: a row for each, with name, model, backend, created, status, runs and tags."""
    rows = operations.list(tag=tag, sweep=sweep, store=store)
    names = ["name", "model", "backend", "created", "status", "runs", "tags"]
    return Table([dict(row) for row in rows], [Column(name) for name in names])


def import_trace(files: Any, *, name: Optional[str] = None, model: Optional[str] = None, store: Optional[Path] = None,
                 progress: Optional[Progress] = None) -> Experiment:
    """Imports the files of a profiler, those of one execution (docs/imported-traces.md)."""
    document = operations.import_(files, name=name, model=model, store=store, progress=progress)
    return Experiment(document["run"], store)


def show_progress(step: ProgressStep) -> None:
    """Prints one line about a step on standard error: `xsp.run(model, progress=xsp.show_progress)`."""
    remaining = f", about {step.remaining_s:.0f} s left" if step.remaining_s is not None else ""
    print(f"{step.fraction:4.0%} {step.step}{remaining}", file=sys.stderr, flush=True)
