#!/usr/bin/env python3
"""Makes the ResNet-50 of torchvision with random weights, as a TorchScript file. No network needed.

Usage: make.py FILE
"""
import sys
import warnings

import torch
import torchvision


def build():
    # The work does not depend on the values, so the weights need not be trained ones.
    torch.manual_seed(0)
    model = torchvision.models.resnet50(weights=None).eval()
    # Scripted, not traced: the operators keep the names that a Python user sees (aten::conv2d, where
    # a trace has aten::_convolution).
    return torch.jit.script(model)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    # PyTorch announces that TorchScript will be replaced; this file is about TorchScript.
    warnings.simplefilter("ignore", FutureWarning)
    build().save(sys.argv[1])
