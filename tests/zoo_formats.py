"""Runs one file of a zoo model in the framework of its format and compares with PyTorch's results, for zoo_test.py.

Usage: zoo_formats.py reference FOLDER TENSORS.npz     in a Python with PyTorch: inputs and results of build()
       zoo_formats.py FORMAT FILE TENSORS.npz          in a Python with that framework: prints the differences
FORMAT: torchscript, onnx, tensorflow, mxnet. Prints JSON, for each result: the largest difference, its largest value.
"""
import json
import os
import pathlib
import sys

import numpy


def reference(folder, tensors):
    sys.path.insert(0, str(pathlib.Path(folder).parent / "makers" / "parts"))
    import torch
    import zoo_model
    torch.backends.mha.set_fastpath_enabled(False)
    described = zoo_model.inputs(folder)
    # Three samples: another number than the makers trace with.
    inputs = zoo_model.example(described, 3)
    with torch.inference_mode():
        results = zoo_model.load(folder)(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    names = [o["name"] for o in zoo_model.outputs(folder)]
    assert len(names) == len(results), f"{len(results)} results, and the manifest names {names}"
    numpy.savez(tensors, **{f"in {i} {d['name']}": x.numpy() for i, (d, x) in enumerate(zip(described, inputs))},
                **{f"out {i} {name}": r.numpy() for i, (name, r) in enumerate(zip(names, results))})


def torchscript(file, inputs):
    import torch
    with torch.inference_mode():
        results = torch.jit.load(file)(*(torch.from_numpy(x) for x in inputs.values()))
    return [r.numpy() for r in (results if isinstance(results, tuple) else (results,))]


def onnx(file, inputs):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"]).run(None, inputs)


def tensorflow(file, inputs):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow
    # Held, since its variables live no longer than it does.
    model = tensorflow.saved_model.load(file)
    results = model.signatures["serving_default"](**{k: tensorflow.constant(v) for k, v in inputs.items()})
    return [r.numpy() for r in results.values()]


def mxnet(file, inputs):
    import mxnet as mx
    symbol, arguments, states = mx.model.load_checkpoint(file, 0)
    executor = symbol.bind(mx.cpu(), {**arguments, **{k: mx.nd.array(v, dtype=v.dtype) for k, v in inputs.items()}},
                           aux_states=states, grad_req="null")
    return [r.asnumpy() for r in executor.forward(is_train=False)]


def main(what, file, tensors):
    if what == "reference":
        return reference(file, tensors)
    stored = numpy.load(tensors)
    expected = [stored[key] for key in stored if key.startswith("out ")]
    results = globals()[what](file, {key.split(" ", 2)[2]: stored[key] for key in stored if key.startswith("in ")})
    assert [r.shape for r in results] == [e.shape for e in expected], [r.shape for r in results]
    print(json.dumps([{"difference": float(numpy.abs(r.astype(float) - e).max()), "largest": float(numpy.abs(e).max())}
                      for r, e in zip(results, expected)]))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
