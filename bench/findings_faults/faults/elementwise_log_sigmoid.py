"""A model that ranks items by pairs returns log(sigmoid(x)) of every score, written out so that exp cannot overflow. Repaired:
`torch.nn.functional.logsigmoid`."""
import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class Ranking(nn.Module):
    def __init__(self, repaired):
        super().__init__()
        self.users, self.items, self.repaired = nn.Linear(32, 48), nn.Linear(32, 48), repaired

    def forward(self, x):
        scores = self.users(x) @ self.items(x).t()
        if self.repaired:
            return nn.functional.logsigmoid(scores)
        return -(torch.clamp(-scores, min=0.0) + torch.log(1.0 + torch.exp(-torch.abs(scores))))


def build(folder, repaired):
    torch.manual_seed(1)
    with torch.no_grad():
        torch.jit.trace(Ranking(repaired).eval(), torch.randn(600, 32)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "600x32", "--time-limit", "3", "--no-roofs"]
