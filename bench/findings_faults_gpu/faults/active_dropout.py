"""Predictions of an encoder without `model.eval()`: its dropout layers draw random numbers. Repaired: eval()."""
import torch
from torch import nn

from setting import half, size

RULE = "training_mode"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"
SAME = False  # Random by its nature.


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.wide, self.narrow = nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        hidden = self.drop(nn.functional.gelu(self.wide(self.drop(self.norm(x)))))
        return x + self.drop(self.narrow(hidden))


def make(device, repaired):
    width = size(512, 32)
    model = nn.Sequential(*(Block(width) for _ in range(size(12, 2)))).train(not repaired).to(device, half(device))
    x = torch.randn(size(16384, 8), width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x)
    return step
