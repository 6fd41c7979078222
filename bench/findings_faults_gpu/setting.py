"""Where the faults run and how large they are, from the environment: XSP_FAULTS_DEVICE (default: cuda:0), XSP_FAULTS_SMALL=1."""
import os

import torch


def device():
    return torch.device(os.environ.get("XSP_FAULTS_DEVICE", "cuda:0"))


def is_small():
    return os.environ.get("XSP_FAULTS_SMALL") == "1"


def size(usual, small):
    """The size for a GPU, or the one with which a CPU is done in milliseconds."""
    return small if is_small() else usual


def half(where):
    """The type of reduced precision: bfloat16, on a CPU float32, so that both versions can be compared closely."""
    return torch.bfloat16 if where.type == "cuda" else torch.float32


def synchronise(where):
    if where.type == "cuda":
        torch.cuda.synchronize(where)


def replayed(call, where):
    """`call`, captured once and replayed as a CUDA graph; on a CPU as it is. The result is overwritten by the next replay."""
    if where.type != "cuda":
        return call
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = call()

    def replay():
        graph.replay()
        return result
    return replay
