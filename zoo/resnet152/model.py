"""ResNet-152 as torchvision has it: the stride is in the 3x3 convolution."""
import pathlib
import sys

import torchvision

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import weights


def build():
    model = torchvision.models.resnet152(weights=None)
    weights.quiet_residuals(part.bn3 for part in model.modules()
                            if isinstance(part, torchvision.models.resnet.Bottleneck))
    return model
