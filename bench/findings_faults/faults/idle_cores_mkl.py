"""MKL_NUM_THREADS=1 and OMP_NUM_THREADS=1 come with the image of a container, and a language model's perceptrons run on one core. Repaired: as
many threads as cores."""
import os

RULE = "idle_cores"
GAIN = True


def SETTINGS(repaired):
    threads = str(len(os.sched_getaffinity(0)) if repaired else 1)
    return {"environment": {"MKL_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}}


def build(folder, repaired):
    import torch
    from torch import nn

    torch.manual_seed(1)
    layers = [nn.Sequential(nn.LayerNorm(768), nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768)) for _ in range(4)]
    with torch.no_grad():
        torch.jit.trace(nn.Sequential(*layers).eval(), torch.randn(128, 768)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--input", "128x768", "--time-limit", "3", "--no-roofs"]
