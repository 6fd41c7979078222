"""A chain of activations and residual sums on feature maps of 38 MB, each with a new result that is freed and fetched again. Repaired: the same
chain in place, on one copy of the input."""
RULE = "operating_system_time"
GAIN = True


def build(folder, repaired):
    import torch

    class Chain(torch.nn.Module):
        def forward(self, x):
            if repaired:
                y = x.clone()
                for _ in range(3):
                    y = torch.relu_(y.mul_(0.9).add_(0.1))
                return y
            y = x
            for _ in range(3):
                y = torch.relu(y.mul(0.9).add(0.1))
            return y

    with torch.no_grad():
        torch.jit.trace(Chain(), torch.rand(1, 64, 384, 384)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x64x384x384", "--time-limit", "3",
            "--no-roofs"]
