"""One of several depthwise convolutions has a channel multiplier of two, for which oneDNN has no depthwise kernel. Repaired: the channels are
repeated first, and the same filters run as a depthwise convolution without multiplier."""
RULE = "outlier_layers"
GAIN = True
SETTINGS = {"environment": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}


def build(folder, repaired):
    import torch

    class Widened(torch.nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.conv = torch.nn.Conv2d(channels, 2 * channels, 3, padding=1, groups=channels)
            self.repeated = torch.nn.Conv2d(2 * channels, 2 * channels, 3, padding=1, groups=2 * channels)
            self.repeated.weight, self.repeated.bias = self.conv.weight, self.conv.bias

        def forward(self, x):
            return self.repeated(x.repeat_interleave(2, 1)) if repaired else self.conv(x)

    torch.manual_seed(1)
    layers = []
    for _ in range(4):
        layers += [torch.nn.Conv2d(64, 64, 3, padding=1, groups=64), torch.nn.ReLU()]
    layers.append(Widened(64))
    for _ in range(2):
        layers += [torch.nn.ReLU(), torch.nn.Conv2d(128, 128, 3, padding=1, groups=128)]
    with torch.no_grad():
        torch.jit.trace(torch.nn.Sequential(*layers).eval(), torch.randn(1, 64, 56, 56)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x64x56x56", "--time-limit", "3"]
