"""Images are normalised by five operators before a network. Repaired: folded into the weights of its first convolution."""

import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
TUNED = "Its tensors were made smaller after the first measurement."
# Memory that is returned to the system after each call costs page faults, which depend on how much is in use at once.
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}
MEAN = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)


class Normalise(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", MEAN)
        self.register_buffer("deviation", DEVIATION)

    def forward(self, x):
        x = x / 255.0
        x = x - self.mean
        x = x / self.deviation
        return x * 2.0 - 1.0


def build(folder, repaired):
    torch.manual_seed(1)
    # As a vision transformer begins: without padding, so that the normalisation can be part of the weights.
    patches = nn.Conv2d(3, 16, 16, stride=16)
    if repaired:
        with torch.no_grad():
            shift = -2.0 * MEAN / DEVIATION - 1.0
            patches.bias += (patches.weight * shift).sum((1, 2, 3))
            patches.weight *= 2.0 / (255.0 * DEVIATION)
    network = nn.Sequential(patches, nn.ReLU()) if repaired else nn.Sequential(Normalise(), patches, nn.ReLU())
    torch.jit.script(network.eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input",
            "2x3x512x512:range=0..255", "--time-limit", "3", "--no-roofs"]
