#!/usr/bin/env python3
"""What `xsp record` costs an unchanged PyTorch program: a call of ResNet-50 (or a training step), bare, at each depth, with and without
the system monitor, with call stacks, with an empty observer of operators, and under PyTorch's own profiler.

One process of each way is started and kept; then they alternate in blocks of some calls, in an order that is shuffled each round. Only
one works at a time: what records beside a waiting program is stopped. So a block is compared with the bare blocks of the same few seconds,
and what disturbs the machine for longer cancels. Processes differ for as long as they live (docs/adr/0009-overhead-within-one-process.md), so
all of it is repeated with new ones --processes times, and there are two bare ones: what they differ by is noise.

A row is the trimmed mean of (median of the block / mean of the two bare medians of its round), with a 95 % interval by resampling processes
and rounds. The program times its own calls, so start, import and storing are not in it. `wall` is what a user waits; `CPU` that of
all threads of the program, which work of others on the machine disturbs less, but waiting threads of OpenMP count as working.

An empty observer needs libxsp-empty-observer.so: cmake -DXSP_TORCH_BENCHES=ON build/release/workers/torch, and build it.

Example: XSP_PYTHON=.deps/python/bin/python bench/record_overhead.py --batch 1 --processes 4 --seconds 60"""
import argparse
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build/release"))
EMPTY_OBSERVER = BUILD / "lib/libxsp-empty-observer.so"

PROGRAM = """
import ctypes, json, os, sys, time, torch, torchvision
batch, threads, what, way = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
if threads:
    torch.set_num_threads(threads)
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
if way and way[0] != "profiler":
    ctypes.PyDLL(way[0]).xsp_torch_observe_nothing()
def block(calls):
    wall, cpu = [], []
    for _ in range(calls):
        cpu_ns, wall_ns = time.process_time_ns(), time.perf_counter_ns()
        call()
        wall.append(time.perf_counter_ns() - wall_ns)
        cpu.append(time.process_time_ns() - cpu_ns)
    return wall, cpu
answers = os.fdopen(os.dup(1), "w")
answers.write(json.dumps(torch.get_num_threads()) + chr(10))
answers.flush()
for line in sys.stdin:
    if way == ["profiler"]:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
            times = block(int(line))
    else:
        times = block(int(line))
    answers.write(json.dumps(times) + chr(10))
    answers.flush()
"""

BARE = ("bare", "bare again")
RECORD = {"depth model": ["--depth", "model"], "depth layer": ["--depth", "layer"],
          "depth layer, no monitor": ["--depth", "layer", "--monitor-rate", "0"], "depth kernel": ["--depth", "kernel"],
          "depth kernel, no monitor": ["--depth", "kernel", "--monitor-rate", "0"], "depth kernel, stacks at 99 Hz": ["--stacks", "99"]}


def ways():
    more = ["empty observer"] if EMPTY_OBSERVER.exists() else []
    return [*BARE, *more, *RECORD, "torch.profiler"]


