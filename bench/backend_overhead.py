#!/usr/bin/env python3
"""What each level of profiling costs on each backend that is here.

Measures every model on every backend, each in an experiment of its own (`xsp run MODEL --backend NAME`) through the rungs model,
layer and kernel, and prints what `xsp analyze overhead` makes of it: a line per backend and rung with

  model       latency of a call in the rung model, in its own process
  rung        latency of a call in this rung
  overhead    what the rung adds to the rung above it, in % and in time, with its 95 % interval
  basis       what was compared: pairs of calls, of blocks or of processes; not separable: profiling cannot be switched within a process
  per event   the same for each layer (rung layer) or kernel (rung kernel) that the rung shows
  to model    what the rung adds to the rung model, from the ratios of the rungs down to it
  noise       how far the same calls in two processes differ
  layers, kernels of one call

An interval that holds 0 means that no overhead was found. The conditions of the machine stand above each model's lines: times of a busy machine say little.
`analyses/overhead/README.md` says how each figure is made. Nothing is gated; the exit status is 1 where a backend could not be measured.

Usage: python3 bench/backend_overhead.py [--models NAME,...] [--backends NAME,...] [--batch N] [--iterations N] [--repeats N]
                                         [--store DIR] [--format table|json]
Example: python3 bench/backend_overhead.py
Example: python3 bench/backend_overhead.py --models tiny,resnet18 --backends torch,onnxruntime --iterations 100 --repeats 3
Example: python3 bench/backend_overhead.py --format json > overhead.json
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"
DEPTH = "kernel"


def xsp(store, *arguments):
    """Exit status, the JSON document of standard output (None: there is none) and the first error of a command."""
    done = subprocess.run([str(XSP), "--store", str(store), *map(str, arguments), "--format", "json"], capture_output=True, text=True)
    errors = [line.removeprefix("error: ") for line in done.stderr.splitlines() if line.startswith("error: ")]
    try:
        return done.returncode, json.loads(done.stdout), errors[0] if errors else ""
    except json.JSONDecodeError:
        return done.returncode, None, errors[0] if errors else done.stderr.strip()[-500:]


def backends_of_models(store):
    """Of each zoo model the backends here that read one of its formats; of a file none, since only its worker knows."""
    _, models, error = xsp(store, "zoo", "list")
    if models is None:
        sys.exit(f"xsp zoo list: {error}")
    return {model["name"]: model["backends"].split(", ") if model["backends"] else [] for model in models}


def measure(store, model, backend, arguments):
    """One experiment: its rows of the analysis, the machine's conditions, and what went wrong."""
    load_before = os.getloadavg()
    status, outcome, error = xsp(store, "run", model, "--backend", backend, "--batch", arguments.batch,
                                 "--iterations", arguments.iterations, "--depth", DEPTH)
    result = {"model": model, "backend": backend, "status": status, "load_before": load_before, "load_after": os.getloadavg(),
              "error": error, "rows": []}
    if outcome is None:
        return result
    experiment = pathlib.Path(outcome["experiment"])
    document = json.loads((experiment / "experiment.json").read_text())
    result.update(experiment=experiment.name, conditions=outcome["conditions"], disturbance=document["disturbance"])
    _, analysis, error = xsp(store, "analyze", "overhead", experiment)
    if analysis is None:
        result["error"] = error
    else:
        result["rows"] = analysis["rows"]
    return result


def time_text(ns):
    if ns is None:
        return "-"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


def percent(ratio, low=None, high=None):
    if ratio is None:
        return "-"
    text = f"{ratio:+.1%}"
    return text if low is None or high is None else f"{text} ({low:+.1%} ... {high:+.1%})"


def time_with_interval(row):
    if row["overhead_ns"] is None:
        return "-"
    text = f"{row['overhead_ns'] / 1e3:+.1f} µs"
    return text if row["overhead_low_ns"] is None else f"{text} ({row['overhead_low_ns'] / 1e3:+.1f} ... {row['overhead_high_ns'] / 1e3:+.1f})"


