"""SSD on MobileNet v1 at 300 x 300, as in the TensorFlow Object Detection API and MLPerf Inference.

Feature maps 19, 10, 5, 3, 2, 1; 3 boxes a place on the first and 6 on the others, 1917 in all; 91 classes
with the background; 1 x 1 heads. Without the non-maximum suppression at the end (see makers/blocks/ssd.py).
"""
import math
import pathlib
import sys

import torch
from torch import nn

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import mobilenet_v1
import ssd
import weights

# The last one where the limits of a Clip are attributes, which is all that OpenCV 4.6 reads.
ONNX_OPSET = 10

MAPS = [19, 10, 5, 3, 2, 1]
CHANNELS = [512, 1024, 512, 256, 256, 128]
CLASSES = 91


class SsdMobileNet(nn.Module):
    def __init__(self):
        super().__init__()
        layers = mobilenet_v1.features()
        # Up to the eleventh block, at 1/16 of the size; then to the end.
        self.early, self.late = layers[:12], layers[12:]
        self.extra = nn.ModuleList(
            nn.Sequential(mobilenet_v1.normalised(before, after // 2, 1, 1),
                          mobilenet_v1.normalised(after // 2, after, 3, 2))
            for before, after in zip(CHANNELS[1:], CHANNELS[2:]))
        shapes = box_shapes()
        self.heads = ssd.Heads(CHANNELS, [len(s) for s in shapes], CLASSES, 1, 1, ssd.default_boxes(MAPS, shapes))

    def forward(self, image):
        first = self.early(image)
        last = self.late(first)
        maps = [first, last]
        for layer in self.extra:
            last = layer(last)
            maps.append(last)
        return self.heads(maps)


def box_shapes():
    """Scales from 0.2 to 0.95 in equal steps; ratios 1, 2, 1/2, 3, 1/3 and a box between two scales; fewer
    on the first map."""
    scales = [0.2 + 0.75 * i / 5 for i in range(6)] + [1.0]
    shapes = [[ssd.shaped(0.1, 1), ssd.shaped(0.2, 2), ssd.shaped(0.2, 0.5)]]
    for scale, following in zip(scales[1:], scales[2:]):
        shapes.append([ssd.shaped(scale, ratio) for ratio in (1, 2, 1 / 2, 3, 1 / 3)]
                      + [ssd.shaped(math.sqrt(scale * following), 1)])
    return shapes


def build():
    return weights.keep_size(SsdMobileNet())
