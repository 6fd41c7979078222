"""GELU is written as in its paper, with tanh, as eight element-wise operators. Repaired: gelu(approximate="tanh")."""
import math

import torch
from torch import nn

from setting import half, size

RULE = "unfused_elementwise_kernels"
GAIN = True
METRICS = "roofline"


class Block(nn.Module):
    def __init__(self, width, is_fused):
        super().__init__()
        self.is_fused = is_fused
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        hidden = self.wide(x)
        if self.is_fused:
            hidden = nn.functional.gelu(hidden, approximate="tanh")
        else:
            hidden = 0.5 * hidden * (1 + torch.tanh(math.sqrt(2 / math.pi) * (hidden + 0.044715 * hidden * hidden * hidden)))
        return x + self.narrow(hidden)


def make(device, repaired):
    width = size(1024, 32)
    model = nn.Sequential(*(Block(width, repaired) for _ in range(4))).eval().to(device, half(device))
    x = torch.randn(size(8192, 8), width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x)
    return step
