"""MobileNetV3 answers one image after another, each operator launched by the host. Repaired: the call is captured once
and replayed as a CUDA graph."""
import torch
import torchvision

from setting import replayed, size

RULE = "idle_device"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


def make(device, repaired):
    model = torchvision.models.mobilenet_v3_large(weights=None).eval().to(device)
    image = torch.randn(1, 3, size(224, 64), size(224, 64), device=device)

    @torch.no_grad()
    def answer():
        return model(image)
    return replayed(answer, device) if repaired else answer
