"""A chain of convolutions in channels-last of which every second one first copies its tensor to the plain layout (NCHW), as code that asks for
contiguous tensors does. Repaired: the model stays in channels-last throughout."""
RULE = "layout_reorders"
GAIN = True


def build(folder, repaired):
    import torch

    class Plain(torch.nn.Module):
        """A block from another code base that insists on contiguous tensors."""

        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            if repaired:
                return self.inner(x)
            return self.inner(x.contiguous())

    torch.manual_seed(1)
    layers = []
    for index in range(8):
        conv = torch.nn.Conv2d(32, 32, 3, padding=1)
        layers += [conv if index % 2 else Plain(conv), torch.nn.ReLU()]
    model = torch.nn.Sequential(*layers).eval().to(memory_format=torch.channels_last)
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, 32, 112, 112)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x32x112x112", "--time-limit", "3",
            "--no-roofs"]
