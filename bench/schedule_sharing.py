#!/usr/bin/env python3
"""Trainings that compute and trainings that wait for their data, on a real Slurm with two nodes of one processor each: what it is worth
that jobs share a node. `xsp suite jobs` measures each alone and every two beside each other on one processor; then the plans of
`xsp suite schedule --stored-jobs` with and without sharing, and first come, first served, are carried out by `--submit`.

The waiting jobs sleep for each batch, as a loader does that reads from a slow store.

Usage: bench/schedule_sharing.py [--scale 1.0] [--rounds 3]
  --scale F   steps of all jobs, times F
  --rounds N  rounds of `xsp suite jobs`
Example: python3 bench/schedule_sharing.py --scale 0.5 --rounds 1
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import slurm_cluster  # noqa: E402  pylint: disable=wrong-import-position

XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"
PYTHON = os.environ.get("XSP_PYTHON", str(ROOT / ".deps" / "python" / "bin" / "python3"))
POLICIES = ("shortest", "exclusive", "first-come")

# Job, steps, milliseconds that the loader waits for each batch, width of the layers.
JOBS = [("computes-a", 300, 0, 1024), ("computes-b", 500, 0, 1024), ("computes-c", 1200, 0, 512), ("computes-d", 400, 0, 1024),
        ("waits-a", 200, 60, 128), ("waits-b", 300, 50, 256), ("waits-c", 150, 80, 256), ("waits-d", 400, 30, 128)]

TRAIN = """import sys, time, torch
steps, wait_ms, width = (int(word) for word in sys.argv[1:])
torch.set_num_threads(1)
model = torch.nn.Sequential(*(torch.nn.Linear(width, width) for _ in range(4)))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(steps):
    time.sleep(wait_ms / 1000)
    optimizer.zero_grad()
    model(torch.randn(64, width)).square().mean().backward()
    optimizer.step()
"""


def write_jobs(folder, scale):
    (folder / "train.py").write_text(TRAIN)
    commands = {name: [PYTHON, str(folder / "train.py"), str(max(1, round(steps * scale))), str(wait), str(width)]
                for name, steps, wait, width in JOBS}
    (folder / "jobs.yaml").write_text(json.dumps({"jobs": [{"name": name, "command": command} for name, command in commands.items()],
                                                  "copies": 1, "mixed": "pairs"}))
    cases = "\n".join(f"  {name}) exec {' '.join(command)} ;;" for name, command in commands.items())
    (folder / "job.sh").write_text(f"#!/bin/bash\ncase $1 in\n{cases}\nesac\n")
    (folder / "job.sh").chmod(0o755)


def xsp(folder, *words, environment=None, on=()):
    done = subprocess.run([*on, str(XSP), "--store", str(folder / "store"), *words], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        sys.exit(f"xsp {' '.join(words)}: {done.stderr[-2000:]}{done.stdout[-2000:]}")
    return {table["id"]: table["rows"] for table in json.loads(done.stdout)["tables"]}


def carry_out(folder, cluster):
    print(f"{'policy':14} {'makespan':>10} {'planned':>10} {'error':>8}")
    for policy in POLICIES:
        tables = xsp(folder, "suite", "schedule", "--stored-jobs", "trainings", "--devices", "2", "--slurm", "nodes", "--policy", policy,
                     "--submit", "--format", "json", "--", "./job.sh", environment=cluster.environment)
        if policy == "shortest":
            for pair in tables["pairs"]:
                print(f"  {pair['job']:11} + {pair['beside']:11} {pair['together']:6.1f} s, alone {pair['alone']:6.1f} s, slow-down "
                      f"{pair['slowdown']:.2f} and {pair['slowdown_beside']:.2f}: {pair['shared']}")
        made, planned = (max(row[key] for row in tables["reality"]) for key in ("end", "planned_end"))
        print(f"{policy:14} {made:8.1f} s {planned:8.1f} s {100 * (made / planned - 1):+6.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    if why := slurm_cluster.why_not():
        sys.exit(f"not on Slurm: {why}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        write_jobs(folder, chosen.scale)
        xsp(folder, "suite", "jobs", "jobs.yaml", "--name", "trainings", "--rounds", str(chosen.rounds), "--format", "json",
            on=("taskset", "--cpu-list", "0"))
        cluster = slurm_cluster.Cluster([[], []], pinned=True)
        try:
            cluster.start()
            carry_out(folder, cluster)
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
