"""The convolutions of MobileNet v1 (Howard et al. 2017, arXiv:1704.04861, table 1)."""
from torch import nn

# Output channels and stride of the thirteen depthwise separable blocks.
SEPARABLE = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (512, 1), (512, 1),
             (512, 1), (1024, 2), (1024, 1)]


def normalised(inputs, outputs, kernel, stride, groups=1):
    """A convolution without bias, its batch normalisation and a ReLU6 (as in the published TensorFlow model)."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride=stride, padding=kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs), nn.ReLU6(inplace=True))


def separable(inputs, outputs, stride):
    return nn.Sequential(normalised(inputs, inputs, 3, stride, groups=inputs), normalised(inputs, outputs, 1, 1))


def features():
    """First convolution and the thirteen blocks, in order; the last has 1024 channels at 1/32 of the size."""
    blocks, channels = [normalised(3, 32, 3, 2)], 32
    for outputs, stride in SEPARABLE:
        blocks.append(separable(channels, outputs, stride))
        channels = outputs
    return nn.Sequential(*blocks)
