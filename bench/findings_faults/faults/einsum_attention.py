"""A vision transformer writes its attention with einsum, as many published models do. Repaired: with scaled_dot_product_attention."""
import torch
from torch import nn

RULE = "unfused_attention"
GAIN = True
WIDTH, HEADS, PATCHES = 256, 8, 400


class Block(nn.Module):
    def __init__(self, is_fused):
        super().__init__()
        self.is_fused = is_fused
        self.norm = nn.LayerNorm(WIDTH)
        self.projection = nn.Linear(WIDTH, 3 * WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        parts = self.projection(self.norm(x)).view(x.size(0), PATCHES, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        if self.is_fused:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value)
        else:
            scores = torch.einsum("bhid,bhjd->bhij", query, key) * (WIDTH // HEADS) ** -0.5
            mixed = torch.einsum("bhij,bhjd->bhid", scores.softmax(dim=-1), value)
        return x + self.output(mixed.transpose(1, 2).reshape(x.shape))


def build(folder, repaired):
    torch.manual_seed(0)
    model = nn.Sequential(*[Block(repaired) for _ in range(2)]).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(2, PATCHES, WIDTH)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"2x{PATCHES}x{WIDTH}", "--time-limit", "3",
            "--no-roofs"]
