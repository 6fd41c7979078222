#!/usr/bin/env python3
"""What each part of `xsp record` costs a call of ResNet-50 in PyTorch, within one process.

The program runs under `xsp record --depth kernel` and switches parts of the recorder off and on itself, in blocks of some calls whose order is
shuffled each round: processes differ for as long as they live (docs/adr/0009-overhead-within-one-process.md), and blocks of one process a
second apart do not. Never switched off: the libraries that are loaded and what ITT tells; bench/record_overhead.py has these in it.

A row is the trimmed mean over rounds of (median of the block / mean of the two bare medians of its round), with a 95 % bootstrap interval, of
wall time and of the calling thread's CPU time; and the difference of the latter in us a call.

`empty observer` needs libxsp-empty-observer.so: cmake -DXSP_TORCH_BENCHES=ON build/release/workers/torch, and build it.

Example: XSP_PYTHON=.deps/python/bin/python bench/record_parts.py --batch 1 --seconds 200"""
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
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build/release"))
EMPTY_OBSERVER = BUILD / "lib/libxsp-empty-observer.so"
PARTS = {"bare": "", "bare again": "", "empty observer": "empty", "calls of modules": "calls", "operators": "operators",
         "oneDNN's text": "onednn", "MKL's text": "mkl", "monitor": "monitor", "depth model": "calls monitor",
         "depth layer": "calls operators monitor", "depth kernel": "calls operators onednn mkl monitor"}

PROGRAM = """
import ctypes, glob, json, os, random, signal, statistics, sys, time, torch, torchvision
batch, threads, seconds, calls, untimed, empty, parts = json.loads(sys.argv[1])
if threads:
    torch.set_num_threads(threads)
torch.manual_seed(0)
net, x = torchvision.models.resnet50().eval(), torch.randn(batch, 3, 224, 224)
observer = ctypes.PyDLL(glob.glob(os.environ["XSP_RECORD_LIBRARIES"] + "/libxsp-torch-*.so")[0])
nothing = ctypes.PyDLL(empty) if empty else None
watched = torch.nn.Module.__call__
verbose = torch._C._verbose
def switch(part, on):
    if part == "calls":
        torch.nn.Module.__call__ = watched if on else watched.__wrapped__
    elif part == "operators":
        observer.xsp_torch_observe() if on else observer.xsp_torch_stop_observing()
    elif part == "empty":
        nothing.xsp_torch_observe_nothing() if on else nothing.xsp_torch_stop_observing_nothing()
    elif part == "onednn":
        verbose.mkldnn_set_verbose(int(on))
    elif part == "mkl":
        verbose.mkl_set_verbose(int(on))
    elif part == "monitor":
        os.kill(os.getppid(), signal.SIGCONT if on else signal.SIGSTOP)
def call():
    thread_ns, wall_ns = time.thread_time_ns(), time.perf_counter_ns()
    net(x)
    return time.perf_counter_ns() - wall_ns, time.thread_time_ns() - thread_ns
def block(name):
    for part in parts[name].split():
        switch(part, True)
    for _ in range(untimed):
        call()
    times = [call() for _ in range(calls)]
    for part in parts[name].split():
        switch(part, False)
    return [statistics.median(column) for column in zip(*times)]
for part in ("calls", "operators", "onednn", "mkl", "monitor"):
    switch(part, False)
rounds = []
with torch.no_grad():
    for name in parts:
        block(name)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        rounds.append({name: block(name) for name in random.sample(list(parts), len(parts))})
switch("monitor", True)
print(json.dumps({"threads": torch.get_num_threads(), "rounds": rounds}))
"""


def trimmed_mean(values):
    values = sorted(values)
    cut = len(values) // 5
    return statistics.mean(values[cut:len(values) - cut])


def interval(values):
    means = sorted(trimmed_mean(random.choices(values, k=len(values))) for _ in range(1000))
    return means[25], means[-26]


def figures(rounds, name, what):
    """Over bare: ratio and difference in ns of `what` (0 wall, 1 CPU of the thread), each with its interval."""
    bare = [(times["bare"][what] + times["bare again"][what]) / 2 for times in rounds]
    ratios = [times[name][what] / base - 1 for times, base in zip(rounds, bare)]
    differences = [times[name][what] - base for times, base in zip(rounds, bare)]
    return {"ratio": trimmed_mean(ratios), "ratio_interval": interval(ratios), "ns": trimmed_mean(differences), "ns_interval": interval(differences)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=200)
    parser.add_argument("--calls", type=int, default=3, help="timed calls of a block")
    parser.add_argument("--untimed", type=int, default=1, help="calls of a block before the timed ones")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="of PyTorch; 0: as it chooses itself")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help="besides bare: " + ", ".join(list(PARTS)[2:]))
    parser.add_argument("--format", choices=["table", "json"], default="table")
    options = parser.parse_args()
    has_empty = EMPTY_OBSERVER.exists()
    parts = {name: part for name, part in PARTS.items() if name in (*options.parts, "bare", "bare again") and (has_empty or part != "empty")}
    asked = [options.batch, options.threads, options.seconds, options.calls, options.untimed, str(EMPTY_OBSERVER) if has_empty else "", parts]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(PROGRAM)
        done = subprocess.run([str(BUILD / "bin/xsp"), "record", "--no-roofs", "--summary", "/dev/null", "--", os.environ.get("XSP_PYTHON", sys.executable),
                               str(program), json.dumps(asked)], stdout=subprocess.PIPE, text=True, check=False, env={**os.environ, "XSP_STORE": folder})
    if done.returncode != 0:
        sys.exit(f"error: the program ended with {done.returncode}")
    told = json.loads(done.stdout.strip().splitlines()[-1])
    rounds = told["rounds"]
    rows = [{"part": name, "wall": figures(rounds, name, 0), "cpu": figures(rounds, name, 1)} for name in parts]
    if options.format == "json":
        print(json.dumps({"batch": options.batch, "threads": told["threads"], "rounds": len(rounds), "rows": rows}, indent=1))
        return
    bare_ms = 1e-6 * trimmed_mean([times["bare"][0] for times in rounds])
    print(f"batch {options.batch}, {told['threads']} threads, {len(rounds)} rounds of {options.calls} calls, bare {bare_ms:.2f} ms")
    print(f"{'part':20} {'wall over bare (95 %)':30} {'CPU over bare (95 %)':30} CPU, us a call (95 %)")
    for line in rows:
        cells = [f"{100 * line[w]['ratio']:+6.2f} % ({100 * line[w]['ratio_interval'][0]:+.2f} to {100 * line[w]['ratio_interval'][1]:+.2f})" for w in ("wall", "cpu")]
        low, high = line["cpu"]["ns_interval"]
        print(f"{line['part']:20} {cells[0]:30} {cells[1]:30} {1e-3 * line['cpu']['ns']:+8.0f} ({1e-3 * low:+.0f} to {1e-3 * high:+.0f})")


if __name__ == "__main__":
    main()
