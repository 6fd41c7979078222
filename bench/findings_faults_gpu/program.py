#!/usr/bin/env python3
"""One fault of bench/findings_faults_gpu/faults, as a program of its own. It needs PyTorch and some of the faults torchvision.

  faulty, repaired  warms up, then runs steps of this version, as `xsp record` records it
  gain              runs blocks of steps of both versions by turns and writes what they took as one line of JSON: "pairs" of mean
                    times of a step [faulty_ns, repaired_ns], "device" (its name) and "torch" (version)

XSP_FAULTS_DEVICE names the device (default: cuda:0); XSP_FAULTS_SMALL=1 makes everything small enough for a CPU.

Usage: program.py NAME faulty|repaired|gain [--warm-up N] [--steps N] [--pairs N]
Example: XSP_FAULTS_DEVICE=cpu XSP_FAULTS_SMALL=1 python3 bench/findings_faults_gpu/program.py written_attention gain
"""
import argparse
import importlib.util
import json
import math
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# A block is at least so long, so that reading the clock and the first step after a change do not decide.
BLOCK_NS = 30e6


def load(name, folder=HERE / "faults"):
    """The module of a fault; ValueError if it breaks the contract that README.md states."""
    path = pathlib.Path(folder) / f"{name}.py"
    if not path.exists():
        raise ValueError(f"no such fault: {name}; there are {', '.join(sorted(one.stem for one in path.parent.glob('*.py')))}")
    spec = importlib.util.spec_from_file_location(f"fault_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for wanted, kind in (("RULE", str), ("GAIN", bool)):
        if not isinstance(getattr(module, wanted, None), kind):
            raise ValueError(f"{name}.py has no {wanted} of type {kind.__name__}")
    if not callable(getattr(module, "make", None)) or not (module.__doc__ or "").strip():
        raise ValueError(f"{name}.py has no function make(device, repaired) or no docstring")
    return module


def made(module, device, repaired):
    """A step of a version; both begin with the same random numbers."""
    import torch
    torch.manual_seed(1)
    return module.make(device, repaired)


def timed_ns(step, synchronise, steps):
    """Mean time of a step in a block, after one that is not counted (caches, clocks)."""
    step()
    synchronise()
    start = time.perf_counter_ns()
    for _ in range(steps):
        step()
        synchronise()
    return (time.perf_counter_ns() - start) / steps


def alternate(versions, synchronise, pairs, warm_up):
    """[faulty_ns, repaired_ns] of each pair of blocks; which is first is drawn by lot."""
    steps = []
    for step in versions:
        for _ in range(warm_up):
            step()
            synchronise()
        steps.append(max(1, math.ceil(BLOCK_NS / timed_ns(step, synchronise, 3))))
    lot, times = random.Random(1), []
    for _ in range(pairs):
        pair = [0, 0]
        for version in lot.sample((0, 1), 2):
            pair[version] = timed_ns(versions[version], synchronise, steps[version])
        times.append(pair)
    return times


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("what", choices=("faulty", "repaired", "gain"))
    parser.add_argument("--warm-up", type=int, default=20, help="steps before the others (default: 20)")
    parser.add_argument("--steps", type=int, default=30, help="steps of a version (default: 30)")
    parser.add_argument("--pairs", type=int, default=15, help="pairs of blocks that measure the gain (default: 15)")
    return parser.parse_args()


def main():
    arguments = parse()
    import setting
    import torch
    device = setting.device()
    if device.type == "cuda" and not torch.cuda.is_available():
        sys.exit("no CUDA device here; for a CPU set XSP_FAULTS_DEVICE=cpu XSP_FAULTS_SMALL=1")
    try:
        module = load(arguments.name)
    except ValueError as error:
        sys.exit(str(error))

    def synchronise():
        setting.synchronise(device)
    if arguments.what == "gain":
        versions = [made(module, device, repaired) for repaired in (False, True)]
        pairs = alternate(versions, synchronise, arguments.pairs, arguments.warm_up)
        name = torch.cuda.get_device_name(device) if device.type == "cuda" else str(device)
        print(json.dumps({"pairs": pairs, "device": name, "torch": torch.__version__}))
        return
    step = made(module, device, arguments.what == "repaired")
    for _ in range(arguments.warm_up + arguments.steps):
        step()
        synchronise()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
