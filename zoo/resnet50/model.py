"""ResNet-50 v1.5 as torchvision has it: the stride is in the 3x3 convolution."""
import torchvision


def build():
    return torchvision.models.resnet50(weights=None)
