"""A mixture of experts runs each of its many small experts on all tokens, one after the other. Repaired: batched products over all experts."""
import torch
from torch import nn

RULE = "many_small_operators"
GAIN = True
EXPERTS, WIDTH, HIDDEN = 64, 32, 16


class Mixture(nn.Module):
    def __init__(self, repaired: bool):
        super().__init__()
        self.repaired = repaired
        self.gate = nn.Linear(WIDTH, EXPERTS)
        self.wider = nn.Parameter(torch.randn(EXPERTS, WIDTH, HIDDEN) * 0.1)
        self.narrower = nn.Parameter(torch.randn(EXPERTS, HIDDEN, WIDTH) * 0.1)

    def forward(self, x):
        weights = torch.softmax(self.gate(x), -1)
        if self.repaired:
            hidden = torch.relu(torch.matmul(x, self.wider))
            return x + torch.einsum("eth,te->th", torch.matmul(hidden, self.narrower), weights)
        total = torch.zeros_like(x)
        for expert in range(self.wider.size(0)):
            total = total + torch.relu(x @ self.wider[expert]) @ self.narrower[expert] * weights[:, expert:expert + 1]
        return x + total


def build(folder, repaired):
    torch.manual_seed(1)
    torch.jit.script(nn.Sequential(*[Mixture(repaired) for _ in range(3)]).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"8x{WIDTH}", "--time-limit", "3", "--no-roofs"]
