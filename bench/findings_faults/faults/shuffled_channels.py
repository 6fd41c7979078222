"""A mobile network shuffles the channels of each block by view, transpose and contiguous (ShuffleNet). Repaired: the order of the channels is that
of the weights of the two convolutions that follow, the first of single channels, the second of all."""
import torch
from torch import nn

RULE = "copied_tensors"
GAIN = True
# The allocator keeps what it frees: page faults would be another cause of the same slowness.
SETTINGS = {"environment": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}
CHANNELS, GROUPS = 96, 4


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.is_shuffled = True
        self.squeeze = nn.Conv2d(CHANNELS, CHANNELS, 1, groups=GROUPS)
        self.depthwise = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, groups=CHANNELS)
        self.mix = nn.Conv2d(CHANNELS, CHANNELS, 1)

    def move_shuffle_into_weights(self):
        # Channel i of the shuffled tensor is channel `order[i]` of the tensor before.
        order = torch.arange(CHANNELS).view(GROUPS, -1).t().reshape(-1)
        back = torch.argsort(order)
        with torch.no_grad():
            self.depthwise.weight.copy_(self.depthwise.weight[back].clone())
            self.depthwise.bias.copy_(self.depthwise.bias[back].clone())
            self.mix.weight.copy_(self.mix.weight[:, back].clone())
        self.is_shuffled = False

    def forward(self, x):
        y = torch.relu(self.squeeze(x))
        if self.is_shuffled:
            batch, _, height, width = y.shape
            y = y.view(batch, GROUPS, CHANNELS // GROUPS, height, width).transpose(1, 2).contiguous().view(batch, CHANNELS, height, width)
        return torch.relu(x + self.mix(self.depthwise(y)))


def build(folder, repaired):
    torch.manual_seed(0)
    blocks = [Block() for _ in range(5)]
    if repaired:
        for block in blocks:
            block.move_shuffle_into_weights()
    model = nn.Sequential(nn.Conv2d(3, CHANNELS, 4, stride=4), *blocks).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.rand(1, 3, 192, 192)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x192x192", "--time-limit", "3", "--no-roofs"]
