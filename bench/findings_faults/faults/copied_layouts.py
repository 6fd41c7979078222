"""The blocks of a convolutional network exchange channels-last tensors, and each convolution is wrapped in
permute().contiguous() to and from its own layout. Repaired: the tensors stay in the layout of the convolutions."""
import torch
from torch import nn

RULE = "copied_tensors"
GAIN = True
# The allocator keeps what it frees: page faults would be another cause of the same slowness.
SETTINGS = {"environment": {
    "MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}


class Block(nn.Module):
    """A convolution over single channels and one that mixes them, with a shortcut."""

    def __init__(self, channels, is_wrapped):
        super().__init__()
        self.is_wrapped = is_wrapped
        self.convolution = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)
        self.mixing = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        y = x.permute(0, 3, 1, 2).contiguous() if self.is_wrapped else x
        y = torch.relu(self.mixing(torch.relu(self.convolution(y))))
        return x + (y.permute(0, 2, 3, 1).contiguous() if self.is_wrapped else y)


class Network(nn.Module):
    def __init__(self, is_wrapped):
        super().__init__()
        self.is_wrapped = is_wrapped
        self.stem = nn.Conv2d(3, 64, 4, stride=4)
        self.blocks = nn.Sequential(*[Block(64, is_wrapped) for _ in range(6)])

    def forward(self, images):
        x = self.stem(images)
        if self.is_wrapped:
            x = x.permute(0, 2, 3, 1).contiguous()
        x = self.blocks(x)
        return x.mean((1, 2) if self.is_wrapped else (2, 3))


def build(folder, repaired):
    torch.manual_seed(0)
    model = Network(not repaired).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.rand(1, 3, 224, 224)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x224x224",
            "--time-limit", "3", "--no-roofs"]
