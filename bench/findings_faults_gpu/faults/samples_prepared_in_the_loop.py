"""The loop of a program prepares each batch with NumPy before it calls the model. Repaired: a thread prepares the next batch
while the device computes."""
import concurrent.futures

import numpy
import torch
import torchvision

from setting import size

RULE = "time_between_calls"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


def make(device, repaired):
    model = size(torchvision.models.resnet50, torchvision.models.resnet18)(weights=None).eval().to(device)
    side = size(160, 32)
    pictures = numpy.random.default_rng(1).integers(0, 256, (size(32, 2), side, side, 3), dtype=numpy.uint8)

    def prepare():
        batch = (pictures[:, ::-1] / numpy.float32(255) - numpy.float32(0.45)) / numpy.float32(0.22)
        batch = torch.from_numpy(numpy.ascontiguousarray(batch.transpose(0, 3, 1, 2), dtype=numpy.float32))
        return batch.pin_memory() if device.type == "cuda" else batch

    threads = concurrent.futures.ThreadPoolExecutor(1) if repaired else None
    ahead = [threads.submit(prepare)] if repaired else None

    @torch.no_grad()
    def step():
        if not repaired:
            return model(prepare().to(device, non_blocking=True))
        batch = ahead[0].result()
        ahead[0] = threads.submit(prepare)
        return model(batch.to(device, non_blocking=True))
    return step
