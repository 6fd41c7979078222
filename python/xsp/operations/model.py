"""The operations `xsp model ...`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class ModelCheckResultProblems(TypedDict, total=False):
    column: int
    hint: str
    kind: Literal["error", "note"]
    line: int
    what: str


class ModelCheckResult(TypedDict, total=False):
    file: str
    #: Of a manifest without errors
    form: Literal["xsp", "mlmodelscope"]
    #: Of the model's files, in the manifest's order
    formats: List[str]
    #: Of a manifest without errors: what it means, in the long form
    manifest: Dict[str, Any]
    #: Whether none of the problems is an error
    ok: bool
    problems: List[ModelCheckResultProblems]


class ModelDescribeResult(TypedDict, total=False):
    #: What of the inputs was guessed
    guessed: List[str]
    manifest: Dict[str, Any]
    #: Why the model rejects what was guessed; empty: it does not
    refused: str
    #: The same as a file that `xsp run` takes
    yaml: str


def check(
    file: Union[Path, Sequence[Path]],
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[ModelCheckResult]:
    """Reports errors of a manifest with line and column, or prints what it means.

    Reads the store and changes nothing.

    Args:
        file: Manifests of XSP or of MLModelScope
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp model check --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp model check zoo/resnet50/manifest.yaml
    """
    document = perform("model/check", {
        "file": listed(file),
    }, store=store, progress=progress)
    return cast("List[ModelCheckResult]", document)


def describe(
    model: Path,
    *,
    backend: Optional[Union[str, Sequence[str]]] = None,
    input: Optional[Union[str, Sequence[str]]] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> ModelDescribeResult:
    """Prints a manifest for a model file: declared and guessed inputs.

    Reads the store and changes nothing.

    Args:
        model: A model file, or a name of the zoo
        backend: The framework that loads it (default: the file's own)
        input: As for `xsp run`: overrides the declarations in the file
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp model describe --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp model describe model.onnx > model.yaml && xsp run model.yaml
    """
    document = perform("model/describe", {
        "model": model,
        "backend": listed(backend),
        "input": listed(input),
    }, store=store, progress=progress)
    return cast("ModelDescribeResult", document)
