"""Attention computes its heads one by one in a loop. Repaired: batched products over all heads."""

import torch
from torch import nn

RULE = "many_small_operators"
GAIN = True


class Attention(nn.Module):
    def __init__(self, heads: int, size: int, repaired: bool):
        super().__init__()
        self.heads = heads
        self.size = size
        self.repaired = repaired
        self.projection = nn.Linear(heads * size, 3 * heads * size)
        self.output = nn.Linear(heads * size, heads * size)

    def forward(self, x):
        tokens = x.size(0)
        q, k, v = self.projection(x).view(tokens, 3, self.heads, self.size).permute(1, 2, 0, 3).unbind(0)
        scale = self.size ** -0.5
        if self.repaired:
            weights = torch.softmax(torch.matmul(q, k.transpose(1, 2)) * scale, -1)
            return self.output(torch.matmul(weights, v).permute(1, 0, 2).reshape(tokens, -1))
        results = []
        for i in range(self.heads):
            weights = torch.softmax(torch.matmul(q[i], k[i].transpose(0, 1)) * scale, -1)
            results.append(torch.matmul(weights, v[i]))
        return self.output(torch.cat(results, -1))


def build(folder, repaired):
    torch.manual_seed(1)
    layers = [Attention(32, 8, repaired) for _ in range(6)]
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "16x256",
            "--time-limit", "3", "--no-roofs"]
