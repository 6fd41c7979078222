"""A transformer's author calls torch.nn.functional.dropout, whose default is that of training, so that eval() does not end it. Repaired: with
training=self.training."""
import torch
from torch import nn
from torch.nn import functional

RULE = "training_mode"
GAIN = True
WIDTH, HEADS, TOKENS = 192, 6, 96


class Block(nn.Module):
    def __init__(self, repaired):
        super().__init__()
        self.repaired = repaired
        self.norm, self.norm_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.projection, self.output = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wider, self.narrower = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def dropped(self, x):
        return functional.dropout(x, 0.1, training=self.training) if self.repaired else functional.dropout(x, 0.1)

    def forward(self, x):
        query, key, value = self.projection(self.norm(x)).view(x.size(0), x.size(1), 3 * HEADS, -1).transpose(1, 2).chunk(3, 1)
        mixed = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(x.shape)
        x = x + self.dropped(self.output(mixed))
        return x + self.dropped(self.narrower(self.dropped(functional.relu(self.wider(self.norm_2(x))))))


def build(folder, repaired):
    torch.manual_seed(0)
    model = nn.Sequential(*[Block(repaired) for _ in range(4)]).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(2, TOKENS, WIDTH), check_trace=False).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"2x{TOKENS}x{WIDTH}", "--time-limit", "3",
            "--no-roofs"]
