"""A decoder appends each token's keys and values to its cache with torch.cat, which copies the whole cache. Repaired: it
writes them into tensors that were allocated once."""
import torch
from torch import nn

from setting import half, size

RULE = "copied_tensors"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"

NEW = 4


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.joint, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, cache, used, is_kept):
        parts = self.joint(x).view(x.size(0), 1, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, new = parts[0], parts[1:]
        if is_kept:
            cache[:, :, :, used:used + 1] = new
            key, value = cache[:, :, :, :used + 1].unbind(0)
        else:
            cache = [torch.cat([old, one], 2) for old, one in zip(cache, new)]
            key, value = cache
        mixed = nn.functional.scaled_dot_product_attention(query, key, value)
        return x + self.output(mixed.transpose(1, 2).reshape(x.shape)), cache


class Decoder(nn.Module):
    def __init__(self, width, heads, layers, is_kept):
        super().__init__()
        self.is_kept = is_kept
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))

    def forward(self, x, caches, used):
        caches = list(caches)
        for token in range(NEW):
            for place, layer in enumerate(self.layers):
                x, caches[place] = layer(x, caches[place], used + token, self.is_kept)
        return x


def make(device, repaired):
    width, heads, layers, batch, used = size(1024, 32), size(16, 2), size(4, 2), size(16, 2), size(2048, 8)
    model = Decoder(width, heads, layers, repaired).eval().to(device, half(device))
    caches = []
    for _ in range(layers):
        cache = torch.randn(2, batch, heads, used + NEW, width // heads, device=device, dtype=half(device))
        caches.append(cache if repaired else [part[:, :, :used].contiguous() for part in cache])
    x = torch.randn(batch, 1, width, device=device, dtype=half(device))

    @torch.no_grad()
    def step():
        return model(x, caches, used)
    return step
