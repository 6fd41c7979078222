#!/usr/bin/env python3
"""Twelve training jobs of the zoo on a real Slurm with two nodes of one processor each: what a plan of `xsp suite schedule` is worth
against first come, first served and widest first. Each job is measured once on each of its widths (1 node, or 2 by torchrun with
gloo); then every policy is carried out by `--submit`, and makespan and mean turnaround are compared with what the plan said. The same
policies are compared by simulation for random jobs on more devices.

Usage: bench/schedule_slurm.py [--scale 1.0] [--times 1] [--simulate 20]
  --scale F      steps of all jobs, times F
  --times N      how often each policy is carried out
  --simulate N   random problems for the simulation
Example: python3 bench/schedule_slurm.py
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import slurm_cluster  # noqa: E402  pylint: disable=wrong-import-position

XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"
PYTHON = os.environ.get("XSP_PYTHON", str(ROOT / ".deps" / "python" / "bin" / "python3"))
POLICIES = ("shortest", "first-come", "widest-first")

# Job, widths, program, steps, options. A target of 2 is never reached: the number of steps decides.
JOBS = [("parallel-a", (1, 2), "data_parallel.py", 150, "--batch 32"), ("parallel-b", (1, 2), "data_parallel.py", 60, "--batch 64"),
        ("parallel-c", (1, 2), "data_parallel.py", 40, "--batch 128"), ("parallel-d", (1, 2), "data_parallel.py", 250, "--batch 16"),
        ("parallel-e", (1, 2), "data_parallel.py", 80, "--batch 64"), ("parallel-f", (1, 2), "data_parallel.py", 500, "--batch 8"),
        ("resnet18-a", (1,), "resnet18.py", 12, "--epoch-steps 100 --target 2"),
        ("resnet18-b", (1,), "resnet18.py", 30, "--epoch-steps 100 --target 2"),
        ("transformer-a", (1,), "transformer.py", 15, "--epoch-steps 100 --target 2"),
        ("transformer-b", (1,), "transformer.py", 40, "--epoch-steps 100 --target 2"),
        ("ncf-a", (1,), "ncf.py", 200, "--epoch-steps 1000 --target 2"), ("ncf-b", (1,), "ncf.py", 600, "--epoch-steps 1000 --target 2")]

# JOB WIDTH: notes how long it took, without Slurm's own time.
SCRIPT = """#!/bin/bash
export OMP_NUM_THREADS=1 GLOO_SOCKET_IFNAME=lo
case $1 in
{cases}
esac
begin=$(date +%s.%N)
if [ "$2" = 1 ]; then
  {python} {programs}/$command
else
  srun {python} -m torch.distributed.run --nnodes="$2" --nproc-per-node=1 --rdzv-backend=c10d --rdzv-id="$SLURM_JOB_ID" \\
    --rdzv-endpoint=localhost:$((20000 + SLURM_JOB_ID % 10000)) --local-addr=localhost {programs}/$command
fi || exit
echo "$1 $2 $begin $(date +%s.%N)" >> {folder}/took
"""


def write_jobs(folder, scale):
    cases = "\n".join(f"  {name}) command='{program} {options} --steps {max(1, round(steps * scale))}' ;;"
                      for name, _, program, steps, options in JOBS)
    job = folder / "job.sh"
    job.write_text(SCRIPT.format(cases=cases, python=PYTHON, programs=ROOT / "zoo" / "training", folder=folder))
    job.chmod(0o755)


def schedule(folder, cluster, source, *options, devices=2, program=()):
    done = subprocess.run([str(XSP), "suite", "schedule", str(source), "--devices", str(devices), "--format", "json", *options,
                           *(("--", *program) if program else ())], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **(cluster.environment if cluster else {}), "XSP_STORE": str(folder / "store")})
    if done.returncode != 0:
        sys.exit(f"xsp suite schedule {' '.join(options)}: {done.stderr[-2000:]}{done.stdout[-2000:]}")
    return {table["id"]: table["rows"] for table in json.loads(done.stdout)["tables"]}


def measure(folder, cluster):
    """Runs each job on each width alone. Returns the table of times."""
    for width in (1, 2):
        rows = [f"{name},{width},1" for name, widths, *_ in JOBS if width in widths]
        (folder / "once.csv").write_text("job,width,time_s\n" + "\n".join(rows) + "\n")
        schedule(folder, cluster, folder / "once.csv", "--slurm", "nodes", "--submit", program=("./job.sh",))
    table = folder / "jobs.csv"
    lines = ["job,width,time_s"]
    for line in (folder / "took").read_text().splitlines():
        name, width, begin, end = line.split()
        lines.append(f"{name},{width},{float(end) - float(begin):.2f}")
        print(f"  {name:14} on {width}: {float(end) - float(begin):6.2f} s", flush=True)
    table.write_text("\n".join(lines) + "\n")
    return table


def carry_out(folder, cluster, table, times):
    print(f"{'policy':14} {'makespan':>10} {'planned':>10} {'error':>8} {'turnaround':>11} {'planned':>10}")
    for policy in POLICIES:
        for _ in range(times):
            rows = schedule(folder, cluster, table, "--slurm", "nodes", "--policy", policy, "--submit", program=("./job.sh",))["reality"]
            made, planned = max(row["end"] for row in rows), max(row["planned_end"] for row in rows)
            mean = {key: statistics.mean(row[key] for row in rows) for key in ("end", "planned_end")}
            print(f"{policy:14} {made:8.1f} s {planned:8.1f} s {100 * (made / planned - 1):+6.1f} % {mean['end']:9.1f} s "
                  f"{mean['planned_end']:8.1f} s", flush=True)


def simulate(folder, count, devices=16, jobs=30):
    """Random jobs by Amdahl's law: median of makespan and mean turnaround over those of the plan."""
    ratios = {}
    for seed in range(count):
        draw = random.Random(seed)
        lines = ["job,width,time_min"]
        for job in range(jobs):
            serial, work = draw.uniform(0, 0.5), draw.uniform(10, 200)
            lines += [f"job{job},{width},{work * (serial + (1 - serial) / width):.3f}" for width in (1, 2, 4, 8, 16)]
        (folder / "random.csv").write_text("\n".join(lines) + "\n")
        rows = schedule(folder, None, folder / "random.csv", "--time-limit", "5", "--gap", "2", devices=devices)["plans"]
        for row in rows[1:]:
            ratios.setdefault(row["plan"], []).append((row["makespan"] / rows[0]["makespan"], row["turnaround"] / rows[0]["turnaround"]))
    print(f"simulation, {count} times {jobs} jobs on {devices} devices: median of makespan and turnaround over those of the plan")
    for name, pairs in ratios.items():
        print(f"  {name:55} {statistics.median(pair[0] for pair in pairs):6.2f} {statistics.median(pair[1] for pair in pairs):6.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--simulate", type=int, default=20)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if chosen.simulate > 0:
            simulate(folder, chosen.simulate)
        if why := slurm_cluster.why_not():
            sys.exit(f"not on Slurm: {why}")
        write_jobs(folder, chosen.scale)
        cluster = slurm_cluster.Cluster([[], []], pinned=True)
        try:
            cluster.start()
            table = measure(folder, cluster)
            carry_out(folder, cluster, table, chosen.times)
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
