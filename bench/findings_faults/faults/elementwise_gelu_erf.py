"""The blocks of a vision transformer's perceptrons compute GELU with erf, as a model that was converted from another framework has it.
Repaired: `torch.nn.functional.gelu`."""
import math

import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class Perceptron(nn.Module):
    def __init__(self, width, fused):
        super().__init__()
        self.norm, self.up, self.down, self.fused = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width), fused

    def forward(self, x):
        inner = self.up(self.norm(x))
        inner = nn.functional.gelu(inner) if self.fused else inner * 0.5 * (1.0 + torch.erf(inner / math.sqrt(2.0)))
        return x + self.down(inner)


def build(folder, repaired):
    torch.manual_seed(1)
    model = nn.Sequential(*[Perceptron(96, repaired) for _ in range(4)]).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, 784, 96)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "2", "--input", "1x784x96", "--time-limit", "3", "--no-roofs"]
