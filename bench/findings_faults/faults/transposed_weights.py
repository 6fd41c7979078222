"""A recommender keeps its weights as another framework stores them, and each layer makes a contiguous transposed copy of them in each call.
Repaired: they are transposed once, when the model is built."""
import torch
from torch import nn

RULE = "copied_tensors"
GAIN = True


class Transposed(nn.Module):
    def __init__(self, inputs, outputs, once):
        super().__init__()
        weight = torch.randn(outputs, inputs) * 0.05
        self.once = once
        self.weight = nn.Parameter(weight.t().contiguous() if once else weight)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return torch.addmm(self.bias, x, self.weight if self.once else self.weight.t().contiguous())


def build(folder, repaired):
    torch.manual_seed(0)
    model = nn.Sequential(Transposed(256, 768, repaired), nn.ReLU(), Transposed(768, 768, repaired), nn.ReLU(), Transposed(768, 64, repaired)).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(16, 256)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "16x256", "--time-limit", "3", "--no-roofs"]
