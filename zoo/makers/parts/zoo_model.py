"""A model of the zoo as a PyTorch module, the same for every maker: same architecture, same weights.

A model's folder holds model.py with build(), and manifest.yaml with the inputs.
"""
import importlib.util
import pathlib
import sys

import torch

SEED = 0


def load(folder):
    """The module that model.py of `folder` builds, with seeded weights, ready for inference."""
    program = pathlib.Path(folder) / "model.py"
    spec = importlib.util.spec_from_file_location("zoo_model_" + program.parent.name, program)
    module = importlib.util.module_from_spec(spec)
    # A script's classes are looked up by their module's name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    # The work does not depend on the values, so the weights need not be trained ones.
    torch.manual_seed(SEED)
    return module.build().eval()


def setting(folder, name, otherwise):
    """What model.py of `folder`, which load() has run, says under a name for makers."""
    return getattr(sys.modules["zoo_model_" + (pathlib.Path(folder) / "model.py").parent.name], name, otherwise)


def manifest(folder):
    """What manifest.yaml of `folder` says, as plain Python values."""
    import yaml  # Only those who need the manifest need it.
    with open(pathlib.Path(folder) / "manifest.yaml", encoding="utf-8") as file:
        return yaml.safe_load(file)


def inputs(folder):
    """The manifest's inputs: a list of maps with name, dtype, shape and, where given, range and fill."""
    return manifest(folder)["inputs"]


def outputs(folder):
    """The manifest's outputs: a list of maps with name and, where given, dtype and shape."""
    return manifest(folder).get("outputs", [])


def example(described, batch):
    """Seeded tensors for inputs as inputs() describes them, `batch` samples long."""
    generator = torch.Generator().manual_seed(SEED)
    return tuple(_tensor(item, batch, generator) for item in described)


def _tensor(item, batch, generator):
    dtype = getattr(torch, item["dtype"])
    shape = [batch if size == "batch" else size for size in item["shape"]]
    fill = item.get("fill")
    if fill in ("ones", "zeros"):
        return torch.full(shape, 1 if fill == "ones" else 0, dtype=dtype)
    if dtype.is_floating_point:
        make = torch.rand if fill == "uniform" else torch.randn
        return make(shape, generator=generator).to(dtype)
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator, dtype=torch.uint8).to(dtype)
    low, high = item.get("range", (0, 100))
    return torch.randint(low, high, shape, generator=generator, dtype=dtype)
