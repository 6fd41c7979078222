"""A network converts its images from RGB to YUV by operators on each channel, and joins the results. Repaired: the conversion is linear, and is
folded into the weights of the first convolution."""
import torch
from torch import nn

RULE = "elementwise_chains"
GAIN = True
# Memory that is returned to the system after each call costs page faults, which depend on how much is in use at once.
SETTINGS = {"environment": {"MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "1073741824"}}


class Yuv(nn.Module):
    def forward(self, x):
        red, green, blue = x[:, 0:1], x[:, 1:2], x[:, 2:3]
        y = 0.299 * red + 0.587 * green + 0.114 * blue
        return torch.cat([y, 0.492 * (blue - y), 0.877 * (red - y)], 1)


def build(folder, repaired):
    torch.manual_seed(1)
    first = nn.Conv2d(3, 24, 8, stride=8)
    tail = [nn.ReLU(), nn.Conv2d(24, 48, 3, padding=1), nn.ReLU()]
    with torch.no_grad():
        if repaired:
            columns = [Yuv()(unit.view(1, 3, 1, 1)).view(3) for unit in torch.eye(3)]
            first.weight.copy_(torch.einsum("oyhw,yc->ochw", first.weight.clone(), torch.stack(columns, 1)))
            tail = [first, *tail]
        else:
            tail = [Yuv(), first, *tail]
        torch.jit.trace(nn.Sequential(*tail).eval(), torch.rand(1, 3, 512, 512)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x512x512", "--time-limit", "3", "--no-roofs"]
