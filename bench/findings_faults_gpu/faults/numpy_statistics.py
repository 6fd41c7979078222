"""Features are normalised with mean and deviation from NumPy, whose float64 makes all arithmetic float64 until a cast.
Repaired: the statistics are float32."""
import numpy
import torch
from torch import nn

from setting import size

RULE = "double_precision"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Normalised(nn.Module):
    def __init__(self, width, dtype):
        super().__init__()
        generator = numpy.random.default_rng(1)
        self.register_buffer("mean", torch.from_numpy(generator.normal(size=width)).to(dtype))
        self.register_buffer("deviation", torch.from_numpy(1 + generator.random(width)).to(dtype))
        self.output = nn.Linear(width, 64)

    def forward(self, x):
        x = ((x - self.mean) / self.deviation).clamp(-5, 5)
        return self.output((x * torch.sigmoid(x)).float())


def make(device, repaired):
    width = size(1024, 16)
    model = Normalised(width, torch.float32 if repaired else torch.float64).eval().to(device)
    x = torch.randn(size(65536, 8), width, device=device)

    @torch.no_grad()
    def step():
        return model(x)
    return step
