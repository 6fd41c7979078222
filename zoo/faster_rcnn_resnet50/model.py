"""Faster R-CNN with ResNet-50 and a feature pyramid, as torchvision has it, with all of its pre- and
post-processing: normalising and resizing to 800 pixels, proposals, non-maximum suppression."""
import pathlib
import sys

from torchvision.models.detection import FasterRCNN

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import rcnn


def build():
    return rcnn.OneImage(rcnn.spread_scores(FasterRCNN(rcnn.backbone(), rcnn.CLASSES)))
