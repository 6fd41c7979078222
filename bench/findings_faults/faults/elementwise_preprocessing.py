"""Images are normalised by five operators before a network. Repaired: one addcmul with constants computed once."""

import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
# Memory that is returned to the system after each call costs page faults, which depend on how much is in use at once.
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class Normalise(nn.Module):
    def __init__(self, repaired: bool):
        super().__init__()
        self.repaired = repaired
        mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
        std = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.register_buffer("scale", 2.0 / (255.0 * std))
        self.register_buffer("shift", -2.0 * mean / std - 1.0)

    def forward(self, x):
        if self.repaired:
            return torch.addcmul(self.shift, x, self.scale)
        x = x / 255.0
        x = x - self.mean
        x = x / self.std
        return x * 2.0 - 1.0


def build(folder, repaired):
    torch.manual_seed(1)
    network = nn.Sequential(Normalise(repaired), nn.Conv2d(3, 8, 8, stride=8), nn.ReLU())
    torch.jit.script(network.eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input",
            "4x3x512x512:range=0..255", "--time-limit", "3", "--no-roofs"]
