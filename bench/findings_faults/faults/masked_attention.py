"""A decoder computes causal attention written out, with masked_fill on the scores. Repaired: with
scaled_dot_product_attention(is_causal=True)."""
import torch
from torch import nn

RULE = "unfused_attention"
GAIN = True
TUNED = "The gain counts a part of the two products since this fault was measured."

WIDTH, HEADS, TOKENS = 384, 12, 512


class Decoder(nn.Module):
    """Attention of a GPT, with one projection for query, key and value."""

    def __init__(self, is_fused):
        super().__init__()
        self.is_fused = is_fused
        self.norm = nn.LayerNorm(WIDTH)
        self.projection = nn.Linear(WIDTH, 3 * WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("future", torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1))

    def forward(self, x):
        parts = self.projection(self.norm(x)).view(x.size(0), TOKENS, 3 * HEADS, -1).transpose(1, 2)
        query, key, value = parts.chunk(3, 1)
        if self.is_fused:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            scores = torch.matmul(query, key.transpose(-1, -2)) * (WIDTH // HEADS) ** -0.5
            weights = scores.masked_fill(self.future, float("-inf")).softmax(-1)
            mixed = torch.matmul(weights, value)
        return x + self.output(mixed.transpose(1, 2).reshape(x.shape))


def build(folder, repaired):
    torch.manual_seed(0)
    model = nn.Sequential(Decoder(repaired), Decoder(repaired)).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, TOKENS, WIDTH)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input",
            f"1x{TOKENS}x{WIDTH}", "--time-limit", "3", "--no-roofs"]
