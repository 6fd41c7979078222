"""A convolution of DeepBench's inference list: 4 of 700 x 161 x 1, 32 filters of 20 x 5."""
from torch import nn


def build():
    return nn.Conv2d(1, 32, (5, 20), stride=(2, 2), padding=(0, 0), bias=False)
