"""A feed-forward network computes GELU with nine element-wise operators. Repaired: `torch.nn.functional.gelu`."""

import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
TUNED = "Its tensors were made smaller after the first measurement."
# Memory that is returned to the system after each call costs page faults, which depend on how much is in use at once.
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class WrittenOut(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


def build(folder, repaired):
    torch.manual_seed(1)
    layers = []
    for _ in range(3):
        activation = nn.GELU(approximate="tanh") if repaired else WrittenOut()
        layers += [nn.Linear(64, 256), activation, nn.Linear(256, 64)]
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "512x64",
            "--time-limit", "3", "--no-roofs"]
