"""Grouped-query attention repeats its 4 heads of keys and values to 32 with repeat_interleave, a copy, before it attends to a
long cache. Repaired: enable_gqa, which reads each head where it is."""
import torch
from torch import nn

from setting import half, size

RULE = "copied_tensors"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Attention(nn.Module):
    def __init__(self, width, heads, groups, is_shared):
        super().__init__()
        self.heads, self.times, self.is_shared = heads, heads // groups, is_shared
        self.query, self.output = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x, key, value):
        query = self.query(x).view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)
        if self.is_shared:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value, enable_gqa=True)
        else:
            mixed = nn.functional.scaled_dot_product_attention(
                query, key.repeat_interleave(self.times, 1), value.repeat_interleave(self.times, 1))
        return x + self.output(mixed.transpose(1, 2).reshape(x.shape))


class Decoder(nn.Module):
    def __init__(self, layers, *arguments):
        super().__init__()
        self.layers = nn.ModuleList(Attention(*arguments) for _ in range(layers))

    def forward(self, x, caches):
        for layer, (key, value) in zip(self.layers, caches):
            x = layer(x, key, value)
        return x


def make(device, repaired):
    width, heads, groups, layers = size(4096, 32), size(32, 4), size(4, 2), size(4, 2)
    batch, tokens = size(8, 1), size(4096, 8)
    model = Decoder(layers, width, heads, groups, repaired).eval().to(device, half(device))
    caches = [torch.randn(2, batch, groups, tokens, width // heads, device=device, dtype=half(device)) for _ in range(layers)]
    x = torch.randn(batch, size(32, 2), width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x, caches)
    return step
