"""A detector writes the activation of its convolutions as its paper does: x / (1 + exp(-x)). Repaired: `torch.nn.functional.silu`."""
import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class WrittenOut(nn.Module):
    def forward(self, x):
        return x / (1.0 + torch.exp(-x))


def build(folder, repaired):
    torch.manual_seed(1)
    layers = []
    for inputs, outputs, stride in ((3, 16, 2), (16, 24, 1), (24, 32, 2)):
        layers += [nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1), nn.SiLU() if repaired else WrittenOut()]
    with torch.no_grad():
        torch.jit.trace(nn.Sequential(*layers).eval(), torch.rand(1, 3, 192, 192)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x192x192", "--time-limit", "3", "--no-roofs"]
