"""A chain of elementwise operations on a large image that allocates a tensor for each step, whose pages are fetched from the operating system in
each call. Repaired: the steps work in place in a buffer that the module keeps."""
RULE = "operating_system_time"
GAIN = True
TUNED = "The gain leaves out waiting for cores since these faults were first measured."


def build(folder, repaired):
    import torch

    shape = (1, 3, 1536, 2304)

    class OutOfPlace(torch.nn.Module):
        def forward(self, image):
            return (((image - 0.45) * 4.4 + 0.1) * 0.5).clamp(-1.0, 1.0)

    class InPlace(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("result", torch.zeros(shape))

        def forward(self, image):
            torch.sub(image, 0.45, out=self.result)
            return self.result.mul_(4.4).add_(0.1).mul_(0.5).clamp_(-1.0, 1.0)

    module = InPlace() if repaired else OutOfPlace()
    with torch.no_grad():
        torch.jit.trace(module.eval(), torch.rand(shape), check_trace=False).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "x".join(map(str, shape)),
            "--time-limit", "3", "--no-roofs"]
