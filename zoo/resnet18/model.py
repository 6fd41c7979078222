"""ResNet-18 as torchvision has it."""
import torchvision


def build():
    return torchvision.models.resnet18(weights=None)
