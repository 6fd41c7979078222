"""Somebody switched TF32 off for convolutions, too (cudnn.allow_tf32 = False), to have the same results on all machines.
Repaired: it is on, as by default."""
import torch
import torchvision

from setting import size

RULE = "tensor_cores_unused"
GAIN = True
METRICS = "roofline"


def make(device, repaired):
    model = torchvision.models.resnet18(weights=None).eval().to(device, memory_format=torch.channels_last)
    images = torch.randn(size(64, 2), 3, size(224, 32), size(224, 32), device=device).to(memory_format=torch.channels_last)

    @torch.no_grad()
    def step():
        # In each step, because both versions run in one process.
        torch.backends.cudnn.allow_tf32 = repaired
        return model(images)
    return step
