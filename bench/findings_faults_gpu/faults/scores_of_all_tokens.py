"""A language model copies the scores of all its tokens to the host, where those of the last one are read. Repaired: only these
are copied."""
import torch
from torch import nn

from setting import half, size

RULE = "exposed_transfers"
GAIN = True


class Head(nn.Module):
    def __init__(self, width, words, is_last):
        super().__init__()
        self.is_last = is_last
        self.body = nn.Sequential(*(layer for _ in range(size(6, 1)) for layer in (nn.Linear(width, width), nn.GELU())))
        self.head = nn.Linear(width, words)

    def forward(self, x):
        scores = self.head(self.body(x))
        return scores[-1].cpu() if self.is_last else scores.cpu()[-1]


def make(device, repaired):
    width = size(4096, 32)
    model = Head(width, size(32000, 64), repaired).eval().to(device, half(device))
    x = torch.randn(size(256, 4), width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x)
    return step
