"""A detector's convolutions are followed by a Mish activation as its paper writes it: x tanh(log(1 + exp(x))). Repaired:
`torch.nn.functional.mish`."""
import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
TUNED = "The gain of chains with many page faults, which this one has not, was changed since it was measured."
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class WrittenOut(nn.Module):
    def forward(self, x):
        return x * torch.tanh(torch.log(1.0 + torch.exp(x)))


def build(folder, repaired):
    torch.manual_seed(1)
    layers = []
    for inputs, outputs in ((3, 24), (24, 24), (24, 24)):
        layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.Mish() if repaired else WrittenOut()]
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x80x80", "--time-limit", "3", "--no-roofs"]
