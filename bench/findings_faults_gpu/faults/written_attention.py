"""The attention of an encoder is written as product, scale, softmax and product. Repaired: scaled_dot_product_attention."""
import math

import torch
from torch import nn

from setting import half, size

RULE = "unfused_attention"
GAIN = True


class Attention(nn.Module):
    def __init__(self, width, heads, is_fused):
        super().__init__()
        self.heads, self.is_fused = heads, is_fused
        self.norm, self.joint, self.output = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        parts = self.joint(self.norm(x)).view(x.size(0), x.size(1), 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        if self.is_fused:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value)
        else:
            scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(query.size(-1))
            mixed = torch.matmul(scores.softmax(-1), value)
        return x + self.output(mixed.transpose(1, 2).reshape(x.shape))


def make(device, repaired):
    width = size(1024, 32)
    model = nn.Sequential(*(Attention(width, size(16, 2), repaired) for _ in range(4))).eval().to(device, half(device))
    x = torch.randn(size(4, 1), size(2048, 16), width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x)
    return step
