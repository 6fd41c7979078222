#!/usr/bin/env python3
"""How near to a proven bound `xsp suite schedule` comes, on seeded random jobs of several kinds.

Of each instance: the gap of the plan to the bound when the time was up, the seconds after which the plan was within 2 % (a
second call, with --gap 2), what each bound says. Times are of the wall: the load of the machine is printed with them.

Usage: python3 bench/schedule_gap.py [--instances N] [--kinds KIND,...] [--time-limit S] [--threads N] [--jobs N] [--devices N]
Example: python3 bench/schedule_gap.py --instances 3 --kinds amdahl,release
"""
import argparse
import csv
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"
KINDS = {
    "amdahl": "serial share up to 1/2, widths 1, 2, 4, ...",
    "powers": "serial share up to 1/2, mostly small; widths 1, 2, 4, ...",
    "any": "the same, every width",
    "release": "as powers, released during the first fifth or so",
    "memory": "as any, but too large for the narrowest widths",
    "tail": "as powers, times of a Pareto distribution (1.2)",
    "flat": "no speed-up at all",
}


def rows_of(kind, seed, jobs, devices):
    """A row (job, devices, minutes, release) for every job and width, with 10 % noise."""
    draw = random.Random(f"{kind} {seed}")
    for job in range(jobs):
        time = 10 + 90 * draw.random()
        serial = 0.5 * draw.random() * draw.random()
        least, release = 1, 0.0
        if kind == "amdahl":
            serial = 0.5 * draw.random()
        elif kind == "tail":
            time = 10 * draw.paretovariate(1.2)
        elif kind == "flat":
            serial = 1
        elif kind == "release":
            release = 40 * draw.random()
        elif kind == "memory":
            least = min(devices, draw.choices([1, 2, 3, 5, 9], [3, 2, 2, 2, 1])[0])
        width = 1
        while width <= devices:
            noise = 1 + 0.1 * draw.random()
            if width >= least:
                yield f"job{job}", width, time * (serial + (1 - serial) / width) * noise, release
            width = width + 1 if kind in ("any", "memory") else 2 * width


def schedule(table, options, *more):
    command = [XSP, "suite", "schedule", table, "--devices", options.devices, "--time-limit", options.time_limit,
               "--threads", options.threads, "--seed", options.seed, "--format", "json", *more]
    before = os.times()
    answer = json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {part["id"]: part["rows"] for part in answer["tables"]}, after.elapsed - before.elapsed, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=2, help="of each kind")
    parser.add_argument("--kinds", default=",".join(KINDS), help="; ".join(f"{name}: {what}" for name, what in KINDS.items()))
    parser.add_argument("--time-limit", type=float, default=30)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=30)
    parser.add_argument("--devices", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1, help="of the search")
    options = parser.parse_args()
    unknown = set(options.kinds.split(",")) - set(KINDS)
    if unknown:
        parser.error(f"no such kind: {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    print(f"{options.jobs} jobs, {options.devices} devices, {options.time_limit:g} s, {options.threads} threads of {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")
    print(f"{'instance':<12}{'gap %':>8}{'2 % after s':>13}{'wall s':>8}{'CPU s':>8}{'plan':>10}{'bound':>10}{'area':>10}  bound from")
    gaps = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds.split(","):
            for seed in range(1, options.instances + 1):
                table = pathlib.Path(folder) / "jobs.csv"
                with table.open("w", newline="") as out:
                    writer = csv.writer(out)
                    writer.writerow(["job", "devices", "minutes", "release"])
                    writer.writerows(rows_of(kind, seed, options.jobs, options.devices))
                tables, wall, cpu = schedule(table, options)
                best, _, area = tables["bounds"]
                plan = tables["plans"][0]["makespan"]
                gap = 100 * (plan / best["makespan"] - 1)
                gaps.append(gap)
                near = "never"
                if gap <= 2:
                    _, seconds, _ = schedule(table, options, "--gap", 2)
                    near = f"{seconds:.1f}" if seconds < options.time_limit else "never"
                print(f"{f'{kind} {seed}':<12}{gap:>8.2f}{near:>13}{wall:>8.1f}{cpu:>8.1f}{plan:>10.3f}{best['makespan']:>10.3f}{area['makespan']:>10.3f}"
                      f"  {best['bound'].removeprefix('best: ')}", flush=True)
    print(f"{len(gaps)} instances: median {statistics.median(gaps):.2f} %, worst {max(gaps):.2f} %, {sum(gap <= 2 for gap in gaps)} within 2 %; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
