"""SSD on ResNet-34 at 1200 x 1200, as in MLPerf Inference v0.5 (Reddi et al. 2020, arXiv:1911.02549).

ResNet-34 up to its third stage, which keeps 1/8 of the size; five more maps; heads that step by three
places, so that boxes stand on maps of 50, 25, 13, 7, 3, 3: 15130 of them. 81 classes with the background.
Without the non-maximum suppression at the end (see makers/blocks/ssd.py).
"""
import math
import pathlib
import sys

import torch
import torchvision
from torch import nn

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import ssd
import weights

MAPS = [50, 25, 13, 7, 3, 3]
CHANNELS = [256, 512, 512, 256, 256, 256]
CLASSES = 81
# In 300ths of the image, and the ratios beside 1 and its inverse, of each map.
SCALES = [21, 45, 99, 153, 207, 261, 315]
RATIOS = [[2], [2, 3], [2, 3], [2, 3], [2], [2]]


class SsdResNet34(nn.Module):
    def __init__(self):
        super().__init__()
        resnet = torchvision.models.resnet34(weights=None)
        resnet.layer3[0].conv1.stride = (1, 1)
        resnet.layer3[0].downsample[0].stride = (1, 1)
        self.backbone = nn.Sequential(resnet.conv1, resnet.bn1, resnet.relu, resnet.maxpool,
                                      resnet.layer1, resnet.layer2, resnet.layer3)
        self.extra = nn.ModuleList([smaller(256, 256, 512, 2, 1), smaller(512, 256, 512, 2, 1),
                                    smaller(512, 128, 256, 2, 1), smaller(256, 128, 256, 2, 0),
                                    smaller(256, 128, 256, 1, 0)])
        shapes = box_shapes()
        self.heads = ssd.Heads(CHANNELS, [len(s) for s in shapes], CLASSES, 3, 3, ssd.default_boxes(MAPS, shapes))

    def forward(self, image):
        last = self.backbone(image)
        maps = [last]
        for layer in self.extra:
            last = layer(last)
            maps.append(last)
        return self.heads(maps)


def smaller(before, between, after, stride, padding):
    return nn.Sequential(nn.Conv2d(before, between, 1), nn.ReLU(inplace=True),
                         nn.Conv2d(between, after, 3, stride=stride, padding=padding), nn.ReLU(inplace=True))


def box_shapes():
    shapes = []
    for scale, following, ratios in zip(SCALES, SCALES[1:], RATIOS):
        kinds = [ssd.shaped(scale / 300, 1), ssd.shaped(math.sqrt(scale * following) / 300, 1)]
        for ratio in ratios:
            kinds += [ssd.shaped(scale / 300, ratio), ssd.shaped(scale / 300, 1 / ratio)]
        shapes.append(kinds)
    return shapes


def build():
    model = SsdResNet34()
    weights.quiet_residuals(block.bn2 for stage in list(model.backbone)[4:] for block in stage)
    weights.keep_size(model.extra)
    weights.keep_size(model.heads)
    return model
