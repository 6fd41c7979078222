"""A stack of convolutions per channel in PyTorch's default layout (NCHW), which oneDNN converts to its own and back around each of them.
Repaired: model and input in channels-last."""
RULE = "layout_reorders"
GAIN = True
# As with the allocators that people serve models with: memory is kept, so that only the reorders differ.
SETTINGS = {"environment": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "67108864"}}


def build(folder, repaired):
    import torch

    class Filters(torch.nn.Module):
        def __init__(self):
            super().__init__()
            layers = []
            for _ in range(8):
                layers += [torch.nn.Conv2d(64, 64, 5, padding=2, groups=64), torch.nn.ReLU()]
            self.layers = torch.nn.Sequential(*layers)

        def forward(self, x):
            return self.layers(x.contiguous(memory_format=torch.channels_last) if repaired else x)

    torch.manual_seed(1)
    model = Filters().eval()
    if repaired:
        model = model.to(memory_format=torch.channels_last)
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, 64, 112, 112)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x64x112x112", "--time-limit", "3", "--no-roofs"]
