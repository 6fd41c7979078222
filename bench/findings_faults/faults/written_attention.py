"""The attention of a sentence encoder (MiniLM: 12 heads of 32, 512 tokens) is written as product, scale, softmax and
product. Repaired: with scaled_dot_product_attention."""
import math

import torch
from torch import nn

RULE = "unfused_attention"
GAIN = True
TUNED = "The gain counts a part of the two products since this fault was measured."

WIDTH, HEADS, TOKENS = 384, 12, 512


class Attention(nn.Module):
    def __init__(self, is_fused):
        super().__init__()
        self.is_fused = is_fused
        self.norm = nn.LayerNorm(WIDTH)
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)

    def heads(self, x):
        return x.view(x.size(0), x.size(1), HEADS, -1).transpose(1, 2)

    def forward(self, x):
        x = self.norm(x)
        query, key, value = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        if self.is_fused:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value)
        else:
            scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS)
            mixed = torch.matmul(scores.softmax(-1), value)
        return x + self.output(mixed.transpose(1, 2).reshape(x.shape))


def build(folder, repaired):
    torch.manual_seed(0)
    model = nn.Sequential(Attention(repaired), Attention(repaired)).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, TOKENS, WIDTH)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input",
            f"1x{TOKENS}x{WIDTH}", "--time-limit", "3", "--no-roofs"]
