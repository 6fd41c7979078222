#!/usr/bin/env python3
"""Makes a network of three convolutions and a linear layer with random weights, as a TorchScript file.

Usage: make.py FILE
"""
import sys
import warnings

import torch
from torch import nn


def build():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Conv2d(32, 32, 3, stride=2, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))
    return torch.jit.script(model.eval())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    # PyTorch announces that TorchScript will be replaced; this file is about TorchScript.
    warnings.simplefilter("ignore", FutureWarning)
    build().save(sys.argv[1])
