"""One of several depthwise convolutions is dilated, for which oneDNN has no fast kernel. Repaired: the same filters without dilation, on the four
grids of every second pixel."""
RULE = "outlier_layers"
GAIN = True
SETTINGS = {"environment": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}


def build(folder, repaired):
    import torch

    class Dilated(torch.nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.dilated = torch.nn.Conv2d(channels, channels, 3, padding=2, dilation=2, groups=channels)
            self.plain = torch.nn.Conv2d(channels, channels, 3, padding=1, groups=channels)
            self.plain.weight, self.plain.bias = self.dilated.weight, self.dilated.bias

        def forward(self, x):
            if not repaired:
                return self.dilated(x)
            grids = x.view(1, 64, 28, 2, 28, 2).permute(0, 3, 5, 1, 2, 4).reshape(4, 64, 28, 28)
            return self.plain(grids).view(1, 2, 2, 64, 28, 28).permute(0, 3, 4, 1, 5, 2).reshape(1, 64, 56, 56)

    torch.manual_seed(1)
    layers = []
    for index in range(7):
        layers += [Dilated(64) if index == 4 else torch.nn.Conv2d(64, 64, 3, padding=1, groups=64), torch.nn.ReLU()]
    with torch.no_grad():
        torch.jit.trace(torch.nn.Sequential(*layers).eval(), torch.randn(1, 64, 56, 56)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x64x56x56", "--time-limit", "3"]