COLUMNS = {
    "backend": lambda row: row["backend"],
    "rung": lambda row: row["rung"],
    "calls": lambda row: f"{row['samples']} ({row['disturbed']} disturbed)" if row["disturbed"] else str(row["samples"]),
    "model": lambda row: time_text(row["model_latency_ns"]),
    "this rung": lambda row: time_text(row["latency_ns"]),
    "overhead": lambda row: percent(row["overhead_ratio"], row["overhead_ratio_low"], row["overhead_ratio_high"]),
    "basis": lambda row: row["basis"] or "-",
    "overhead, time": time_with_interval,
    "per event": lambda row: time_text(row["per_event_ns"]),
    "to model": lambda row: percent(row["total_ratio"]),
    "noise": lambda row: percent(row["processes_ratio"]),
    "layers": lambda row: "-" if row["layers"] is None else str(row["layers"]),
    "kernels": lambda row: "-" if row["kernels"] is None else str(row["kernels"]),
}


def print_table(rows):
    lines = [list(COLUMNS)] + [[text(row) for text in COLUMNS.values()] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    for line in lines:
        print("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip())


def print_model(model, results):
    print(f"\n{model}")
    for result in results:
        load = f"load {result['load_before'][0]:.1f} before, {result['load_after'][0]:.1f} after"
        print(f"  {result['backend']}: " + (f"{result['conditions']} {load}" if "conditions" in result else f"not measured: {result['error']}"))
        if "conditions" in result and result["error"]:
            print(f"  {result['backend']}: {result['error']}")
    rows = [row for result in results for row in result["rows"]]
    if rows:
        print_table(rows)
    sys.stdout.flush()


def machine():
    """What these times were measured on."""
    names = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return {"processor": names[0] if names else "unknown", "cpus": len(os.sched_getaffinity(0)), "load": os.getloadavg()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda text: [name for name in text.split(",") if name]
    parser.add_argument("--models", type=names, default=["tiny", "resnet50"], help="names of the zoo (default: tiny,resnet50)")
    parser.add_argument("--backends", type=names, help="default: all that are here and read a format of the model")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=60, help="calls per rung after warm-up (default: 60)")
    parser.add_argument("--repeats", type=int, default=1, help="experiments of each model and backend, with processes of their own")
    parser.add_argument("--store", type=pathlib.Path, help="store the experiments there (default: a temporary store)")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    arguments = parser.parse_args()
    if not XSP.exists():
        sys.exit(f"not built: {XSP} (tools/build)")
    here = machine()
    if arguments.format == "table":
        print(f"{here['processor']}, {here['cpus']} CPUs, load {here['load'][0]:.1f}")
    with tempfile.TemporaryDirectory() as temporary:
        store = arguments.store or pathlib.Path(temporary)
        known, everything = backends_of_models(store), []
        for model in arguments.models:
            if model not in known:
                sys.exit(f"not in the zoo: {model} (xsp zoo list)")
        pairs = [(model, backend) for model in arguments.models for backend in known[model]
                 if arguments.backends is None or backend in arguments.backends for _ in range(arguments.repeats)]
        for number, (model, backend) in enumerate(pairs, 1):
            print(f"[{number}/{len(pairs)}] {model} on {backend}", file=sys.stderr, flush=True)
            everything.append(measure(store, model, backend, arguments))
            last = number == len(pairs) or pairs[number][0] != model
            if last and arguments.format == "table":
                print_model(model, [result for result in everything if result["model"] == model])
    if arguments.format == "json":
        print(json.dumps({"machine": here, "batch": arguments.batch, "iterations": arguments.iterations, "experiments": everything}, indent=2))
    sys.exit(1 if any(result["status"] != 0 for result in everything) else 0)


if __name__ == "__main__":
    main()
