"""A convolutional network in bfloat16 keeps its tensors in NCHW, so that cuDNN converts them around its kernels for tensor
cores. Repaired: channels_last."""
import torch
import torchvision

from setting import half, size

RULE = "layout_conversions"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


def make(device, repaired):
    layout = torch.channels_last if repaired else torch.contiguous_format
    model = size(torchvision.models.resnet50, torchvision.models.resnet18)(weights=None).eval().to(device, half(device)).to(memory_format=layout)
    images = torch.randn(size(64, 2), 3, size(224, 32), size(224, 32), device=device, dtype=half(device)).to(memory_format=layout)

    @torch.no_grad()
    def step():
        return model(images)
    return step
