"""A text classifier is traced without eval(), so that its dropout layers draw random numbers in each call. Repaired: it
is traced after eval()."""
import torch
from torch import nn

RULE = "training_mode"
GAIN = True

WIDTH = 256


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Dropout(0.1),
            nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1))

    def forward(self, x):
        return x + self.layers(x)


def build(folder, repaired):
    torch.manual_seed(0)
    model = nn.Sequential(*[Block() for _ in range(4)])
    if repaired:
        model.eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, 128, WIDTH), check_trace=False).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"1x128x{WIDTH}",
            "--time-limit", "3", "--no-roofs"]
