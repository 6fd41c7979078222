"""A chain of activations and residual sums on feature maps of 38 MB, each with a new result that is freed and fetched again. Repaired: the same
chain in place, in a buffer that the module keeps."""
RULE = "operating_system_time"
GAIN = True
TUNED = "elementwise_chains leaves page faults out of its gain since it came first here."


def build(folder, repaired):
    import torch

    shape = (1, 64, 384, 384)

    class Chain(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("result", torch.zeros(shape))

        def forward(self, x):
            if repaired:
                y = self.result.copy_(x)
                for _ in range(3):
                    y = torch.relu_(y.mul_(0.9).add_(0.1))
                return y
            y = x
            for _ in range(3):
                y = torch.relu(y.mul(0.9).add(0.1))
            return y

    with torch.no_grad():
        torch.jit.trace(Chain(), torch.rand(shape), check_trace=False).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "x".join(map(str, shape)), "--time-limit", "3",
            "--no-roofs"]
