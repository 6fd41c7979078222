"""The cross-attention of a translation model is written out, with a mask that is added to the scores. Repaired: with
scaled_dot_product_attention and the same mask."""
import torch
from torch import nn

RULE = "unfused_attention"
GAIN = True
TUNED = "The gain counts a part of the two products since this fault was measured."
WIDTH, HEADS, WORDS, SOURCE = 512, 8, 128, 384


class CrossAttention(nn.Module):
    def __init__(self, is_fused):
        super().__init__()
        self.is_fused = is_fused
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.register_buffer("mask", torch.where(torch.arange(SOURCE) < SOURCE - 40, 0.0, -1e9).repeat(WORDS, 1))

    def forward(self, words, source):
        query, key, value = (part.view(part.size(0), part.size(1), HEADS, -1).transpose(1, 2)
                             for part in (self.query(words), self.key(source), self.value(source)))
        if self.is_fused:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=self.mask)
        else:
            scores = torch.matmul(query / (WIDTH // HEADS) ** 0.5, key.transpose(2, 3)) + self.mask
            mixed = torch.matmul(torch.softmax(scores, dim=-1), value)
        return words + self.output(mixed.transpose(1, 2).reshape(words.shape))


class Decoder(nn.Module):
    def __init__(self, is_fused):
        super().__init__()
        self.layers = nn.ModuleList([CrossAttention(is_fused) for _ in range(2)])

    def forward(self, words, source):
        for layer in self.layers:
            words = layer(words, source)
        return words


def build(folder, repaired):
    torch.manual_seed(0)
    model = Decoder(repaired).eval()
    with torch.no_grad():
        torch.jit.trace(model, (torch.randn(2, WORDS, WIDTH), torch.randn(2, SOURCE, WIDTH))).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"words=2x{WORDS}x{WIDTH}", "--input",
            f"source=2x{SOURCE}x{WIDTH}", "--time-limit", "3", "--no-roofs"]
