"""The encoder of a T5 adds a learned bias of the relative position to the scores of an attention that is written out. Repaired:
scaled_dot_product_attention with the bias as its mask."""
import torch
from torch import nn

RULE = "unfused_attention"
GAIN = True
WIDTH, HEADS, TOKENS, BUCKETS = 512, 8, 384, 32


class Attention(nn.Module):
    def __init__(self, is_fused):
        super().__init__()
        self.is_fused = is_fused
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, x, bias):
        query, key, value = (part(x).view(x.size(0), TOKENS, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value))
        if self.is_fused:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=1.0)
        else:
            scores = torch.matmul(query, key.transpose(3, 2))
            scores = scores + bias
            mixed = torch.matmul(nn.functional.softmax(scores, dim=-1), value)
        return x + self.output(mixed.transpose(1, 2).reshape(x.shape))


class Encoder(nn.Module):
    def __init__(self, is_fused):
        super().__init__()
        self.table = nn.Embedding(BUCKETS, HEADS)
        distance = torch.arange(TOKENS)[None, :] - torch.arange(TOKENS)[:, None]
        bucket = torch.clamp((distance.abs().float() + 1).log2() * 1.8, max=BUCKETS // 2 - 1).long() + (distance > 0) * (BUCKETS // 2)
        self.register_buffer("bucket", bucket)
        self.layers = nn.ModuleList([Attention(is_fused) for _ in range(3)])

    def forward(self, x):
        bias = self.table(self.bucket).permute(2, 0, 1).unsqueeze(0).contiguous()
        for layer in self.layers:
            x = layer(x, bias)
        return x


def build(folder, repaired):
    torch.manual_seed(0)
    model = Encoder(repaired).eval()
    with torch.no_grad():
        for layer in model.layers:
            layer.query.weight *= 0.2
        torch.jit.trace(model, torch.randn(1, TOKENS, WIDTH)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"1x{TOKENS}x{WIDTH}", "--time-limit", "3",
            "--no-roofs"]
