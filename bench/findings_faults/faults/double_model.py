"""A model is saved after .double(), left from a comparison of gradients, and computes in float64 throughout.
Repaired: it is saved in float32."""
import torch
from torch import nn

RULE = "double_precision"
GAIN = True


class Recommender(nn.Module):
    """Perceptron over the features of an item, with normalisation."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.LayerNorm(256), nn.Linear(256, 1024), nn.GELU(), nn.LayerNorm(1024), nn.Linear(1024, 1024), nn.GELU(),
            nn.LayerNorm(1024), nn.Linear(1024, 64))

    def forward(self, items):
        return self.layers(items.to(self.layers[1].weight.dtype))


def build(folder, repaired):
    torch.manual_seed(0)
    model = Recommender().eval()
    if not repaired:
        model = model.double()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(128, 256)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "128x256",
            "--time-limit", "3", "--no-roofs"]
