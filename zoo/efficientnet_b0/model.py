"""EfficientNet-B0 as torchvision has it."""
import pathlib
import sys

import torchvision

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "makers" / "blocks"))
import weights


def build():
    model = torchvision.models.efficientnet_b0(weights=None)
    # E[silu(x)^2] = 0.356 for normal x. No activation comes before the first convolution of a block and the last of
    # all, and the gates of squeeze and excitation halve what comes before the last convolution of a block. That is made up
    # for in part: fully, values would grow from block to block, and rounding with them.
    silu = 1 / 0.356
    weights.keep_size(model, gain=silu)
    model.features[-1][0].weight.data.mul_(silu ** -0.5)
    for block in model.modules():
        if isinstance(block, torchvision.models.efficientnet.MBConv):
            block.block[0][0].weight.data.mul_(silu ** -0.5)
            block.block[-1][0].weight.data.mul_(1.4)
    return model
