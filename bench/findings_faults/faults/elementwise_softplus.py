"""A radiance field writes the activation between its layers out so that exp cannot overflow: max(x, 0) + log(1 + exp(-|x|)). Repaired:
`torch.nn.functional.softplus`."""
import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
TUNED = "The gain counts half of the chain's arithmetic since it was measured."
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class WrittenOut(nn.Module):
    def forward(self, x):
        return torch.clamp(x, min=0.0) + torch.log(1.0 + torch.exp(-torch.abs(x)))


def build(folder, repaired):
    torch.manual_seed(1)
    layers = []
    for inputs in (6, 128, 128):
        layers += [nn.Linear(inputs, 128), nn.Softplus() if repaired else WrittenOut()]
    with torch.no_grad():
        torch.jit.trace(nn.Sequential(*layers, nn.Linear(128, 4)).eval(), torch.randn(2048, 6)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "2048x6", "--time-limit", "3", "--no-roofs"]
