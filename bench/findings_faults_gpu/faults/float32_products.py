"""A feed-forward network in float32 with the default precision of products, which leaves the tensor cores unused. Repaired:
set_float32_matmul_precision("high"), which computes them in TF32."""
import torch
from torch import nn

from setting import size

RULE = "tensor_cores_unused"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"
METRICS = "roofline"


def make(device, repaired):
    width = size(2048, 32)
    model = nn.Sequential(*(layer for _ in range(size(4, 1)) for layer in (
        nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width)))).eval().to(device)
    x = torch.randn(size(2048, 4), width, device=device)

    @torch.no_grad()
    def step():
        # In each step, because both versions run in one process.
        torch.set_float32_matmul_precision("high" if repaired else "highest")
        return model(x)
    return step
