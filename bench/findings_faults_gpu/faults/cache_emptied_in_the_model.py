"""Each block of a network calls torch.cuda.empty_cache() "against running out of memory", so that the next one has to
allocate again. Repaired: the allocator keeps its memory."""
import torch
from torch import nn

from setting import size

RULE = "idle_device"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Block(nn.Module):
    def __init__(self, channels, empties):
        super().__init__()
        self.empties = empties
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        x = x + self.second(self.first(x).relu())
        if self.empties:
            torch.cuda.empty_cache()
        return x


def make(device, repaired):
    channels = size(64, 8)
    model = nn.Sequential(*(Block(channels, not repaired) for _ in range(size(8, 2)))).eval().to(device)
    images = torch.randn(size(16, 2), channels, size(56, 8), size(56, 8), device=device)

    @torch.no_grad()
    def step():
        return model(images)
    return step
