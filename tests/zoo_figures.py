"""What zoo_test.py asks about models of the zoo, in a Python that has PyTorch. One line of JSON a model.

Usage: zoo_figures.py count|run NAME... | whole_tables
  count   parameters and FLOPs of one sample, without weights and without computing (meta tensors) where that works
  run     builds the model twice and runs it once: a hash of the weights each time, and its results
  whole_tables  parameters of dlrm whose tables have all their rows, without memory for them
"""
import hashlib
import json
import pathlib
import sys
import warnings

ZOO = pathlib.Path(__file__).resolve().parent.parent / "zoo"
sys.path.insert(0, str(ZOO / "makers" / "parts"))

import torch
import zoo_model
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

# Non-maximum suppression depends on values.
NEEDS_VALUES = {"faster_rcnn_resnet50", "mask_rcnn_resnet50"}
GATES = {nn.RNN: 1, nn.GRU: 3, nn.LSTM: 4}


def count(name):
    device = "cpu" if name in NEEDS_VALUES else "meta"
    with torch.device(device):
        model = zoo_model.load(ZOO / name)
    inputs = [x.to(device) for x in zoo_model.example(zoo_model.inputs(ZOO / name), 1)]
    recurrent = []
    for part in model.modules():
        if type(part) in GATES:
            part.register_forward_hook(lambda part, x, y: recurrent.append(recurrent_flops(part, x[0])))
    with torch.inference_mode(), FlopCounterMode(display=False) as counter:
        model(*inputs)
    # Without values PyTorch takes recurrent layers apart and counts the parts; with values they are one fused operator,
    # which it does not count.
    total, inside = counter.get_total_flops(), flops_inside(counter, model)
    if inside not in (0, sum(recurrent)):
        raise AssertionError(f"{name}: recurrent layers are {inside} FLOP for PyTorch, {sum(recurrent)} by the formula")
    return {"parameters": sum(p.numel() for p in model.parameters()), "flops": total - inside + sum(recurrent)}


def flops_inside(counter, model):
    """What PyTorch counted in recurrent layers."""
    names = {name for name, part in model.named_modules() if type(part) in GATES}
    return sum(sum(ops.values()) for module, ops in counter.get_flop_counts().items()
               if module.partition(".")[2] in names)


def recurrent_flops(layer, x):
    """2 x gates x (inputs + hidden) x hidden for each step, sample and direction."""
    directions, steps = (2 if layer.bidirectional else 1), x.shape[0] * x.shape[1]
    assert layer.num_layers == 1
    return 2 * GATES[type(layer)] * (layer.input_size + layer.hidden_size) * layer.hidden_size * directions * steps


def run(name):
    hashes = []
    for _ in range(2):
        model = zoo_model.load(ZOO / name)
        state = hashlib.sha256()
        for key, value in sorted(model.state_dict().items()):
            state.update(key.encode() + value.numpy().tobytes())
        hashes.append(state.hexdigest())
    with torch.inference_mode():
        results = model(*zoo_model.example(zoo_model.inputs(ZOO / name), 2))
    results = results if isinstance(results, tuple) else (results,)
    return {"hashes": hashes, "results": [
        {"shape": list(r.shape), "dtype": str(r.dtype).removeprefix("torch."), "finite": bool(r.isfinite().all()),
         "spread": float(r.double().std()), "largest": float(r.double().abs().max())} for r in results]}


def whole_tables():
    sys.path.insert(0, str(ZOO / "dlrm"))
    import model
    with torch.device("meta"):
        return {"parameters": sum(p.numel() for p in model.build(10 ** 9).parameters())}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "whole_tables":
        print(json.dumps(whole_tables()))
    # The fused encoder layer is one operator that PyTorch does not count.
    torch.backends.mha.set_fastpath_enabled(False)
    for name in sys.argv[2:]:
        figures = {"count": count, "run": run}[sys.argv[1]](name)
        print(json.dumps({"name": name, "manifest": zoo_model.manifest(ZOO / name), **figures}), flush=True)