class Process:
    """One program of one way, which works when asked."""

    def __init__(self, way, options, folder):
        self.way = way
        command = [os.environ.get("XSP_PYTHON", sys.executable), str(folder / "program.py"), str(options.batch), str(options.threads),
                   "train" if options.train else "predict"]
        if way in RECORD:
            command = [str(BUILD / "bin/xsp"), "record", "--no-roofs", "--summary", "/dev/null", *RECORD[way], "--", *command]
        elif way == "empty observer":
            command.append(str(EMPTY_OBSERVER))
        elif way == "torch.profiler":
            command.append("profiler")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         env={**os.environ, "XSP_STORE": str(folder / way)})
        self.threads = self._answer()
        self._ask(3)
        self._pause()

    def block(self, calls):
        """Median wall and CPU ns of a call; the first call of the block is not counted."""
        self._resume()
        wall, cpu = self._ask(calls + 1)
        self._pause()
        return statistics.median(wall[1:]), statistics.median(cpu[1:])

    def end(self):
        self._resume()
        self._process.communicate(timeout=300)
        if self._process.returncode != 0:
            sys.exit(f"error: {self.way} ended with {self._process.returncode}")

    def _ask(self, calls):
        self._process.stdin.write(f"{calls}\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"error: {self.way} ended with {self._process.wait()}")
        return json.loads(line)

    def _pause(self):
        if self.way in RECORD:  # The recorder beside the program; that one waits by itself.
            self._process.send_signal(signal.SIGSTOP)

    def _resume(self):
        if self.way in RECORD:
            self._process.send_signal(signal.SIGCONT)


def generation(options, chosen):
    """Rounds of one set of processes: for each way a list of (wall, CPU) ns a call."""
    rounds = {way: [] for way in chosen}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "program.py").write_text(PROGRAM)
        processes = [Process(way, options, folder) for way in chosen]
        threads = {process.threads for process in processes}
        if len(threads) != 1:
            sys.exit(f"error: the ways do not run the same program: {threads} threads")
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            for process in random.sample(processes, len(processes)):
                rounds[process.way].append(process.block(options.calls))
        for process in processes:
            process.end()
    return rounds, threads.pop()


def trimmed_mean(values):
    values = sorted(values)
    cut = len(values) // 5
    return statistics.mean(values[cut:len(values) - cut])


def interval(generations):
    """Of the mean over generations of trimmed means: 95 %, resampling generations and their rounds."""
    means = sorted(statistics.mean(trimmed_mean(random.choices(rounds, k=len(rounds)))
                                   for rounds in random.choices(generations, k=len(generations))) for _ in range(1000))
    return means[25], means[-26]


def row(way, generations, what):
    """`what`: 0 wall, 1 CPU."""
    ratios = []
    for rounds in generations:
        bare = [statistics.mean(rounds[name][i][what] for name in BARE) for i in range(len(rounds[way]))]
        ratios.append([times[what] / base - 1 for times, base in zip(rounds[way], bare)])
    low, high = interval(ratios)
    return {"ratio": statistics.mean(map(trimmed_mean, ratios)), "low": low, "high": high}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=4, help="how often all programs are started anew")
    parser.add_argument("--seconds", type=float, default=60, help="duration for which each set of programs alternates")
    parser.add_argument("--calls", type=int, default=3, help="timed calls per block, after one untimed call")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="of PyTorch; 0: as it chooses itself")
    parser.add_argument("--train", action="store_true", help="training steps instead of calls")
    parser.add_argument("--ways", nargs="+", choices=ways(), default=ways(), metavar="WAY", help="besides bare: " + ", ".join(ways()[2:]))
    parser.add_argument("--format", choices=["table", "json"], default="table")
    options = parser.parse_args()
    chosen = [way for way in ways() if way in options.ways or way in BARE]
    generations, threads = [], 0
    for _ in range(options.processes):
        rounds, threads = generation(options, chosen)
        generations.append(rounds)
    rows = [{"way": way, "median_ms": 1e-6 * statistics.median(times[0] for rounds in generations for times in rounds[way]),
             "wall": row(way, generations, 0), "cpu": row(way, generations, 1)} for way in chosen]
    total = sum(len(rounds["bare"]) for rounds in generations)
    if options.format == "json":
        print(json.dumps({"batch": options.batch, "threads": threads, "processes": options.processes, "rounds": total, "rows": rows}, indent=1))
        return
    print(f"batch {options.batch}, {threads} threads, {options.processes} x {len(chosen)} processes, {total} rounds of {options.calls} calls")
    print(f"{'way':32} {'ms':>9}  {'wall over bare (95 %)':28} CPU over bare (95 %)")
    for line in rows:
        cells = [f"{100 * r['ratio']:+6.2f} % ({100 * r['low']:+.2f} to {100 * r['high']:+.2f})" for r in (line["wall"], line["cpu"])]
        print(f"{line['way']:32} {line['median_ms']:9.2f}  {cells[0]:28} {cells[1]}")


if __name__ == "__main__":
    main()
