"""Activations are quantised and restored by six operators. Repaired: `torch.fake_quantize_per_tensor_affine`."""

import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True


class FakeQuantise(nn.Module):
    def __init__(self, repaired: bool):
        super().__init__()
        self.repaired = repaired

    def forward(self, x):
        if self.repaired:
            return torch.fake_quantize_per_tensor_affine(x, 0.0625, 3, -128, 127)
        x = x / 0.0625
        x = torch.round(x)
        x = x + 3.0
        x = torch.clamp(x, -128.0, 127.0)
        x = x - 3.0
        return x * 0.0625


def build(folder, repaired):
    torch.manual_seed(1)
    layers = []
    for _ in range(4):
        layers += [nn.Linear(64, 64), FakeQuantise(repaired)]
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "8192x64",
            "--time-limit", "3", "--no-roofs"]
