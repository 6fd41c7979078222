"""A loop multiplies each row of a batch by a matrix of its own. Repaired: one batched product."""

import torch
from torch import nn

RULE = "many_small_operators"
GAIN = True


class RowFilters(nn.Module):
    """A filter for every row, as hypernetworks and adaptive layers have it."""

    def __init__(self, size: int, repaired: bool):
        super().__init__()
        self.size = size
        self.repaired = repaired
        self.filters = nn.Linear(size, size * size)

    def forward(self, x):
        filters = self.filters(x).view(-1, self.size, self.size)
        if self.repaired:
            return torch.tanh(torch.bmm(filters, x.unsqueeze(2)).squeeze(2))
        rows = []
        for i in range(x.size(0)):
            rows.append(torch.tanh(torch.mv(filters[i], x[i])))
        return torch.stack(rows)


def build(folder, repaired):
    torch.manual_seed(1)
    layers = [RowFilters(12, repaired) for _ in range(4)]
    torch.jit.script(nn.Sequential(*layers).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "256x12",
            "--time-limit", "3", "--no-roofs"]
