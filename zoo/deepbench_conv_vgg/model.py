"""A convolution of DeepBench's inference list: 1 of 56 x 56 x 128, 256 filters of 3 x 3."""
from torch import nn


def build():
    return nn.Conv2d(128, 256, (3, 3), stride=(1, 1), padding=(1, 1), bias=False)
