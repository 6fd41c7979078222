"""An unchanged program predicts with a convolutional network that is in training mode, so that batch normalisation
computes its statistics from each batch. Repaired: the program calls eval()."""
import sys

RULE = "training_mode"
GAIN = True
TUNED = "The share of batch normalisation in the gain was chosen after this operator had been measured."
# The allocator keeps what it frees: page faults would be another cause of the same slowness.
SETTINGS = {"environment": {
    "MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}

PROGRAM = """import torch
from torch import nn

torch.manual_seed(0)


def block(channels):
    return nn.Sequential(
        nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
        nn.Conv2d(channels, channels, 1, bias=False), nn.BatchNorm2d(channels), nn.ReLU())


model = nn.Sequential(nn.Conv2d(3, 32, 3, stride=2, padding=1), *[block(32) for _ in range(6)])
{evaluation}
images = torch.rand(2, 3, 80, 80)
with torch.no_grad():
    for _ in range(200):
        model(images)
"""


def build(folder, repaired):
    program = folder / "predict.py"
    program.write_text(PROGRAM.format(evaluation="model.eval()" if repaired else "# The mode is that of training."))
    return ["record", "--", sys.executable, str(program)]
