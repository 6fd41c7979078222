"""Depthwise-separable blocks run both batch normalisations after their convolutions. Repaired: folded into the weights."""

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

RULE = "unfolded_normalisation"
GAIN = True
TUNED = "Its tensors were made smaller after the first measurement."
# Memory that is returned to the system after each call costs page faults, which depend on how much is in use at once.
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


def block(channels, repaired):
    layers = []
    for convolution in (nn.Conv2d(channels, channels, 3, padding=1, groups=channels), nn.Conv2d(channels, channels, 1)):
        normalisation = nn.BatchNorm2d(channels).eval()
        nn.init.uniform_(normalisation.running_mean, -0.5, 0.5)
        nn.init.uniform_(normalisation.running_var, 0.5, 2)
        if repaired:
            layers += [fuse_conv_bn_eval(convolution.eval(), normalisation)]
        else:
            layers += [convolution.eval(), normalisation]
        layers += [nn.ReLU6(inplace=True)]
    return layers


def build(folder, repaired):
    torch.manual_seed(1)
    layers = [layer for _ in range(10) for layer in block(32, repaired)]
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x32x40x40",
            "--time-limit", "3", "--no-roofs"]
