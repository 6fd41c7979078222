"""DenseNet-121 as torchvision has it."""
import torchvision


def build():
    return torchvision.models.densenet121(weights=None)
