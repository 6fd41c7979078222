#!/usr/bin/env python3
"""The overhead of xsp.profile(): calls of a model, bare, under PyTorch's own profiler with the same settings, and under
xsp.profile() with and without the ranges of modules, in shuffled blocks of one process.

Prints ratios to the bare calls of the same round (trimmed mean over rounds, 95 % interval by resampling) of wall time and
of the calling thread's CPU time, which other programs disturb less, and what comes after the block (writing and importing
the trace).

Usage: bench/python_profile.py [--model resnet50|mlp] [--batch N] [--calls N] [--rounds N] [--threads N]
Example: PYTHONPATH=python bench/python_profile.py --rounds 20
"""
import argparse
import os
import random
import statistics
import tempfile
import time
import warnings

import torch
import xsp

warnings.simplefilter("ignore")


def model_of(name, batch):
    torch.manual_seed(0)
    if name == "mlp":  # Small operators: what each costs shows most.
        layers = [layer for _ in range(16) for layer in (torch.nn.Linear(64, 64), torch.nn.ReLU())]
        return torch.nn.Sequential(*layers).eval(), torch.randn(batch, 64)
    import torchvision

    return torchvision.models.resnet50(weights=None).eval(), torch.randn(batch, 3, 224, 224)


def timed(model, example, calls):
    with torch.no_grad():
        start, start_cpu = time.perf_counter(), time.thread_time()
        for _ in range(calls):
            model(example)
        return (time.perf_counter() - start) / calls, (time.thread_time() - start_cpu) / calls


def bare(model, example, calls):
    return timed(model, example, calls), 0.0


def of_torch(model, example, calls):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True):
        return timed(model, example, calls), 0.0


def of_xsp(modules):
    def measure(model, example, calls):
        with xsp.profile("bench", modules=modules) as profile:
            seconds = timed(model, example, calls)
            end = time.perf_counter()
        del profile
        return seconds, time.perf_counter() - end
    return measure


WAYS = {"bare again": bare, "torch.profiler": of_torch, "xsp.profile(modules=False)": of_xsp(False), "xsp.profile": of_xsp(True)}


def trimmed(values):
    cut = len(values) // 10
    return statistics.fmean(sorted(values)[cut:len(values) - cut])


def interval(values):
    means = sorted(trimmed(random.choices(values, k=len(values))) for _ in range(1000))
    return means[25], means[974]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["resnet50", "mlp"], default="resnet50")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--calls", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1, help="with more than one the CPU time of the caller is not all")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    model, example = model_of(given.model, given.batch)
    timed(model, example, given.calls * 3)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XSP_STORE"] = folder
        of_xsp(True)(model, example, 1)  # What is loaded once.
        bares, ratios, afterwards = [], {name: [] for name in WAYS}, []
        for _ in range(given.rounds):
            times = {}
            for name in random.sample([*WAYS, "bare"], len(WAYS) + 1):
                times[name], after = WAYS.get(name, bare)(model, example, given.calls)
                if name == "xsp.profile":
                    afterwards.append(after)
            bares.append(times["bare"])
            for name in WAYS:
                ratios[name].append([timed / bare for timed, bare in zip(times[name], times["bare"])])
    wall, cpu = (statistics.median(one[at] for one in bares) * 1e3 for at in range(2))
    print(f"{given.model}, batch {given.batch}, PyTorch {torch.__version__}, {torch.get_num_threads()} threads: "
          f"bare {wall:.3f} ms a call, {cpu:.3f} ms of CPU, {given.rounds} rounds of {given.calls} calls")
    for name, values in ratios.items():
        for at, clock in enumerate(("wall", "CPU")):
            taken = [value[at] - 1 for value in values]
            low, high = interval(taken)
            print(f"{name:28} {clock:4} {trimmed(taken):+7.1%} ({low:+.1%} to {high:+.1%})")
    print(f"after the block: {statistics.median(afterwards):.2f} s")


if __name__ == "__main__":
    main()
