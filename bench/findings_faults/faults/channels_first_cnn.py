"""A segmentation network of plain 3x3 convolutions runs in PyTorch's default layout (NCHW). Repaired: model and input in channels-last."""
RULE = "layout_reorders"
GAIN = True
SETTINGS = {"environment": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}


def build(folder, repaired):
    import torch
    from torch import nn

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            sizes = [3, 16, 16, 16, 16, 16, 4]
            self.layers = nn.Sequential(*[layer for inputs, outputs in zip(sizes, sizes[1:])
                                          for layer in (nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU())])

        def forward(self, x):
            return self.layers(x.contiguous(memory_format=torch.channels_last) if repaired else x)

    torch.manual_seed(1)
    model = Network().eval()
    if repaired:
        model = model.to(memory_format=torch.channels_last)
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, 3, 192, 192)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x192x192", "--time-limit", "3", "--no-roofs"]
