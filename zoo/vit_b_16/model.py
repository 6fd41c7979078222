"""ViT-B/16 as torchvision has it."""
import torchvision
from torch import nn


def build():
    model = torchvision.models.vit_b_16(weights=None)
    # torchvision starts with a head of zeros, for fine-tuning: every result would be 0.
    nn.init.normal_(model.heads.head.weight, std=model.hidden_dim ** -0.5)
    return model
