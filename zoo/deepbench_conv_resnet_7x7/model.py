"""A convolution of DeepBench's inference list: 1 of 224 x 224 x 3, 64 filters of 7 x 7."""
from torch import nn


def build():
    return nn.Conv2d(3, 64, (7, 7), stride=(2, 2), padding=(3, 3), bias=False)
