"""A small decoder-only language model: the architecture of Llama in the size of SmolLM2-135M (Allal et al. 2025,
arXiv:2502.02737). Grouped queries, rotary positions, gated feed-forward, RMS normalisation, tied output.

The cache is two tensors, keys and values, [layers, batch, key heads, length, head width].
"""
import torch
import torch.nn.functional as F
from torch import nn

LAYERS, WIDTH, HEADS, KEY_HEADS, FEED_FORWARD = 30, 576, 9, 3, 1536
VOCABULARY, LONGEST, ROTARY_BASE = 49152, 2048, 100000.0
HEAD = WIDTH // HEADS


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(2, keepdim=True) + 1e-5))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = Norm(), Norm()
        self.query = nn.Linear(WIDTH, HEADS * HEAD, bias=False)
        self.key = nn.Linear(WIDTH, KEY_HEADS * HEAD, bias=False)
        self.value = nn.Linear(WIDTH, KEY_HEADS * HEAD, bias=False)
        self.output = nn.Linear(HEADS * HEAD, WIDTH, bias=False)
        self.gate = nn.Linear(WIDTH, FEED_FORWARD, bias=False)
        self.up = nn.Linear(WIDTH, FEED_FORWARD, bias=False)
        self.down = nn.Linear(FEED_FORWARD, WIDTH, bias=False)

    def feed_forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = Norm()
        angle = torch.outer(torch.arange(LONGEST), ROTARY_BASE ** (-torch.arange(0, HEAD, 2) / HEAD))
        self.register_buffer("cos", torch.cat([angle, angle], 1).cos(), persistent=False)
        self.register_buffer("sin", torch.cat([angle, angle], 1).sin(), persistent=False)

    def logits(self, x):
        return F.linear(self.norm(x), self.tokens.weight)


class Prefill(Model):
    """Reads a whole prompt, int64 [batch, length]: the logits of the token that follows [batch, vocabulary], and the
    cache."""

    def forward(self, tokens):
        length = tokens.size(1)
        cos, sin = self.cos[:length], self.sin[:length]
        x = self.tokens(tokens)
        keys: list[torch.Tensor] = []
        values: list[torch.Tensor] = []
        for layer in self.layers:
            y = layer.norm1(x)
            key, value = turned(of_each_head(layer.key(y)), cos, sin), of_each_head(layer.value(y))
            query = turned(of_each_head(layer.query(y)), cos, sin)
            mixed = F.scaled_dot_product_attention(query, for_all_heads(key), for_all_heads(value), is_causal=True)
            x = x + layer.output(mixed.transpose(1, 2).flatten(2))
            x = x + layer.feed_forward(layer.norm2(x))
            keys.append(key)
            values.append(value)
        return self.logits(x[:, -1:]).squeeze(1), torch.stack(keys), torch.stack(values)


class Decode(Model):
    """Reads one more token, int64 [batch, 1], after those in the cache: the logits of the token that follows [batch,
    vocabulary], and the cache with this one."""

    def forward(self, token, past_keys, past_values):
        place = past_keys.size(3)
        cos, sin = self.cos[place:place + 1], self.sin[place:place + 1]
        x = self.tokens(token)
        keys: list[torch.Tensor] = []
        values: list[torch.Tensor] = []
        for i, layer in enumerate(self.layers):
            y = layer.norm1(x)
            key = torch.cat([past_keys[i], turned(of_each_head(layer.key(y)), cos, sin)], 2)
            value = torch.cat([past_values[i], of_each_head(layer.value(y))], 2)
            query = turned(of_each_head(layer.query(y)), cos, sin)
            mixed = F.scaled_dot_product_attention(query, for_all_heads(key), for_all_heads(value))
            x = x + layer.output(mixed.transpose(1, 2).flatten(2))
            x = x + layer.feed_forward(layer.norm2(x))
            keys.append(key)
            values.append(value)
        return self.logits(x).squeeze(1), torch.stack(keys), torch.stack(values)


def of_each_head(x, width: int = HEAD):
    """[batch, length, heads * width] as [batch, heads, length, width]."""
    return x.unflatten(2, [-1, width]).transpose(1, 2)


def turned(x, cos, sin):
    """x with its places: each pair of values of a head turned by an angle that grows with the place."""
    first, second = x.chunk(2, 3)
    return x * cos + torch.cat([-second, first], 3) * sin


def for_all_heads(x, times: int = HEADS // KEY_HEADS):
    """Each key head serves several query heads."""
    return x.repeat_interleave(times, dim=1)


def initialised(model):
    for part in model.modules():
        if isinstance(part, (nn.Linear, nn.Embedding)):
            nn.init.normal_(part.weight, std=0.04)
    return model
