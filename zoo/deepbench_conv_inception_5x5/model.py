"""A convolution of DeepBench's training list: 16 of 14 x 14 x 512, 48 filters of 5 x 5."""
from torch import nn


def build():
    return nn.Conv2d(512, 48, (5, 5), stride=(1, 1), padding=(2, 2), bias=False)
