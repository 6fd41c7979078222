"""MobileNet v1 with width 1.0 at 224 (Howard et al. 2017, arXiv:1704.04861)."""
import pathlib
import sys

from torch import nn

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import mobilenet_v1
import weights

# The last one where the limits of a Clip are attributes, which is all that OpenCV 4.6 reads.
ONNX_OPSET = 10


def build():
    return weights.keep_size(nn.Sequential(*mobilenet_v1.features(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                                           nn.Linear(1024, 1000)))
