"""Each layer makes its constants on the host and copies them to the device in every call (torch.tensor(..., device=...)).
Repaired: they are buffers of the module."""
import torch
from torch import nn

from setting import half, size

RULE = "synchronising_copies"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Scaled(nn.Module):
    def __init__(self, width, is_kept):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.values = [1 + 0.001 * channel for channel in range(16)]
        self.is_kept = is_kept
        self.register_buffer("scale", torch.tensor(self.values))

    def forward(self, x):
        x = self.linear(x)
        scale = self.scale if self.is_kept else torch.tensor(self.values, device=x.device, dtype=x.dtype)
        return (x.view(x.size(0), 16, -1) * scale.view(1, 16, 1)).view(x.shape).relu()


def make(device, repaired):
    width = size(2048, 32)
    model = nn.Sequential(*(Scaled(width, repaired) for _ in range(size(32, 3)))).eval().to(device, half(device))
    x = torch.randn(size(1024, 4), width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x)
    return step
