#!/usr/bin/env python3
"""What recording a GPU costs a PyTorch program: programs recorded in different ways, alternating by turns.

Starts one process for each way, all of them the model of tools/gpu_check_model.py: bare (twice, so that the noise of the method shows),
recorded by libxsp-cuda.so, under torch.profiler, and each --way. They stay alive and answer by turns, in random order, with a block of calls each, so that a
machine that becomes slower is slower for all. Prints, for each way, the median time of a call, its ratio to the mean of both bare
processes in the same round (median over rounds) and the 95 % interval of that median (order statistics of rounds; processes are not
resampled, so that what differs between two processes of one way is in "bare again" only).

Needs an NVIDIA GPU, PyTorch with CUDA and the recording libraries (tools/gpu_check builds them with g++ where xsp is not built).

Usage: python3 bench/cuda_record_overhead.py [--libraries DIR] [--mode eager|graph|decode] [--batch N] [--seconds S] [--calls N]
       [--way NAME=VARIABLE=VALUE[,...]]... [--format table|json]
Example: python3 bench/cuda_record_overhead.py --mode graph --batch 64
Example: python3 bench/cuda_record_overhead.py --way kernels=XSP_RECORD_LEVELS=kernel
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BARE = ["bare", "bare again"]

PROGRAM = """
import contextlib, json, sys, time
sys.path.insert(0, sys.argv[4])
import torch
import gpu_check_model as model
mode, batch, profiled = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "torch.profiler"
torch.manual_seed(1)
net = (model.Decoder(batch) if mode == "decode" else model.make_model()).cuda().eval()
data = net.last if mode == "decode" else torch.randn(batch, 3, 224, 224).cuda()
kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
with torch.inference_mode():
    call = model.make_call(mode, net, data, model.Spans(None))
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        times = []
        with torch.profiler.profile(activities=kinds) if profiled else contextlib.nullcontext():
            for _ in range(int(line)):
                start = time.perf_counter_ns()
                call()
                torch.cuda.synchronize()
                times.append(time.perf_counter_ns() - start)
        print(json.dumps(times), flush=True)
"""


def fail(what, hint):
    sys.exit(f"error: {what}\nhint: {hint}")


class Process:
    """The program, recorded in one way; works when asked."""

    def __init__(self, way, environment, options, folder):
        self.way = way
        folder.mkdir()
        self._errors = (folder / "stderr").open("w+")
        self._process = subprocess.Popen([sys.executable, "-c", PROGRAM, options.mode, str(options.batch), way, str(ROOT / "tools")],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
                                         env={**os.environ, **environment, **({"XSP_RECORD_FOLDER": str(folder)} if environment else {})})
        self.folder = folder

    def answer(self):
        line = self._process.stdout.readline()
        if not line:
            self._errors.seek(0)
            fail(f"{self.way} ended with {self._process.wait()}: {self._errors.read()[-600:]}", "it needs PyTorch with CUDA and a GPU")
        return json.loads(line)

    def block(self, calls):
        """Median ns of a call; the first call of the block is not counted."""
        self._process.stdin.write(f"{calls + 1}\n")
        self._process.stdin.flush()
        return statistics.median(self.answer()[1:])

    def end(self):
        """MiB that the process has recorded."""
        self._process.communicate(timeout=120)
        return sum(os.stat(file).st_blocks * 512 for file in self.folder.glob("*.xspr")) / 2**20


def median_interval(values):
    """Median, and its 95 % interval by order statistics (binomial, p = 1/2)."""
    values, count = sorted(values), len(values)
    below = max(0, int((count - 1.96 * count**0.5) / 2))
    return statistics.median(values), values[below], values[count - 1 - below]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=pathlib.Path, default=ROOT / "build/release/lib", help="folder of libxsp-cuda.so")
    parser.add_argument("--mode", choices=["eager", "graph", "decode"], default="eager")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30, help="duration for which the processes alternate")
    parser.add_argument("--calls", type=int, default=20, help="timed calls per block, after one untimed call")
    parser.add_argument("--way", action="append", default=[], metavar="NAME=VARIABLE=VALUE[,...]",
                        help="one more recorded process, with these environment variables")
    parser.add_argument("--format", choices=["table", "json"], default="table")
    options = parser.parse_args()
    library = options.libraries.resolve() / "libxsp-cuda.so"
    if not library.exists():
        fail(f"there is no {library}", "tools/build makes it, or tools/gpu_check --steps libraries OUT in OUT/lib")
    recorded = {"CUDA_INJECTION64_PATH": str(library)}
    ways = {"bare": {}, "bare again": {}, "recorded": recorded, "torch.profiler": {}}
    for given in options.way:
        name, _, settings = given.partition("=")
        if not all("=" in setting for setting in settings.split(",")):
            fail(f"--way {given} has no variable", "for example --way kernels=XSP_RECORD_LEVELS=kernel")
        ways[name] = {**recorded, **dict(setting.split("=", 1) for setting in settings.split(","))}
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        processes = [Process(way, ways[way], options, pathlib.Path(folder) / str(i)) for i, way in enumerate(ways)]
        for process in processes:
            process.answer()
        for process in processes:
            process.block(options.calls)
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            rounds.append({process.way: process.block(options.calls) for process in random.sample(processes, len(processes))})
        recorded_mib = {process.way: process.end() for process in processes}
    rows = []
    for way in ways:
        ratio, low, high = median_interval([times[way] / statistics.mean(times[bare] for bare in BARE) for times in rounds])
        rows.append({"way": way, "median_ms": 1e-6 * statistics.median(times[way] for times in rounds), "ratio": ratio, "low": low,
                     "high": high, "recorded_mib": recorded_mib[way]})
    if options.format == "json":
        print(json.dumps({"mode": options.mode, "batch": options.batch, "rounds": len(rounds), "calls": options.calls, "rows": rows}))
        return
    print(f"{options.mode}, batch {options.batch}: {len(rounds)} rounds of {options.calls} calls")
    print(f"{'way':24} {'median ms':>9} {'ratio':>7} {'95 % interval':>16}")
    for one in rows:
        print(f"{one['way']:24} {one['median_ms']:9.4g} {one['ratio']:7.3f} {one['low']:7.3f} to {one['high']:.3f}")


if __name__ == "__main__":
    main()
