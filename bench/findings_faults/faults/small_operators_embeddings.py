"""Every feature of a table has an embedding of its own. Repaired: one embedding with an offset for each feature."""

import torch
from torch import nn

RULE = "many_small_operators"
GAIN = True
FEATURES = 400
ROWS = 50
SIZE = 16


class Separate(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(ROWS, SIZE) for _ in range(FEATURES)])
        self.output = nn.Linear(FEATURES * SIZE, 8)

    def forward(self, x):
        results = []
        for i, table in enumerate(self.tables):
            results.append(table(x[:, i]))
        return self.output(torch.cat(results, 1))


class Joined(nn.Module):
    def __init__(self, separate: Separate):
        super().__init__()
        self.table = nn.Embedding(FEATURES * ROWS, SIZE)
        self.table.weight.data = torch.cat([table.weight.data for table in separate.tables])
        self.output = separate.output
        self.register_buffer("offsets", torch.arange(FEATURES) * ROWS)

    def forward(self, x):
        return self.output(self.table(x + self.offsets).flatten(1))


def build(folder, repaired):
    torch.manual_seed(1)
    model = Separate()
    torch.jit.script((Joined(model) if repaired else model).eval()).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input",
            f"8x{FEATURES}:int64:range=0..{ROWS - 1}", "--time-limit", "3", "--no-roofs"]
