"""AlexNet as torchvision has it: the single-GPU variant of Krizhevsky 2014."""
import pathlib
import sys

import torchvision

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import weights


def build():
    return weights.keep_size(torchvision.models.alexnet(weights=None))
