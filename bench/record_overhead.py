#!/usr/bin/env python3
"""What `xsp record` costs an unchanged PyTorch program: the time of a call of ResNet-50 and of a training step, bare, at each depth, with
call stacks, and under PyTorch's own profiler, all in turns.

The program times its own calls (time.perf_counter), so that start, import and storing are not in it. Each way runs --rounds times, one
after another in an order that is shuffled each round; a run's figure is the median of its calls, a way's the median of its runs, with the
smallest and largest ratio to the bare run of the same round.

Example: XSP_PYTHON=.deps/python/bin/python bench/record_overhead.py --rounds 7 --calls 60"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = ROOT / "build/release/bin/xsp"

PROGRAM = """
import contextlib, statistics, sys, time, torch, torchvision
calls, batch, what = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
torch.manual_seed(0)
net = torchvision.models.resnet50()
x = torch.randn(batch, 3, 224, 224)
if what == "train":
    optimizer, target = torch.optim.SGD(net.parameters(), lr=0.01), torch.zeros(batch, dtype=torch.long)
    def call():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), target).backward()
        optimizer.step()
else:
    net.eval()
    def call():
        with torch.no_grad():
            net(x)
profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) if len(sys.argv) > 4 else contextlib.nullcontext()
times = []
with profiler:
    for i in range(calls + 5):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
print(statistics.median(times[5:]))
"""

WAYS = {"bare": None, "depth model": ["--depth", "model"], "depth layer": ["--depth", "layer"], "depth kernel": ["--depth", "kernel"],
        "depth kernel, no monitor": ["--depth", "kernel", "--monitor-rate", "0"], "depth kernel, stacks at 99 Hz": ["--stacks", "99"],
        "torch.profiler": None}


def run(way, program, arguments):
    command = [os.environ.get("XSP_PYTHON", sys.executable), str(program), *arguments]
    if way == "torch.profiler":
        command.append("profile")
    with tempfile.TemporaryDirectory() as store:
        if WAYS[way] is not None:
            command = [str(XSP), "record", "--no-roofs", "--summary", "/dev/null", *WAYS[way], "--", *command]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "XSP_STORE": store})
    if done.returncode != 0:
        sys.exit(f"error: {way} ended with {done.returncode}\n{done.stderr[-2000:]}")
    return float(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--calls", type=int, default=60, help="timed calls of each run, after 5 that are not")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--train", action="store_true", help="training steps instead of calls")
    parser.add_argument("--format", choices=["table", "json"], default="table")
    options = parser.parse_args()
    seconds = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(PROGRAM)
        arguments = [str(options.calls), str(options.batch), "train" if options.train else "predict"]
        for _ in range(options.rounds):
            for way in random.sample(list(WAYS), len(WAYS)):
                seconds[way].append(run(way, program, arguments))
    rows = []
    for way, times in seconds.items():
        ratios = [time / bare for time, bare in zip(times, seconds["bare"])]
        rows.append({"way": way, "median_ms": 1e3 * statistics.median(times), "ratio": statistics.median(ratios), "least": min(ratios),
                     "most": max(ratios)})
    if options.format == "json":
        print(json.dumps(rows, indent=1))
        return
    print(f"{'way':32} {'ms':>8}  over bare (least to most of {options.rounds} rounds)")
    for row in rows:
        print(f"{row['way']:32} {row['median_ms']:8.2f}  {100 * (row['ratio'] - 1):+.1f} % ({100 * (row['least'] - 1):+.1f} to {100 * (row['most'] - 1):+.1f} %)")


if __name__ == "__main__":
    main()
