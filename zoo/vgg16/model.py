"""VGG-16 as torchvision has it, without batch normalisation."""
import pathlib
import sys

import torchvision

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import weights


def build():
    return weights.keep_size(torchvision.models.vgg16(weights=None))
