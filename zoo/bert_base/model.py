"""BERT base, uncased (Devlin et al. 2019, arXiv:1810.04805): the encoder with its pooler."""
import torch
import torch.nn.functional as F
from torch import nn

LAYERS, WIDTH, HEADS, FEED_FORWARD = 12, 768, 12, 3072
VOCABULARY, POSITIONS, SEGMENTS = 30522, 512, 2


def of_each_head(x, heads: int = HEADS):
    """[batch, length, width] as [batch, heads, length, width / heads]."""
    return x.unflatten(2, [heads, -1]).transpose(1, 2)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x, bias):
        mixed = F.scaled_dot_product_attention(of_each_head(self.query(x)), of_each_head(self.key(x)),
                                               of_each_head(self.value(x)), attn_mask=bias)
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()
        self.after_attention = nn.LayerNorm(WIDTH, eps=1e-12)
        self.wider = nn.Linear(WIDTH, FEED_FORWARD)
        self.narrower = nn.Linear(FEED_FORWARD, WIDTH)
        self.after_feed_forward = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, bias):
        x = self.after_attention(x + self.attention(x, bias))
        return self.after_feed_forward(x + self.narrower(F.gelu(self.wider(x))))


class Bert(nn.Module):
    """From token numbers, mask (1: a token, 0: padding) and segment numbers, each int64 [batch, length], to the
    last layer [batch, length, 768] and the pooled first token [batch, 768]."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.segments = nn.Embedding(SEGMENTS, WIDTH)
        self.after_embedding = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pooler = nn.Linear(WIDTH, WIDTH)

    def forward(self, input_ids, attention_mask, token_type_ids):
        places = torch.arange(input_ids.size(1), device=input_ids.device)
        x = self.after_embedding(self.tokens(input_ids) + self.positions(places) + self.segments(token_type_ids))
        bias = (1.0 - attention_mask[:, None, None, :].to(x.dtype)) * -10000.0
        for layer in self.layers:
            x = layer(x, bias)
        return x, torch.tanh(self.pooler(x[:, 0]))


def build():
    model = Bert()
    for part in model.modules():
        if isinstance(part, (nn.Linear, nn.Embedding)):
            nn.init.normal_(part.weight, std=0.02)
        if isinstance(part, nn.Linear):
            nn.init.zeros_(part.bias)
    return model
