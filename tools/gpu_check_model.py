#!/usr/bin/env python3
"""The workload of tools/gpu_check: a ResNet-50 (torchvision's, else a stack of convolutions) on cuda:0, eager or as a CUDA graph.
Prints the median time of a call as JSON. With XSP_GPU_CHECK_LIBXSP, calls and modules become spans of the recording, so that
kernels have layers to belong to. Usage: gpu_check_model.py eager|graph BATCH"""
import ctypes
import json
import os
import statistics
import sys
import time

import torch

MODEL, LAYER = 1, 2
WARM_UP, CALLS = 20, 100


class Spans:
    """The C API of the recording; without a recording its functions do nothing."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path) if path else None
        if self.library:
            self.library.xsp_intern.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
            self.library.xsp_begin.restype = ctypes.c_uint64
            self.library.xsp_end.argtypes = [ctypes.c_uint64]
        self.open = []

    def begin(self, level, kind, name):
        if self.library:
            ids = [self.library.xsp_intern(text.encode(), len(text.encode())) for text in (kind, name)]
            self.open.append(self.library.xsp_begin(level, *ids))

    def end(self):
        if self.library:
            self.library.xsp_end(self.open.pop())

    def watch(self, model):
        for name, module in model.named_modules():
            if not any(module.children()):
                kind = type(module).__name__
                module.register_forward_pre_hook(lambda *_, kind=kind, name=name: self.begin(LAYER, kind, name))
                module.register_forward_hook(lambda *_: self.end())


def make_model():
    try:
        import torchvision
        return torchvision.models.resnet50()
    except ImportError:
        blocks = [torch.nn.Sequential(torch.nn.Conv2d(3 if i == 0 else 64, 64, 3, padding=1), torch.nn.ReLU()) for i in range(20)]
        return torch.nn.Sequential(*blocks)


def main():
    mode, batch = sys.argv[1], int(sys.argv[2])
    torch.cuda.init()  # The driver loads the recording library here.
    torch.manual_seed(1)
    spans = Spans(os.environ.get("XSP_GPU_CHECK_LIBXSP"))
    model = make_model().cuda().eval()
    data = torch.randn(batch, 3, 224, 224, device="cuda")
    with torch.inference_mode():
        for _ in range(WARM_UP):
            model(data)
        torch.cuda.synchronize()
        spans.watch(model)
        if mode == "graph":
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                model(data)
            call = graph.replay
        else:
            def call():
                return model(data)
        times = []
        for _ in range(CALLS):
            start = time.perf_counter_ns()
            spans.begin(MODEL, "predict", "resnet50")
            call()
            torch.cuda.synchronize()
            spans.end()
            times.append(time.perf_counter_ns() - start)
    print(json.dumps({"mode": mode, "batch": batch, "median_ns": statistics.median(times), "calls": CALLS}))


if __name__ == "__main__":
    main()
