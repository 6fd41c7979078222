#!/usr/bin/env python3
"""The workload of tools/gpu_check on cuda:0: a ResNet-50 (torchvision's, else a stack of convolutions), eager or as a CUDA graph,
or a transformer that makes 64 tokens, one replay of a CUDA graph each. Prints the median time of a call as JSON. With
XSP_GPU_CHECK_LIBXSP (and XSP_GPU_CHECK_SPANS not 0) calls, modules and replays become spans of the recording, from the first kernel on,
so that each kernel has a layer to belong to; with XSP_GPU_CHECK_PROFILER the calls run under torch.profiler. Under either a decode loop
makes few calls: one is 16,000 kernels. XSP_GPU_CHECK_WARM_UP and XSP_GPU_CHECK_CALLS: how many calls. Usage: gpu_check_model.py eager|graph|decode BATCH"""
import contextlib
import ctypes
import json
import os
import statistics
import sys
import time

import torch

MODEL, LAYER = 1, 2
WARM_UP, CALLS = (int(os.environ.get(f"XSP_GPU_CHECK_{name}", number)) for name, number in (("WARM_UP", 20), ("CALLS", 100)))
WATCHED_DECODES = 5
TOKENS, WIDTH, HEADS, BLOCKS, CONTEXT = 64, 768, 12, 12, 256


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

    @contextlib.contextmanager
    def span(self, level, kind, name):
        self.begin(level, kind, name)
        yield
        self.end()

    def watch(self, model):
        """Every module, the model itself among them: what a module computes beside its children (residual sums, attention) is its own,
        as the innermost open span has a kernel."""
        if not self.library:
            return
        for name, module in model.named_modules():
            kind = type(module).__name__
            module.register_forward_pre_hook(lambda *_, kind=kind, name=name or kind: self.begin(LAYER, kind, name))
            module.register_forward_hook(lambda *_: self.end())


def make_model():
    try:
        import torchvision
        return torchvision.models.resnet50()
    except ImportError:
        blocks = [torch.nn.Sequential(torch.nn.Conv2d(3 if i == 0 else 64, 64, 3, padding=1), torch.nn.ReLU()) for i in range(20)]
        return torch.nn.Sequential(*blocks)


class Block(torch.nn.Module):
    """One layer of a decoder, a token at a time over a cache of fixed size: nothing in it waits for the device."""

    def __init__(self, batch):
        super().__init__()
        self.norms = torch.nn.ModuleList([torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)])
        self.qkv, self.out = torch.nn.Linear(WIDTH, 3 * WIDTH), torch.nn.Linear(WIDTH, WIDTH)
        self.up, self.down = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)
        self.register_buffer("cache", torch.zeros(2, batch, HEADS, CONTEXT, WIDTH // HEADS))

    def forward(self, token, position):
        query, key, value = self.qkv(self.norms[0](token)).view(-1, 3, HEADS, 1, WIDTH // HEADS).unbind(1)
        self.cache[0].index_copy_(2, position, key)
        self.cache[1].index_copy_(2, position, value)
        seen = (torch.arange(CONTEXT, device=token.device) <= position).view(1, 1, 1, CONTEXT)
        mixed = torch.nn.functional.scaled_dot_product_attention(query, self.cache[0], self.cache[1], attn_mask=seen)
        token = token + self.out(mixed.reshape(-1, WIDTH))
        return token + self.down(torch.nn.functional.gelu(self.up(self.norms[1](token))))


class Decoder(torch.nn.Module):
    def __init__(self, batch):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block(batch) for _ in range(BLOCKS))
        self.register_buffer("position", torch.zeros(1, dtype=torch.long))
        self.register_buffer("last", torch.randn(batch, WIDTH))

    def forward(self, token):
        for block in self.blocks:
            token = block(token, self.position)
        self.last.copy_(token)
        self.position.add_(1).remainder_(CONTEXT)
        return token


def make_call(mode, model, data, spans):
    """What is timed, warm: a call of the model, or the replays of one that was captured."""
    for _ in range(WARM_UP):
        model(data)
    torch.cuda.synchronize()
    if mode == "eager":
        return lambda: model(data)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model(data)

    def replay():
        # What a replay launches beside the graph (seeds of random numbers) has no module. Kernels of the graph belong to what was
        # open when they were captured; those that cannot be tied to it stay here, and tools/gpu_check counts them.
        with spans.span(LAYER, "replay", mode):
            for _ in range(TOKENS if mode == "decode" else 1):
                graph.replay()
    return replay


def main():
    mode, batch = sys.argv[1], int(sys.argv[2])
    torch.cuda.init()  # The driver loads the recording library here.
    torch.manual_seed(1)
    watched = os.environ.get("XSP_GPU_CHECK_SPANS") != "0"
    spans = Spans(os.environ.get("XSP_GPU_CHECK_LIBXSP") if watched else None)
    profiler = os.environ.get("XSP_GPU_CHECK_PROFILER")
    calls = WATCHED_DECODES if mode == "decode" and (profiler or spans.library) else CALLS
    model = (Decoder(batch) if mode == "decode" else make_model()).cuda().eval()
    data = model.last if mode == "decode" else torch.randn(batch, 3, 224, 224).cuda()
    spans.watch(model)
    with torch.inference_mode():
        call = make_call(mode, model, data, spans)
        activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
        times = []
        with torch.profiler.profile(activities=activities) if profiler else contextlib.nullcontext():
            for _ in range(calls):
                start = time.perf_counter_ns()
                with spans.span(MODEL, "predict", type(model).__name__):
                    call()
                    torch.cuda.synchronize()
                times.append(time.perf_counter_ns() - start)
    print(json.dumps({"mode": mode, "batch": batch, "median_ns": statistics.median(times), "calls": calls}))


if __name__ == "__main__":
    main()
