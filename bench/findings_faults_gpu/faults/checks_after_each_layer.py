"""A network checks the result of each layer for NaN, which the host has to read before it launches the next. Repaired: the
sum of the checks is read once, at the end."""
import torch
from torch import nn

from setting import half, size

RULE = "synchronising_copies"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Checked(nn.Module):
    def __init__(self, width, layers, is_late):
        super().__init__()
        self.is_late = is_late
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))

    def forward(self, x):
        found = []
        for layer in self.layers:
            x = layer(x).relu()
            bad = torch.isnan(x).any()
            if self.is_late:
                found.append(bad)
            elif bad:
                raise ValueError("NaN")
        if self.is_late and torch.stack(found).any():
            raise ValueError("NaN")
        return x


def make(device, repaired):
    width = size(2048, 32)
    model = Checked(width, size(32, 3), repaired).eval().to(device, half(device))
    x = torch.randn(size(1024, 4), width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x)
    return step
