"""The attention of a decoder is written with einsum, fills the scores of later tokens with -inf and computes the softmax in
float32. Repaired: scaled_dot_product_attention with is_causal."""
import torch
from torch import nn

from setting import half, size

RULE = "unfused_attention"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Block(nn.Module):
    def __init__(self, width, heads, tokens, is_fused):
        super().__init__()
        self.heads, self.is_fused = heads, is_fused
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.output, self.wide, self.narrow = nn.Linear(width, width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("later", torch.ones(tokens, tokens, dtype=torch.bool).triu(1))

    def forward(self, x):
        query, key, value = (part(x).view(x.size(0), x.size(1), self.heads, -1) for part in (self.query, self.key, self.value))
        if self.is_fused:
            mixed = nn.functional.scaled_dot_product_attention(
                query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), is_causal=True).transpose(1, 2)
        else:
            scores = torch.einsum("bqhd,bkhd->bhqk", query, key) * query.size(-1) ** -0.5
            weights = scores.masked_fill(self.later, float("-inf")).float().softmax(-1).to(value.dtype)
            mixed = torch.einsum("bhqk,bkhd->bqhd", weights, value)
        x = x + self.output(mixed.reshape(x.shape))
        return x + self.narrow(nn.functional.gelu(self.wide(x)))


def make(device, repaired):
    width, tokens = size(768, 32), size(1024, 16)
    model = nn.Sequential(*(Block(width, size(12, 2), tokens, repaired) for _ in range(size(6, 2)))).eval().to(device, half(device))
    x = torch.randn(size(4, 1), tokens, width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x)
    return step
