"""A detector with a feature pyramid is fetched out of its training loop and predicts without eval(): batch normalisation in the backbone and the
heads, dropout of whole channels before the boxes. Repaired: eval() before the first image."""
import sys

RULE = "training_mode"
GAIN = True
# The allocator keeps what it frees: page faults would be another cause of the same slowness.
SETTINGS = {"environment": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}

PROGRAM = """import torch
from torch import nn

torch.manual_seed(0)


def unit(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU())


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([unit(3, 16, 2), unit(16, 32, 2), unit(32, 48, 2)])
        self.lateral = nn.ModuleList([nn.Conv2d(size, 32, 1) for size in (16, 32, 48)])
        self.head = nn.Sequential(unit(32, 32), nn.Dropout2d(0.1))
        self.boxes, self.classes = nn.Conv2d(32, 4, 1), nn.Conv2d(32, 8, 1)

    def forward(self, images):
        maps = []
        for stage in self.stages:
            images = stage(images)
            maps.append(images)
        answers, above = [], None
        for features, lateral in zip(reversed(maps), reversed(self.lateral)):
            merged = lateral(features)
            if above is not None:
                merged = merged + nn.functional.interpolate(above, scale_factor=2.0)
            above = merged
            shared = self.head(merged)
            answers.append((self.boxes(shared), self.classes(shared)))
        return answers


detector = Detector()
{evaluation}
images = torch.rand(1, 3, 128, 128)
with torch.no_grad():
    for _ in range(120):
        detector(images)
"""


def build(folder, repaired):
    program = folder / "detect.py"
    program.write_text(PROGRAM.format(evaluation="detector.eval()" if repaired else "# As it came out of training."))
    return ["record", "--no-roofs", "--", sys.executable, str(program)]
