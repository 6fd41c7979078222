"""A CNN computes hard swish with four element-wise operators. Repaired: `torch.nn.functional.hardswish`."""

import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
TUNED = "Its tensors were made smaller after the first measurement."
# Memory that is returned to the system after each call costs page faults, which depend on how much is in use at once.
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class WrittenOut(nn.Module):
    def forward(self, x):
        return x * torch.clamp(x + 3.0, 0.0, 6.0) / 6.0


def build(folder, repaired):
    torch.manual_seed(1)
    layers = [nn.Conv2d(3, 16, 3, padding=1)]
    for _ in range(4):
        layers += [nn.Hardswish() if repaired else WrittenOut(), nn.Conv2d(16, 16, 1)]
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x128x128",
            "--time-limit", "3", "--no-roofs"]
