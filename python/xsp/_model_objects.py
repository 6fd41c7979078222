"""Models that are objects of a framework: written as files for the time of one measurement.

A manifest (docs/manifests.md) beside the files says what the inputs are, so that nothing is guessed.
"""
from __future__ import annotations

import json
import pathlib
import sys
import warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple

from xsp._errors import BadInputError, UsageError
from xsp._optional import need

_DTYPES = {"float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"}
#: The backend of the object's own framework.
NATIVE = ""
# Backends that read what PyTorch writes, by format; all others read ONNX.
_READS_TORCHSCRIPT = {NATIVE, "torch"}
_OPSET = 17


def is_object(model: Any) -> bool:
    """Whether `model` is one that write() takes."""
    return _writer_of(model) is not None


def write(model: Any, inputs: Any, backends: Sequence[str], folder: pathlib.Path) -> pathlib.Path:
    """Writes `model` and its manifest into `folder`; returns the path of the manifest, or of a file that needs none.

    `inputs`: an example of what the model is called with. `backends`: those that will read it.
    Errors: UsageError (inputs are missing), BadInputError (it cannot be exported), NotPossibleError (a package).
    """
    writer = _writer_of(model)
    if writer is None:
        raise UsageError(f"not a model: {type(model).__name__}",
                         "Give a file, a name of the zoo, a torch.nn.Module, a Keras model or an onnx.ModelProto.")
    return writer(model, inputs, backends, folder)


def batch_of(inputs: Any) -> Optional[int]:
    """The batch size of an example: the first size that all its arrays share; None: there is none."""
    sizes = {tuple(value.shape)[0] for value in _flat(inputs) if getattr(value, "shape", None) is not None and len(value.shape)}
    return int(sizes.pop()) if len(sizes) == 1 else None


def _flat(inputs: Any) -> List[Any]:
    if inputs is None:
        return []
    if isinstance(inputs, Mapping):
        return list(inputs.values())
    return list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]


def _writer_of(model: Any) -> Optional[Callable[[Any, Any, Sequence[str], pathlib.Path], pathlib.Path]]:
    # A model of a framework that was not imported is none: nothing is imported to find out.
    torch, keras, onnx = (sys.modules.get(name) for name in ("torch", "keras", "onnx"))
    if torch is not None and hasattr(torch, "nn") and isinstance(model, torch.nn.Module):
        return _write_torch
    if onnx is not None and hasattr(onnx, "ModelProto") and isinstance(model, onnx.ModelProto):
        return _write_onnx
    if keras is not None and hasattr(keras, "Model") and isinstance(model, keras.Model):
        return _write_keras
    return None


def _name_of(text: str) -> str:
    kept = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._+-") else "_" for letter in text)
    return kept if kept[:1].isalnum() else "model" + kept


def _manifest(folder: pathlib.Path, name: str, files: Mapping[str, str], inputs: Sequence[Mapping[str, Any]]) -> pathlib.Path:
    path = folder / "manifest.yaml"
    # JSON is YAML.
    path.write_text(json.dumps({"name": _name_of(name), "files": {kind: {"file": file} for kind, file in files.items()},
                                "inputs": list(inputs)}), encoding="utf-8")
    return path


def _described(name: str, value: Any, batch: Optional[int]) -> Dict[str, Any]:
    """An input of the manifest for an example, an array of PyTorch or NumPy."""
    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
        raise UsageError(f"an example of the inputs is no array: {name} is a {type(value).__name__}",
                         "Give an array, a tuple of arrays, or a dict of them by the names of the inputs.")
    kind = str(value.dtype).replace("torch.", "")
    if kind not in _DTYPES:
        raise BadInputError(f"an input has a type that no backend takes: {name} is {kind}", "Cast it.")
    sizes: List[Any] = list(value.shape)
    if sizes and sizes[0] == batch:
        sizes[0] = "batch"
    made: Dict[str, Any] = {"name": name, "dtype": kind, "shape": sizes}
    if 0 in sizes or not kind.startswith(("int", "uint")):
        return made
    low, high = int(value.min()), int(value.max())
    # The values decide what an embedding or a mask does: those of the example.
    return {**made, "value": low} if low == high else {**made, "range": [low, high + 1]}


def _arguments(torch: Any, model: Any, inputs: Any) -> Tuple[List[str], Tuple[Any, ...]]:
    """Names and values, in the order of forward's arguments. Errors: UsageError."""
    import inspect

    if inputs is None:
        raise UsageError("a model of PyTorch needs an example of its inputs",
                         "xsp.run(model, torch.randn(1, 3, 224, 224)), or a tuple, or a dict by the names of arguments.")
    if isinstance(model, torch.jit.ScriptModule):
        names = [argument.name for argument in model.forward.schema.arguments if argument.name != "self"]
    else:
        names = [name for name, one in inspect.signature(model.forward).parameters.items()
                 if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if isinstance(inputs, Mapping):
        unknown = [name for name in inputs if name not in names]
        given = [name for name in names if name in inputs]
        if unknown or given != names[:len(given)]:
            what = f"forward has no argument {unknown[0]}" if unknown else f"an argument before {given[-1]} has no example"
            raise UsageError(what, f"Its arguments: {', '.join(names)}.")
        return given, tuple(inputs[name] for name in given)
    values = tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,)
    if len(values) > len(names):  # forward(*args) names none.
        names += [f"input_{at}" for at in range(len(names), len(values))]
    return names[:len(values)], values


