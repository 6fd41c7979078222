"""A classifier copies each batch from pinned memory to the device in its own stream, and computes after that. Repaired: the
next batch is copied on a stream of its own while this one is computed."""
import torch
from torch import nn
import torchvision

from setting import size

RULE = "exposed_transfers"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Classifier(nn.Module):
    """Takes images of the host; with `is_ahead` those that it copied in the call before."""

    def __init__(self, device, is_ahead):
        super().__init__()
        self.net, self.device = torchvision.models.shufflenet_v2_x0_5(weights=None), device
        self.is_ahead, self.next = is_ahead, None
        self.stream = torch.cuda.Stream(device) if device.type == "cuda" else None

    def ahead(self, images):
        if self.stream is None:
            return images.to(self.device, non_blocking=True)
        # The batch before may still be read.
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            return images.to(self.device, non_blocking=True)

    def forward(self, images):
        if not self.is_ahead:
            return self.net(images.to(self.device, non_blocking=True))
        ready = self.next if self.next is not None else self.ahead(images)
        if self.stream is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            ready.record_stream(torch.cuda.current_stream())
        self.next = self.ahead(images)
        return self.net(ready)


def make(device, repaired):
    model = Classifier(device, repaired).eval().to(device)
    images = torch.randn(size(256, 2), 3, size(224, 32), size(224, 32))
    if device.type == "cuda":
        images = images.pin_memory()

    @torch.no_grad()
    def step():
        return model(images)
    return step
