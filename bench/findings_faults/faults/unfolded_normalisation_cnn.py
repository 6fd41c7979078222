"""A CNN of narrow layers runs every batch normalisation after its convolution. Repaired: folded into the weights."""

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

RULE = "unfolded_normalisation"
GAIN = True
TUNED = "Its tensors were made smaller after the first measurement."
# Memory that is returned to the system after each call costs page faults, which depend on how much is in use at once.
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


def block(channels, outputs, kernel, repaired):
    convolution = nn.Conv2d(channels, outputs, kernel, padding=kernel // 2).eval()
    normalisation = nn.BatchNorm2d(outputs).eval()
    nn.init.uniform_(normalisation.running_mean, -0.5, 0.5)
    nn.init.uniform_(normalisation.running_var, 0.5, 2)
    if repaired:
        return [fuse_conv_bn_eval(convolution, normalisation), nn.ReLU(inplace=True)]
    return [convolution, normalisation, nn.ReLU(inplace=True)]


def build(folder, repaired):
    torch.manual_seed(1)
    layers = block(3, 16, 3, repaired)
    for _ in range(12):
        layers += block(16, 16, 1, repaired)
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x96x96",
            "--time-limit", "3", "--no-roofs"]