def _write_torch(model: Any, inputs: Any, backends: Sequence[str], folder: pathlib.Path) -> pathlib.Path:
    torch = need("torch", "a model of PyTorch")
    names, values = _arguments(torch, model, inputs)
    batch = batch_of(values)
    formats: Set[str] = {"torchscript" if backend in _READS_TORCHSCRIPT else "onnx" for backend in backends}
    if "all" in backends:
        formats = {"torchscript", "onnx"}
    values = tuple(torch.tensor(value) if isinstance(value, (bool, int, float)) else value for value in values)
    described = [_described(name, value, batch) for name, value in zip(names, values)]
    modes = [(module, module.training) for module in model.modules()]  # Some of a model may be frozen.
    model.eval()
    files: Dict[str, str] = {}
    try:
        # PyTorch announces that TorchScript and this exporter will be replaced; what it says of traces is kept.
        with torch.no_grad(), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            if "torchscript" in formats:
                _save_script(torch, model, values, folder / "model.pt")
                files["torchscript"] = "model.pt"
            if "onnx" in formats:
                _export_onnx(torch, model, names, values, batch, folder / "model.onnx")
                files["onnx"] = "model.onnx"
    finally:
        for module, trains in modes:
            module.training = trains
    _warn_of_fixed_values([one for one in said if issubclass(one.category, torch.jit.TracerWarning)])
    return _manifest(folder, getattr(model, "original_name", None) or type(model).__name__, files, described)


def _warn_of_fixed_values(said: Sequence[warnings.WarningMessage]) -> None:
    """`said`: what PyTorch's tracer warned of. A size that the model takes as a number is that of the example for ever."""
    if said:
        places = sorted({f"{pathlib.Path(one.filename).name}:{one.lineno}" for one in said})
        shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
        warnings.warn(f"the model was traced, and values of the example are fixed in it ({shown}): other batch sizes and inputs "
                      "may fail or be measured wrongly", RuntimeWarning, stacklevel=2)


def _save_script(torch: Any, model: Any, values: Tuple[Any, ...], path: pathlib.Path) -> None:
    """Scripted, not traced: operators keep the names that a user sees. What cannot be scripted is traced."""
    if isinstance(model, torch.jit.ScriptModule):
        model.save(str(path))
        return
    try:
        torch.jit.script(model).save(str(path))  # Some that can be scripted cannot be saved.
        return
    except Exception:
        pass
    try:
        torch.jit.trace(model, values).save(str(path))
    except Exception as error:
        raise BadInputError(f"the model can be neither scripted nor traced: {_first_line(error)}",
                            "Does model(*inputs) run? backend=\"onnxruntime\" exports ONNX instead.") from error


def _export_onnx(torch: Any, model: Any, names: List[str], values: Tuple[Any, ...], batch: Optional[int],
                 path: pathlib.Path) -> None:
    need("onnx", "a model of PyTorch on a backend that reads ONNX")
    axes = {name: {0: "batch"} for name, value in zip(names, values) if value.dim() and value.shape[0] == batch}
    try:
        # The exporter that follows the modules names nodes by them: layers can be identified across frameworks.
        torch.onnx.export(model, values, str(path), dynamo=False, opset_version=_OPSET, input_names=names,
                          training=torch.onnx.TrainingMode.PRESERVE, dynamic_axes=axes)
    except Exception as error:
        raise BadInputError(f"the model cannot be exported as ONNX: {_first_line(error)}",
                            "Does model(*inputs) run? backend=\"torch\" needs no ONNX.") from error


def _write_onnx(model: Any, inputs: Any, backends: Sequence[str], folder: pathlib.Path) -> pathlib.Path:
    onnx = need("onnx", "a model of ONNX")
    path = folder / f"{_name_of(model.graph.name or 'model')}.onnx"
    try:
        onnx.save(model, str(path))
    except Exception as error:  # Over 2 GB: weights into a file beside it. Saving so takes them out of the model.
        copied = onnx.ModelProto()
        copied.CopyFrom(model)
        try:
            onnx.save(copied, str(path), save_as_external_data=True, location="weights.bin")
        except Exception:
            raise BadInputError(f"the model cannot be written as ONNX: {_first_line(error)}", "") from error
    if inputs is None:
        return path
    weights = {weight.name for weight in model.graph.initializer}
    names = [one.name for one in model.graph.input if one.name not in weights]
    examples = inputs if isinstance(inputs, Mapping) else dict(zip(names, _flat(inputs)))
    if set(examples) != set(names):
        raise UsageError(f"examples of {len(examples)} inputs for a model with {len(names)}",
                         f"Give one for each of: {', '.join(names)}.")
    batch = batch_of(inputs)
    return _manifest(folder, path.stem, {"onnx": path.name}, [_described(name, examples[name], batch) for name in names])


def _write_keras(model: Any, inputs: Any, backends: Sequence[str], folder: pathlib.Path) -> pathlib.Path:
    if "tensorflow" not in sys.modules:
        raise BadInputError("only Keras models with the backend TensorFlow can be exported",
                            "Set KERAS_BACKEND=tensorflow before Keras is imported.")
    if inputs is not None:
        raise UsageError("a Keras model knows its inputs: it takes no example", 'batch=[1, 8] and input="..." set sizes that are open.')
    path = folder / _name_of(model.name)
    try:
        if hasattr(model, "export"):
            try:
                model.export(str(path), format="tf_saved_model", verbose=False)
            except TypeError:  # Keras before 3.
                model.export(str(path))
        else:
            model.save(str(path))
    except Exception as error:
        raise BadInputError(f"the model cannot be exported as a SavedModel: {_first_line(error)}",
                            "Is it built? Call it once with an example.") from error
    return path


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
