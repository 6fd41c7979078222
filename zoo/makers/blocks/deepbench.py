"""The kernels of DeepBench (github.com/baidu-research/DeepBench) as models of one layer. The folders
deepbench_* name some shapes of its public lists; the batch size is part of the shape."""
import torch
from torch import nn


class Gemm(nn.Module):
    """A constant m x k matrix times the input, k x n."""

    def __init__(self, m, k):
        super().__init__()
        self.left = nn.Parameter(torch.randn(m, k) * k ** -0.5)

    def forward(self, right):
        return torch.mm(self.left, right)


class Recurrent(nn.Module):
    """All steps of one layer [steps, batch, width], without its last state."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0]


def recurrent(cell, width):
    """cell: vanilla, lstm or gru, in the words of DeepBench's list; inputs are as wide as the hidden state."""
    kind = {"vanilla": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}[cell]
    return Recurrent(kind(width, width))
