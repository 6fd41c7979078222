"""What single shot detectors share (Liu et al. 2016, arXiv:1512.02325): heads, default boxes, decoding.

Removing overlapping boxes (non-maximum suppression) is left to whoever uses the boxes: it is a step of
post-processing with thresholds of its own, and not in every framework.
"""
import itertools
import math

import torch
from torch import nn


class Heads(nn.Module):
    """One convolution for offsets and one for classes on every feature map.

    channels, boxes: of each feature map, its channels and its default boxes a place.
    default_boxes: all of them as (centre x, centre y, width, height) in parts of the image, in the order
    map, row, column, box.
    """

    def __init__(self, channels, boxes, classes, kernel, stride, default_boxes):
        super().__init__()
        self.classes, self.count = classes, len(default_boxes)
        options = {"kernel_size": kernel, "stride": stride, "padding": kernel // 2}
        self.offsets = nn.ModuleList(nn.Conv2d(c, n * 4, **options) for c, n in zip(channels, boxes))
        self.scores = nn.ModuleList(nn.Conv2d(c, n * classes, **options) for c, n in zip(channels, boxes))
        self.register_buffer("default_centre", default_boxes[:, :2].clone(), persistent=False)
        self.register_buffer("default_size", default_boxes[:, 2:].clone(), persistent=False)

    def forward(self, maps: list[torch.Tensor]):
        """Boxes [batch, boxes, 4] as (left, top, right, bottom) in parts of the image, and the probability of
        each class [batch, boxes, classes]."""
        offsets: list[torch.Tensor] = []
        scores: list[torch.Tensor] = []
        for i, (offset, score) in enumerate(zip(self.offsets, self.scores)):
            offsets.append(offset(maps[i]).permute(0, 2, 3, 1).flatten(1))
            scores.append(score(maps[i]).permute(0, 2, 3, 1).flatten(1))
        moved = torch.cat(offsets, 1).reshape(-1, self.count, 4)
        # 0.1 and 0.2 are the paper's variances (its reference program has them, not its text).
        centre = moved[:, :, :2] * 0.1 * self.default_size + self.default_centre
        half = torch.exp(moved[:, :, 2:] * 0.2) * self.default_size * 0.5
        probabilities = torch.softmax(torch.cat(scores, 1).reshape(-1, self.count, self.classes), 2)
        return torch.cat([centre - half, centre + half], 2), probabilities


def default_boxes(sizes, shapes):
    """The default boxes of square feature maps.

    sizes: rows of each map. shapes: for each map the (width, height) of its boxes in parts of the image.
    """
    boxes = []
    for size, kinds in zip(sizes, shapes):
        for row, column in itertools.product(range(size), repeat=2):
            boxes += [((column + 0.5) / size, (row + 0.5) / size, w, h) for w, h in kinds]
    return torch.tensor(boxes)


def shaped(scale, ratio):
    """Width and height of a box of the area scale^2 with width / height = ratio."""
    return scale * math.sqrt(ratio), scale / math.sqrt(ratio)
