"""A residual network for small images runs its batch normalisations after their convolutions. Repaired: folded into the weights."""
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

RULE = "unfolded_normalisation"
GAIN = True
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class Block(nn.Module):
    def __init__(self, channels, repaired):
        super().__init__()
        self.first, self.second = normalised(channels, channels, repaired), normalised(channels, channels, repaired)

    def forward(self, x):
        return torch.relu_(self.second(torch.relu_(self.first(x))) + x)


def normalised(inputs, outputs, repaired):
    convolution, normalisation = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False).eval(), nn.BatchNorm2d(outputs).eval()
    nn.init.uniform_(normalisation.running_mean, -0.5, 0.5)
    nn.init.uniform_(normalisation.running_var, 0.5, 2)
    return fuse_conv_bn_eval(convolution, normalisation) if repaired else nn.Sequential(convolution, normalisation)


def build(folder, repaired):
    torch.manual_seed(1)
    model = nn.Sequential(normalised(3, 16, repaired), *[Block(16, repaired) for _ in range(9)]).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.rand(4, 3, 32, 32)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "4x3x32x32", "--time-limit", "3", "--no-roofs"]
