#!/usr/bin/env python3
"""Whether shares hold on a busy machine: the same models measured idle and beside busy loops, side by side.

Each round measures each model once on the machine as it is and once beside busy loops, in an order drawn anew. For the layer types
that take most time, and for the time between layers, it prints the mean share of a call that the report shows in both, and the ratio
of the two with its 95 % interval over the rounds (Welch's t of the logarithms, as backends are compared): "equal" where it holds 1.
The last columns show what the load does to the latency.

Nothing is gated: the exit status is 0 unless a measurement fails.

Usage: python3 bench/busy_shares.py [--models NAME,...] [--backend NAME] [--rounds N] [--busy N] [--threads N] [--types N] [--format table|json]
Example: python3 bench/busy_shares.py --models tiny,resnet18 --threads 1
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
BIN = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin"
BETWEEN = "(between layers)"
SHARES = """SELECT l.type, sum(t.share) AS share, any_value(p.latency_ns) AS latency_ns
            FROM layer l JOIN layer_time t USING (point_id, layer_index) JOIN point_time p USING (point_id) GROUP BY l.type"""


def measure(store, model, arguments, busy, name):
    """Shares of a call by layer type, and the latency in ns."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        done = subprocess.run([BIN / "xsp", "--store", store, "run", model, "--backend", arguments.backend, "--depth", "layer",
                               "--threads", str(arguments.threads), "--name", name],
                              capture_output=True, text=True)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    if done.returncode != 0:
        sys.exit(f"{model}: {done.stderr.strip()[-500:]}")
    rows = json.loads(subprocess.run([BIN / "xsp", "--store", store, "query", "--format", "json", name, SHARES],
                                     capture_output=True, text=True, check=True).stdout)
    shares = {row["type"]: row["share"] for row in rows}
    shares[BETWEEN] = 1 - sum(shares.values())
    return shares, rows[0]["latency_ns"]


def ratio(loaded, idle):
    """The program's own estimate: each experiment is a process with one block."""
    question = json.dumps({"processes": [[[value] for value in loaded], [[value] for value in idle]]})
    done = subprocess.run([BIN / "estimate_probe"], input=question + "\n", capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def rows_of(model, found, types):
    """`found`: by busy or not, a list of (shares, latency)."""
    idle, loaded = found[False], found[True]
    mean = {name: statistics.fmean(shares.get(name, 0) for shares, _ in idle) for shares, _ in idle for name in shares}
    slower = statistics.fmean(latency for _, latency in loaded) / statistics.fmean(latency for _, latency in idle)
    largest = sorted((name for name in mean if name != BETWEEN), key=mean.get, reverse=True)[:types]
    for name in largest + [BETWEEN]:
        of_idle, of_loaded = ([shares.get(name, 0) for shares, _ in side] for side in (idle, loaded))
        row = {"model": model, "type": name, "idle": statistics.fmean(of_idle), "loaded": statistics.fmean(of_loaded),
               "latency_ratio": slower, "low": None, "high": None}
        if min(of_idle + of_loaded) > 0:
            row.update({key: value for key, value in ratio(of_loaded, of_idle).items() if key in ("low", "high")})
        yield row


def line_of(row):
    interval, verdict = "no interval", ""
    if row["low"] is not None:
        interval = f"x{row['low']:.3f} to x{row['high']:.3f}"
        verdict = "equal" if row["low"] <= 1 <= row["high"] else "differs"
    return (f"{row['model']:14} {row['type']:26} {100 * row['idle']:6.1f} % {100 * row['loaded']:6.1f} %  {interval:18} {verdict:8}"
            f" latency x{row['latency_ratio']:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="tiny,resnet18,bert_base")
    parser.add_argument("--backend", default="torch")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--busy", type=int, default=2, help="busy loops")
    parser.add_argument("--threads", type=int, default=0, help="of the backend; 0: its default")
    parser.add_argument("--types", type=int, default=3, help="layer types to show")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=["table", "json"], default="table")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    rows = []
    with tempfile.TemporaryDirectory(prefix="xsp-busy-shares-") as store:
        for model in arguments.models.split(","):
            found = {False: [], True: []}
            for number in range(arguments.rounds):
                for busy in random.sample([False, True], 2):
                    found[busy].append(measure(store, model, arguments, arguments.busy if busy else 0,
                                               f"{model}-{number}-{'busy' if busy else 'idle'}"))
            for row in rows_of(model, found, arguments.types):
                rows.append(row)
                if arguments.format == "table":
                    print(line_of(row), flush=True)
    if arguments.format == "json":
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
