"""What the two region-based detectors of torchvision share."""
import torch
import torchvision
from torch import nn
from torchvision.models.detection.backbone_utils import _resnet_fpn_extractor
from torchvision.ops import FrozenBatchNorm2d

CLASSES = 91


def backbone():
    """ResNet-50 with a feature pyramid and frozen batch normalisation, as the published models have it."""
    resnet = torchvision.models.resnet50(weights=None, norm_layer=FrozenBatchNorm2d)
    # Frozen statistics of a trained network keep the values' size; those of a new one are 1 and would
    # let them double in every block.
    for part in resnet.modules():
        if isinstance(part, torchvision.models.resnet.Bottleneck):
            part.bn3.weight.fill_(0.25)
    return _resnet_fpn_extractor(resnet, 5)


def spread_scores(detector):
    """Random weights find everything equally likely, and no box would pass the score threshold of 0.05. With
    these, about a thousand candidates do, and the hundred best are kept, as in a crowded image."""
    nn.init.normal_(detector.roi_heads.box_predictor.cls_score.weight, std=0.5)
    return detector


class OneImage(nn.Module):
    """A detector that takes one image as a tensor [1, 3, height, width] with values from 0 to 1.

    Returns what was found in it: boxes [found, 4] in pixels, labels [found] and scores [found].
    """

    def __init__(self, detector):
        super().__init__()
        self.detector = detector

    def find(self, image: torch.Tensor) -> dict[str, torch.Tensor]:
        if torch.jit.is_scripting():
            # A scripted detector returns its losses too, which are empty outside training.
            return self.detector([image[0]])[1][0]
        return self.detector([image[0]])[0]

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        found = self.find(image)
        return found["boxes"], found["labels"], found["scores"]


class OneImageWithMasks(OneImage):
    """The same with a mask of the whole image for each thing found, [found, 1, height, width]."""

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        found = self.find(image)
        return found["boxes"], found["labels"], found["scores"], found["masks"]
