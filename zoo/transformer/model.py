"""The base Transformer for translation (Vaswani et al. 2017, arXiv:1706.03762): encoder and decoder.

One forward pass of both over a whole target sentence, as in training or when scoring a translation.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

LAYERS, WIDTH, HEADS, FEED_FORWARD = 6, 512, 8, 2048
VOCABULARY = 37000  # Shared by both languages and the output (section 5.1).
LONGEST = 256


def of_each_head(x, heads: int = HEADS):
    """[batch, length, width] as [batch, heads, length, width / heads]."""
    return x.unflatten(2, [heads, -1]).transpose(1, 2)


class Attention(nn.Module):
    def __init__(self, causal: bool):
        super().__init__()
        self.causal = causal
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, x, memory):
        mixed = F.scaled_dot_product_attention(of_each_head(self.query(x)), of_each_head(self.key(memory)),
                                               of_each_head(self.value(memory)), is_causal=self.causal)
        return self.output(mixed.transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.wider = nn.Linear(WIDTH, FEED_FORWARD)
        self.narrower = nn.Linear(FEED_FORWARD, WIDTH)

    def forward(self, x):
        return self.narrower(F.relu(self.wider(x)))


class EncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention, self.feed_forward = Attention(causal=False), FeedForward()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x):
        x = self.norm1(x + self.attention(x, x))
        return self.norm2(x + self.feed_forward(x))


class DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention, self.across, self.feed_forward = Attention(causal=True), Attention(causal=False), FeedForward()
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x, memory):
        x = self.norm1(x + self.attention(x, x))
        x = self.norm2(x + self.across(x, memory))
        return self.norm3(x + self.feed_forward(x))


class Transformer(nn.Module):
    """From source and target token numbers, int64 [batch, length], to the logits of each target position's next
    token [batch, length, vocabulary]."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.encoder = nn.ModuleList(EncoderLayer() for _ in range(LAYERS))
        self.decoder = nn.ModuleList(DecoderLayer() for _ in range(LAYERS))
        self.scale = math.sqrt(WIDTH)
        self.register_buffer("places", sinusoids(), persistent=False)

    def embed(self, tokens):
        return self.tokens(tokens) * self.scale + self.places[:tokens.size(1)]

    def forward(self, source, target):
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, memory)
        return F.linear(x, self.tokens.weight)


def sinusoids():
    """Section 3.5 of the paper."""
    place = torch.arange(LONGEST)[:, None]
    angle = place / 10000 ** (torch.arange(0, WIDTH, 2) / WIDTH)
    return torch.stack([angle.sin(), angle.cos()], 2).flatten(1)


def build():
    model = Transformer()
    nn.init.normal_(model.tokens.weight, std=WIDTH ** -0.5)
    for part in model.modules():
        if isinstance(part, nn.Linear):
            nn.init.xavier_uniform_(part.weight)
    return model
