#!/usr/bin/env python3
"""How often comparisons are right: each thing is compared with itself, and with itself slowed down by a known share.

For each backend, model and kind of comparison it makes many experiments of the size that `xsp run` makes, and prints a line with

  different   experiments whose 95 % interval leaves out "no difference", although there is none: at most 15 of 200 are consistent
              with 5 % (a correct test stays within with 96 %)
  width       half the interval's width, median
  covered     by planted slow-down: experiments whose interval holds it, of those made

Kinds of comparison (docs/statistics.md):
  call        pairs of single calls of one process in random order; before each, profiling is switched off and on, as in use
  block       pairs of blocks of 0.3 s of one process in random order
  process     three processes a side that alternate in blocks of 0.3 s: backends side by side

The planted slow-down is time that the harness spins at the end of a call (job field `planted_slowdown`; of blocks, which are all of one
process, it is added to the measured times).
Nothing is gated by time; the exit status is 1 where more experiments are called different than --most allows.

Usage: python3 bench/calibration.py [--kinds call,block,process] [--backends NAME,...] [--models NAME,...] [--experiments N]
                                    [--slowdowns 0.01,0.03,0.10] [--busy N] [--most SHARE] [--format table|json]
Example: python3 bench/calibration.py --kinds call --experiments 200
Example: python3 bench/calibration.py --kinds call,block --busy 2
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
BIN = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin"
BLOCK_S, MAX_BLOCK_CALLS, PAUSE_S = 0.3, 100, 0.2  # src/measure/protocols/sampling.cc, measurement.h
PAIRS, BLOCK_PAIRS, PROCESSES, ROUNDS = 30, 6, 3, 5


class Worker:
    """A worker under the control protocol, warm."""

    def __init__(self, program, job, folder, planted_slowdown=0.0):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        job = dict(job, planted_slowdown=planted_slowdown)
        job.pop("outputs", None)
        (self.folder / "job.json").write_text(json.dumps(job))
        self.process = subprocess.Popen(
            [program, "predict", "--job", self.folder / "job.json", "--recording", self.folder / "x.xspr", "--control"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.call_s = self.answer("ready")["call_ns"] * 1e-9

    def answer(self, expected):
        line = self.process.stdout.readline()
        event = json.loads(line) if line else {}
        if event.get("event") != expected:
            sys.exit(f"worker answered: {line.strip() or 'nothing'}")
        return event

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.answer("done")

    def block(self, rest=False):
        """Latencies of a block of its own calls; `rest`: another process ran before it."""
        calls = max(1, min(MAX_BLOCK_CALLS, round(BLOCK_S / self.call_s)))
        if rest and calls * self.call_s < BLOCK_S / 2:
            time.sleep(PAUSE_S)
        return self.ask(f"run {calls}")["latencies_ns"]

    def stop(self):
        self.process.stdin.write("stop\n")
        self.process.stdin.close()
        self.process.wait()
        (self.folder / "x.xspr").unlink(missing_ok=True)


class Estimates:
    """The program's own estimates (estimate_probe)."""

    def __init__(self):
        self.process = subprocess.Popen([BIN / "estimate_probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def of(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def trimmed_mean(values):
    """As src/core/statistics.h has it."""
    cut = len(values) // 5
    return statistics.fmean(sorted(values)[cut:len(values) - cut])


def by_call(make, estimates, experiments, slowdown):
    worker = make("layer", slowdown)
    for experiment in range(experiments):
        done = worker.ask(f"pairs {PAIRS} layer {random.getrandbits(31)}")
        yield estimates.of({"pairs": [done["latencies_ns"], done["baseline_ns"]]})
    worker.stop()


def by_block(make, estimates, experiments, slowdown):
    worker = make("layer", 0)
    for experiment in range(experiments):
        sides = [[], []]
        for _ in range(BLOCK_PAIRS):
            for side in random.sample([0, 1], 2):
                # In one process the blocks of both sides are alike: one side's times are prolonged afterwards.
                sides[side].append(trimmed_mean(worker.block()) * (1 + slowdown if side == 0 else 1))
        yield estimates.of({"pairs": sides})
    worker.stop()


def by_process(make, estimates, experiments, slowdown):
    for experiment in range(experiments):
        workers = [(side, make("model", slowdown if side == 0 else 0)) for side in (0, 1) for _ in range(PROCESSES)]
        blocks = {id(worker): [] for _, worker in workers}
        for _ in range(ROUNDS):
            for _, worker in random.sample(workers, len(workers)):
                blocks[id(worker)].append(trimmed_mean(worker.block(rest=True)))
        for _, worker in workers:
            worker.stop()
        yield estimates.of({"processes": [[blocks[id(worker)] for side, worker in workers if side == wanted] for wanted in (0, 1)]})


KINDS = {"call": by_call, "block": by_block, "process": by_process}


def job_of(model, backend, folder):
    """The job that `xsp run` gives the layer rung's worker, and the worker's program; nothing where it cannot run."""
    store = pathlib.Path(folder) / "store"
    done = subprocess.run([BIN / "xsp", "--store", store, "run", model, "--backend", backend, "--iterations", "2", "--depth", "layer",
                           "--name", f"{model}-{backend}", "--monitor-rate", "0"], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{backend}, {model}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    run = json.loads((store / f"{model}-{backend}" / "b1-layer" / "run.json").read_text())
    return run["job"], run["worker"]["program"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default="call,block,process")
    parser.add_argument("--backends", default="torch,onnxruntime,openvino")
    parser.add_argument("--models", default="tiny")
    parser.add_argument("--experiments", type=int, default=200)
    parser.add_argument("--slowdowns", default="0.01,0.03,0.10")
    parser.add_argument("--busy", type=int, default=0, help="busy loops beside it")
    parser.add_argument("--most", type=float, default=0.075, help="share that may be called different")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=["table", "json"], default="table")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(arguments.busy)]
    rows, estimates = [], Estimates()
    try:
        with tempfile.TemporaryDirectory(prefix="xsp-calibration-") as folder:
            for backend in arguments.backends.split(","):
                for model in arguments.models.split(","):
                    found = job_of(model, backend, folder)
                    if not found:
                        continue
                    job, program = found

                    def make(rung, slowdown):
                        return Worker(program, dict(job, rung=rung), folder, slowdown)

                    for kind in arguments.kinds.split(","):
                        row = measure(KINDS[kind], make, estimates, arguments)
                        rows.append({"kind": kind, "backend": backend, "model": model, "busy": arguments.busy, **row})
                        if arguments.format == "table":
                            print(line_of(rows[-1]), flush=True)
    finally:
        for loop in loops:
            loop.kill()
    if arguments.format == "json":
        print(json.dumps(rows, indent=1))
    return 1 if any(row["different"] > arguments.most * row["experiments"] for row in rows) else 0


def measure(kind, make, estimates, arguments):
    found = [one for one in kind(make, estimates, arguments.experiments, 0) if one["low"] is not None]
    row = {"experiments": len(found), "different": sum(one["low"] > 1 or one["high"] < 1 for one in found),
           "width": statistics.median((one["high"] - one["low"]) / 2 for one in found), "covered": {}}
    for slowdown in filter(None, map(float, filter(None, arguments.slowdowns.split(",")))):
        found = [one for one in kind(make, estimates, arguments.experiments, slowdown) if one["low"] is not None]
        row["covered"][slowdown] = [sum(one["low"] <= 1 + slowdown <= one["high"] for one in found), len(found)]
    return row


def line_of(row):
    covered = "  ".join(f"+{100 * slowdown:.3g} %: {inside} of {made}" for slowdown, (inside, made) in row["covered"].items())
    return (f"{row['kind']:8} {row['backend']:12} {row['model']:14} {row['busy']} loops  different {row['different']:3} of {row['experiments']}"
            f"  width +-{100 * row['width']:.2f} %  covered {covered}")


if __name__ == "__main__":
    sys.exit(main())
